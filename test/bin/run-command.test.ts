import { describe, expect, test } from 'vitest'
import type { CommandCall, ProgramCommand } from '../../bin/cli/command.ts'
import { findCommand, synopsis } from '../../bin/cli/commands.ts'
import { readWords } from '../../bin/cli/command-words.ts'
import { readCall } from '../../bin/cli/read-call.ts'
import { UserError } from '../../src/platform/errors.ts'

const command: ProgramCommand = {
  name: 'weigh',
  takes: ['WHAT', '[FILE]'],
  summary: 'Weighs something.',
  flags: {
    json: { type: 'boolean', text: 'as JSON' },
    unit: { type: 'string', value: 'NAME', shortFlag: 'u', text: 'in this unit' },
  },
}

test('a command is found by its exact name only', () => {
  expect(findCommand('show')?.name).toBe('show')
  for (const word of ['Show', 'sho', 'show it', '--show', '', undefined]) expect(findCommand(word)).toBeNull()
})

test('the synopsis lists arguments and flags', () => {
  expect(synopsis(command)).toBe('weigh WHAT [FILE] [--json] [--unit NAME]')
})

describe('reading a call', () => {
  test.each<[argv: string[], words: string[], json: boolean, unit: string | null]>([
    [['apples'], ['apples'], false, null],
    [['apples', 'book.txt'], ['apples', 'book.txt'], false, null],
    [['--json', 'apples'], ['apples'], true, null],
    [['apples', '--unit', 'kg'], ['apples'], false, 'kg'],
    [['apples', '--unit=kg', '--json'], ['apples'], true, 'kg'],
    [['-u', 'kg', 'apples'], ['apples'], false, 'kg'],
    [['-ukg', 'apples'], ['apples'], false, 'kg'],
    [['-u', '-', '007'], ['007'], false, '-'],
    [['apples', '--', '--json'], ['apples', '--json'], false, null],
  ])('%j', (argv, words, json, unit) => {
    const call = read(argv)
    expect(call?.words).toEqual(words)
    expect(call?.has('json')).toBe(json)
    expect(call?.value('unit')).toBe(unit)
  })

  test.each([[['--help']], [['-h']], [['apples', '--help']]])('%j asks for help only', argv => {
    expect(read(argv)).toBeNull()
  })

  test.each<[argv: string[], message: RegExp]>([
    [[], /needs WHAT/],
    [['apples', 'book.txt', 'more'], /takes no argument "more".*--prompt "weigh \.\.\."/],
    [['apples', '--gram'], /There is no flag --gram\./],
    [['apples', '--jsno'], /Did you mean --json\?/],
    [['apples', '--json=1'], /--json takes no value/],
    [['apples', '--unit'], /--unit needs a value/],
  ])('%j is rejected', (argv, message) => {
    const error = refusal(argv)
    expect(`${error.message} ${error.hint}`).toMatch(message)
    expect(error.hint).toContain('`zotui weigh --help`')
    expect(error.exitCode).toBe(2)
  })
})

/** As the program reads them: words alone without meow, everything else with it. */
function read(argv: readonly string[]): CommandCall | null {
  return readWords(command, argv) ?? readCall(command, argv)
}

test.each([[['apples']], [['apples', 'book.txt']]])('words alone are read as meow reads them: %j', argv => {
  expect(readWords(command, argv)?.words).toEqual(readCall(command, argv)?.words)
})

function refusal(argv: readonly string[]): UserError {
  try {
    read(argv)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error(`${argv.join(' ')} was taken`)
}
