import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { readSpawnFlags } from '../../../../src/commands/program/spawn/spawn-flags.ts'

test.each([
  ['fix it', null, 'fix it'],
  ['--worktree fix it', 'worktree', 'fix it'],
  ['  --here\tfix  it', 'here', 'fix  it'],
  ['--here --worktree fix', 'worktree', 'fix'],
  ['--worktree', 'worktree', ''],
  ['--worktrees fix', null, '--worktrees fix'],
  ['--here -- --worktree is a flag', 'here', '--worktree is a flag'],
  ['-- --here', null, '--here'],
  ['explain --worktree', null, 'explain --worktree'],
  ['--toString fix', null, '--toString fix'],
  ['', null, ''],
] as const)('%j', (argument, place, prompt) => expect(readSpawnFlags(argument)).toMatchObject({ place, prompt }))

test('behind two dashes nothing of a prompt is lost', () => {
  assert(
    property(string(), text => {
      expect(readSpawnFlags(`--here -- ${text}`)).toMatchObject({ place: 'here', prompt: text.trimStart() })
    }),
  )
})

test.each([
  ['--background fix it', true, null, 'fix it'],
  ['--worktree --background fix it', true, 'worktree', 'fix it'],
  ['--background --here -- --background', true, 'here', '--background'],
  ['run it in the --background', false, null, 'run it in the --background'],
  ['-- --background', false, null, '--background'],
] as const)('in the background: %j', (argument, isBackground, place, prompt) =>
  expect(readSpawnFlags(argument)).toMatchObject({ isBackground, place, prompt }),
)
