/** The row that Enter takes if only the beginning of a command was typed. */
import { describe, expect, test } from 'vitest'
import { popupRows, type PopupRow } from '../../../src/state/completion/popup.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { type SlashCommand } from '../../../src/state/slash.ts'
import { initialState } from '../../../src/state/state.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import type { PromptCommand } from '../../../src/config/prompts/command.ts'

const state = initialState({ version: '1.2.3', folder: '~', branch: null, demo: false }, 0)

function first(typed: string, commands: readonly SlashCommand[] = slashCommands): PopupRow | undefined {
  return popupRows({ ...state, editor: createEditor(`/${typed}`) }, commands)[0]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const beginnings = [...letters, ...letters.flatMap(one => letters.map(two => one + two))]

describe('the first row', () => {
  test.each([
    ['c', '/clear'],
    ['co', '/compact'],
    ['cop', '/copy'],
    ['cos', '/usage'],
    ['d', '/diff'],
    ['do', '/doctor'],
    ['e', '/export'],
    ['ed', '/editor'],
    ['ex', '/export'],
    ['exi', '/exit'],
    ['l', '/login'],
    ['m', '/model'],
    ['n', '/now'],
    ['ne', '/clear'],
    ['q', '/exit'],
    ['r', '/resume'],
    ['re', '/resume'],
    ['rea', '/reasoning'],
    ['ret', '/retry'],
    ['s', '/settings'],
    ['se', '/settings'],
    ['st', '/study'],
    ['sta', '/usage'],
    ['t', '/theme'],
    ['th', '/theme'],
    // Another name, as it was typed, goes before a name that only begins so.
    ['edit', '/editor'],
    ['new', '/clear'],
  ])('after typing /%s is %s', (typed, brief) => {
    expect(first(typed)?.brief).toBe(brief)
  })

  test('is the first command of the table whose own name begins with the text', () => {
    const wanted = beginnings.flatMap(typed => {
      const meant = slashCommands.find(({ name }) => name.startsWith(typed))
      return meant ? [`${typed} ${meant.name}`] : []
    })
    const got = beginnings.flatMap(typed => {
      const name = first(typed)?.brief.slice(1) ?? ''
      return name.startsWith(typed) ? [`${typed} ${name}`] : []
    })
    expect(got).toEqual(wanted)
  })
})

test('Enter runs a command that begins with the text, and only completes one that resembles it', () => {
  const sent = beginnings.filter(typed => first(typed)?.sends)
  const begun = beginnings.filter(typed =>
    slashCommands.some(({ name, aliases }) => [name, ...aliases].some(each => each.startsWith(typed))),
  )
  // A prompt costs.
  expect(sent).toEqual(begun.filter(typed => typed !== 'st'))
  expect(first('study')?.sends).toBe(true)
  expect(first('xit')).toMatchObject({ brief: '/exit', sends: false })
})

const file = (name: string): PromptCommand => ({
  kind: 'prompt',
  name,
  aliases: [],
  argument: null,
  help: '',
  from: 'project',
  problem: null,
  prompt: () => Promise.resolve({ ok: true, text: '' }),
})

test('custom commands come after the built-in ones, unless their whole name was typed', () => {
  const all = [...slashCommands, file('commit'), file('fix2'), file('fix'), file('co')]
  expect(first('com', all)?.brief).toBe('/compact')
  expect(first('comm', all)?.brief).toBe('/commit')
  expect(first('co', all)?.brief).toBe('/co')
  expect(first('fi', all)?.brief).toBe('/find')
  expect(first('fix2', all)?.brief).toBe('/fix2')
  expect(first('fix', all)?.brief).toBe('/fix')
})

test('the models of another provider say that no key for it is known', () => {
  const other = { provider: 'openai', id: 'gpt', contextWindow: 200_000, maxOutput: null, reasoning: false }
  const models = [
    { ...other, hasKey: false },
    { ...other, id: 'gpt-2' },
  ]
  const rows = popupRows({ ...state, models, editor: createEditor('/model gpt') }, slashCommands)
  expect(rows.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
    'openai/gpt: no key  200k',
    'openai/gpt-2: 200k',
  ])
})
