import { array, assert, constantFrom, property } from 'fast-check'
import { execaSync } from 'execa'
import { describe, expect, test } from 'vitest'
import { commitLine } from '../../../src/app/context/commit-message.ts'

/** The standard input that git would get for each of the lines, from one shell. */
function given(lines: readonly string[]): string[] {
  const commands = lines.map(line => `${line.replace(/^!git commit -F -/, 'cat')}\nprintf '\\0'\n`)
  return execaSync('/bin/sh', ['-c', commands.join('')], { stripFinalNewline: false }).stdout.split('\0')
}

describe('the line that commits', () => {
  test('shows the message as it is, between two marks', () => {
    expect(commitLine('Subject\n\nBody')).toBe("!git commit -F - <<'END'\nSubject\n\nBody\nEND")
  })

  test('takes another mark where a line begins like it', () => {
    expect(commitLine('Each')).toBe("!git commit -F - <<'_END'\nEach\n_END")
    expect(commitLine('END\n_END\n=END')).toBe("!git commit -F - <<'END_'\nEND\n_END\n=END\nEND_")
  })

  test('gives a shell exactly the message, and runs nothing of it', () => {
    const words = ['END', '_END', '$(touch x)', '`id`', "'", '"', '\\', '${HOME}', '#', ' ', 'é']
    const line = array(constantFrom(...words), { maxLength: 4 }).map(parts => parts.join(''))
    const message = array(line, { minLength: 1, maxLength: 5 }).map(lines => lines.join('\n'))
    assert(
      property(array(message, { minLength: 10, maxLength: 10 }), messages => {
        expect(given(messages.map(commitLine))).toEqual([...messages.map(text => `${text}\n`), ''])
      }),
      { numRuns: 6 },
    )
  })
})
