import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGatesInUse } from '../../../../src/agents/zot/guard/gates-in-use.ts'
import { findProgram } from '../../../../src/platform/programs.ts'
import { createGates, type Gate } from '../../../../src/agents/zot/guard/gates.ts'

const pipeOf = (gate: Gate | null): string | undefined => /gate-\d+/.exec(gate?.line ?? '')?.[0]

test.each([
  ['is used again once the call has its result', false],
  ['is not used again where the result may be that of another call with its id', true],
])('a pipe %s', async (_what, isShared) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gates-'))
  const gates = createGates(folder, findProgram('mkfifo', process.env, '/'))
  onTestFinished(() => {
    gates.close()
    rmSync(folder, { recursive: true })
  })
  const inUse = createGatesInUse(gates, '', () => '')
  const first = pipeOf(await inUse.take('same', 'touch a'))
  if (isShared) inUse.share('same')
  inUse.strip({ type: 'tool_result', id: 'same', is_error: true, content: [] })
  const second = pipeOf(await inUse.take('last', 'touch c'))
  expect(first).toMatch(/^gate-/)
  expect(second === first).toBe(!isShared)
})
