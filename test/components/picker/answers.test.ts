/** The answers to a question, with what is told of each in columns. */
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { answerList } from '../../../components/picker/answers.ts'
import { listLines } from '../../../components/picker/list.ts'
import { listTitle } from '../../../components/picker/panel.ts'
import { textsOf } from '../../helpers/lines.ts'
import { frameOf, stateWith, theme } from '../stage.ts'

const long = 'What it does, in a sentence that is longer than most terminals are wide, which is told below the list.'
const choices = [
  { label: 'trust', detail: 'zot = ./zot, and whatever else the project wants' },
  { label: 'ascii', facts: ['false', 'default'], detail: 'Plain signs.' },
  { label: 'notifyAfterSeconds', facts: ['10', 'ZOTUI_NOTIFY_AFTER_SECONDS'], detail: 'How long.' },
  { label: 'model', facts: ['a-model-with-a-very-long-name', 'yours'], detail: long, whole: long },
]

const asked = {
  kind: 'choice' as const,
  title: 'q',
  filter: '',
  selected: 0,
  choices,
  dismissOnType: false,
  typed: null,
  isSecret: false,
}

function drawn(columns: number, choice = choices): string[] {
  const list = answerList({ ...asked, choices: choice }, defaultKeymap.names, theme)
  const lines = listLines(list, { theme, columns }, 12).map(line => line.text.trimEnd())
  return lines.slice(0, -1)
}

test.each([40, 80, 120])('in %i columns the facts stand below each other', columns => {
  expect(drawn(columns)).toMatchSnapshot()
  for (const line of drawn(columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
})

test('short facts have room in 40 columns', () => {
  expect(
    drawn(40, choices.slice(0, 2).concat({ label: 'notifyAfterSeconds', facts: ['10', 'default'], detail: '' })),
  ).toEqual([
    '  › trust                zot = ./zot,…',
    '    ascii                false   default',
    '    notifyAfterSeconds   10      default',
    '',
    '      zot = ./zot, and whatever else',
    '      the project wants',
  ])
})

test('where there is no room for a word of the details, there is none for their ellipsis', () => {
  const answers = [
    { label: 'another model', detail: 'then /retry' },
    { label: 'retry', detail: 'send the prompt again' },
  ]
  expect(drawn(20, answers).slice(0, 2)).toEqual(['  › another model', '    retry'])
  expect(drawn(40, answers).slice(0, 2)).toEqual([
    '  › another model   then /retry',
    '    retry           send the prompt…',
  ])
})

function title(dismissOnType: boolean): string {
  const picker = { ...asked, title: 'what now?', dismissOnType }
  const shown = listTitle.draw(frameOf(stateWith({ picker })), 5, 5)
  return textsOf(shown?.pieces[0]?.rows ?? [])[0]?.trimEnd() ?? ''
}

test('a list that nobody opened begins as a question does, and any other with the mark of the user', () => {
  expect(title(true)).toBe('? what now?')
  expect(title(false)).toBe('> what now?')
})

test('in 80 columns where a value was set goes before the words about it', () => {
  expect(drawn(80, choices.slice(1)).some(line => line.includes('yours'))).toBe(false)
  expect(drawn(120, choices.slice(1)).some(line => line.includes('yours'))).toBe(true)
})
