import { chmodSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createAgentSwitch } from '../../src/agents/switching.ts'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { launchZot } from '../../src/agents/zot/program/zot-process.ts'
import { createController } from '../../src/app/controller.ts'
import { hookedAgent } from '../../src/hooks/hooked-agent.ts'
import { createHooks } from '../../src/hooks/hooks.ts'
import { createAppStore } from '../../src/state/app-store.ts'
import { initialState } from '../../src/state/state.ts'
import { makeHome } from '../helpers/home.ts'

const agent = fileURLToPath(new URL('../fixtures/agents/streaming.ts', import.meta.url))

test('probe', async () => {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const path = join(home.path, 'zot')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`)
  chmodSync(path, 0o755)
  const env = { PATH: process.env['PATH'], HOME: home.path }
  const zot = createZotBackend({ connect: () => launchZot({ path, options: { cwd: home.project }, env }) })
  const hooks = createHooks({
    written: () => [],
    facts: () => ({ session_id: null, cwd: home.project, machine: null, agent: 'zot', permission_mode: null }),
    folder: home.project,
    env,
    now: Date.now,
    onMessage: () => {},
  })
  const { backend } = hookedAgent({ backend: createAgentSwitch(zot).backend, hooks, now: Date.now })
  const store = createAppStore(initialState({ version: '1.2.3', folder: '~', branch: null, demo: false }, 0))
  createController({
    store,
    backend,
    permissions: null,
    now: Date.now,
    composerWidth: () => 78,
    screenRows: () => 24,
    redraw: () => {},
    onLeave: () => {},
  })
  await backend.open()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await backend.prompt({ text: '40 5', images: [] })
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  await backend.close()
  const rows: string[] = []
  for (const { url, functions } of result)
    for (const { functionName, ranges } of functions) {
      const count = ranges[0]?.count ?? 0
      if (count >= 30 && !url.startsWith('node:') && !url.includes('node_modules')) rows.push(`${String(count).padStart(6)} ${url.replace(/.*delta\//, '')} ${functionName}`)
    }
  console.log(rows.join('\n'))
  expect(1).toBe(1)
})
