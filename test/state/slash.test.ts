import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ability } from '../../src/agent/abilities.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { nearestCommand, offeredCommands, parseSlash } from '../../src/state/slash.ts'

const parse = (line: string): string => {
  const parsed = parseSlash(line, slashCommands)
  if (parsed === null) return 'text'
  if (parsed.kind === 'unknown') {
    const similar = nearestCommand(parsed, slashCommands)
    return `unknown ${parsed.word}${similar === null ? '' : `, ${similar}?`}`
  }
  return `${parsed.command.name}${parsed.argument === '' ? '' : ` "${parsed.argument}"`}`
}

describe('a line that begins with a slash', () => {
  test.each([
    ['/help', 'help'],
    ['/?', 'help'],
    ['/hotkeys', 'help'],
    ['/HELP', 'help'],
    ['/new', 'clear'],
    ['/summarize', 'compact'],
    ['/model', 'model'],
    ['/model claude-opus-4', 'model "claude-opus-4"'],
    ['/model   spaced  out  ', 'model "spaced  out"'],
    ['/effort\thigh', 'reasoning "high"'],
    ['/cost', 'usage'],
    ['/q', 'exit'],
    ['/retry', 'retry'],
    ['/restart ', 'restart'],
  ])('%s is %s', (line, parsed) => {
    expect(parse(line)).toBe(parsed)
  })

  test.each([
    '/etc/hosts',
    '/etc/hosts is wrong',
    '/clear\nand more',
    '/model a\nb',
    '//',
    '/-',
    '/1',
    '/a.b',
    ' /help',
    'help',
    '',
  ])('%j is text', line => {
    expect(parse(line)).toBe('text')
  })

  test.each([
    ['/hlep', 'unknown /hlep, /help?'],
    ['/comapct', 'unknown /comapct, /compact?'],
    ['/quti', 'unknown /quti, /exit?'],
    ['/mdoel x', 'unknown /mdoel, /model?'],
    ['/', 'unknown /'],
    ['/somethingquiteelse', 'unknown /somethingquiteelse'],
    ['/skill:review', 'unknown /skill:review'],
  ])('%s is %s', (line, parsed) => {
    expect(parse(line)).toBe(parsed)
  })

  test('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(() => parseSlash(`/${text}`, slashCommands)).not.toThrow()
      }),
    )
  })
})

const ofAgent = new Set(['clear', 'compact', 'model', 'reasoning'])
const namesFor = (...abilities: readonly Ability[]): string[] =>
  offeredCommands(slashCommands, new Set(abilities)).map(command => command.name)

describe('the table of commands', () => {
  test('has each name once', () => {
    const names = slashCommands.flatMap(command => [command.name, ...command.aliases])
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter(name => !/^[a-z?]+(-[a-z]+)*$/.test(name))).toEqual([])
  })

  test('offers only what the agent supports', () => {
    expect(namesFor().filter(name => ofAgent.has(name))).toEqual([])
    expect(namesFor()).toContain('exit')
    expect(namesFor('compact').filter(name => ofAgent.has(name))).toEqual(['compact'])
  })

  test('makes commands wait that would disturb a working agent', () => {
    const waiting = slashCommands.filter(command => command.needsIdle).map(command => command.name)
    expect(waiting).toEqual(expect.arrayContaining(['clear', 'compact', 'model', 'reasoning', 'retry']))
    expect(waiting).not.toContain('help')
  })
})
