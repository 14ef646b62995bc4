/** With the sandbox on, an agent starts only if the sandbox holds what it runs. */
import { expect, test } from 'vitest'
import { refuseUnheld } from '../../bin/wiring/start/refuse-unheld.ts'
import type { AgentChoice } from '../../src/agents/index.ts'
import type { SettingsSource } from '../../src/config/layers.ts'
import { UserError } from '../../src/platform/errors.ts'

const flag: SettingsSource = { kind: 'flag', place: '--sandbox', folder: null }
const file: SettingsSource = { kind: 'user', place: 'config.json line 3', folder: null }
const zot = { agent: 'zot', path: '/bin/zot', options: {}, env: {}, version: undefined } as const
const withExtension = { ...zot, options: { ext: ['/ext'] } }
const remote = { agent: 'remote-zot' } as AgentChoice
const there = { agent: 'remote-acp', found: { agent: { name: 'claude' } } } as AgentChoice

test.each<[string, AgentChoice, boolean, SettingsSource, string, number]>([
  ['zot without its guard', zot, false, flag, '--sandbox cannot hold this agent: with --no-guard zot', 2],
  ['zot with an extension', withExtension, true, flag, '--sandbox cannot hold this agent: what extensions', 2],
  ['zot on another machine', remote, true, file, 'the setting sandbox (config.json line 3) cannot hold', 1],
  ['another agent there', there, true, flag, 'claude runs on another machine, where there is no sandbox', 2],
])('%s is refused', (_who, choice, guarded, setBy, words, exitCode) => {
  const refused = (): void => refuseUnheld(choice, { guarded, setBy })
  expect(refused).toThrow(UserError)
  expect(refused).toThrow(words)
  expect(refused).toThrow(expect.objectContaining({ exitCode, hint: expect.stringContaining('--sandbox off') }))
})

test('zot with its guard starts', () => {
  expect(() => refuseUnheld(zot, { guarded: true, setBy: flag })).not.toThrow()
})
