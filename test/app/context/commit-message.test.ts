import { array, assert, constantFrom, property } from 'fast-check'
import { execaSync } from 'execa'
import { describe, expect, test } from 'vitest'
import { commitLine } from '../../../src/app/context/commit-message.ts'

/** The standard input that git would get. */
function given(line: string): string {
  const command = line.replace(/^!git commit -F -/, 'cat')
  return execaSync('/bin/sh', ['-c', command], { stripFinalNewline: false }).stdout
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
    assert(
      property(array(line, { minLength: 1, maxLength: 5 }), lines => {
        expect(given(commitLine(lines.join('\n')))).toBe(`${lines.join('\n')}\n`)
      }),
      { numRuns: 60 },
    )
  })
})
