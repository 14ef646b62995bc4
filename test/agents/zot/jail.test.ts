/** zot's setting that confines its tools to its folder. The tools of a guarded zot are carried out by zotui, which keeps it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'
import { localZotStart } from '../../../src/agents/zot/local-start.ts'
import { cache } from './guard/suite.ts'

const agent = fileURLToPath(new URL('../../fixtures/agents/guardable.ts', import.meta.url))
const outside = [
  { name: 'read', args: { path: '../secret' } },
  { name: 'read', args: { path: 'link' } },
  { name: 'glob', args: { pattern: '*', path: '..' } },
  { name: 'write', args: { path: '../made', content: 'x' } },
  { name: 'edit', args: { path: '../secret', edits: [{ oldText: 'forty', newText: 'fifty' }] } },
]
const inside = [{ name: 'read', args: { path: 'sub/../facts' } }]

/** Runs calls on a guarded zot that allows all, with these settings of zot; what was asked about, and what came back. */
async function callsWith(settings: string | null) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'jail-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const at = (...names: string[]): string => path.join(root, ...names)
  for (const folder of ['project/sub', 'home']) mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('secret'), 'forty-two\n')
  writeFileSync(at('project', 'facts'), 'inside\n')
  symlinkSync('../secret', at('project', 'link'))
  if (settings !== null) writeFileSync(at('home', 'config.json'), settings)
  const calls = [...outside, ...inside].map((call, index) => Object.assign({ id: String(index) }, call))
  writeFileSync(at('script'), JSON.stringify([{ calls }, { text: 'Done.' }]))
  writeFileSync(at('zot'), `#!/bin/sh\nNODE_COMPILE_CACHE='${cache}' exec '${process.execPath}' '${agent}' "$@"\n`)
  chmodSync(at('zot'), 0o755)
  const env = { PATH: process.env['PATH'], HOME: root, ZOT_HOME: at('home'), ZOT_SCRIPT: at('script') }
  const options = { cwd: at('project') }
  const start = await localZotStart(
    { agent: 'zot', path: at('zot'), options, env, version: undefined },
    { guarded: true },
  )
  const backend = createZotBackend(start)
  const asked: string[] = []
  backend.judgeWith(({ callId }) => {
    asked.push(callId ?? '')
    return { verdict: 'allow', because: 'the test allows' }
  })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  await backend.open()
  await backend.prompt({ text: 'go', images: [] })
  await backend.close()
  const results = events.flatMap(event => (event.type === 'tool_finished' ? [event] : []))
  return {
    asked,
    failed: results.map(({ failed }) => failed),
    told: JSON.stringify(results),
    made: existsSync(at('made')),
    secret: readFileSync(at('secret'), 'utf8'),
  }
}

test('with it, nothing outside of the folder is read or changed, also where all is allowed, and nobody is asked', async () => {
  const { asked, failed, told, made, secret } = await callsWith('{"jail_by_default": true}')
  expect(failed).toEqual([true, true, true, true, true, false])
  expect(asked).toEqual(['5'])
  expect(told).not.toContain('forty')
  expect(told).toContain('is outside of the working folder')
  expect([made, secret]).toEqual([false, 'forty-two\n'])
})

test.each([null, '{}', '{"jail_by_default": false}', '{"jail_by_default": "true"}', '{"jail_by', '[]'])(
  'without it (%s) the rules decide alone',
  async settings => {
    const { asked, failed, made, secret } = await callsWith(settings)
    expect(failed).toEqual([false, false, false, false, false, false])
    expect(asked).toHaveLength(6)
    expect([made, secret]).toEqual([true, 'fifty-two\n'])
  },
)
