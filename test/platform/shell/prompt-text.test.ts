import { expect, test } from 'vitest'
import { formatForPrompt } from '../../../src/platform/shell/prompt-text.ts'
import type { ShellResult } from '../../../src/platform/shell/run.ts'

const fine: ShellResult = {
  exitCode: 0,
  signal: null,
  output: '',
  omittedBytes: 0,
  durationMs: 1234,
  stopped: false,
  problem: null,
}

test('the prompt has the command, its end and its output', () => {
  expect(formatForPrompt('npm test', { ...fine, exitCode: 1, output: '1 failed\n' })).toBe(
    'I ran this command myself; it exited with code 1 after 1.2s:\n\n```console\n$ npm test\n1 failed\n```\n',
  )
})

test.each<[string, Partial<ShellResult>, string]>([
  ['stopped by the user', { exitCode: null, signal: 'SIGTERM', stopped: true }, 'I stopped it after 1.2s'],
  ['ended by a signal', { exitCode: null, signal: 'SIGSEGV' }, 'it was ended by SIGSEGV after 1.2s'],
  ['not started', { exitCode: null, problem: 'the folder /x is not there' }, 'it could not be started: the folder /x'],
])('the prompt says that a command was %s', (_, result, words) => {
  expect(formatForPrompt('x', { ...fine, ...result })).toContain(words)
})

test('the prompt says that there was no output', () => {
  expect(formatForPrompt('true', fine)).toContain('```console\n$ true\n(no output)\n```')
})

test('no output closes the fence in the prompt', () => {
  const text = formatForPrompt('cat README.md', { ...fine, output: 'see\n```\ncode\n`````\n' })
  expect(text).toContain('\n``````console\n')
  expect(text.endsWith('\n``````\n')).toBe(true)
})

test('colours and progress bars are reduced to their final text', () => {
  const output = '\u001B[32mok\u001B[0m\n 10%\r 50%\r100%\n'
  expect(formatForPrompt('build', { ...fine, output })).toContain('$ build\nok\n100%\n```')
})

test('a command of several lines stays readable in the prompt', () => {
  expect(formatForPrompt('for i in 1 2\ndo echo $i\ndone', fine)).toContain('$ for i in 1 2\n> do echo $i\n> done\n')
})
