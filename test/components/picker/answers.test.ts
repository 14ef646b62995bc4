/** The answers to a question, with what is told of each in columns. */
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { answerList } from '../../../components/picker/answers.ts'
import { listLines } from '../../../components/picker/list.ts'
import { theme } from '../stage.ts'

const long = 'What it does, in a sentence that is longer than most terminals are wide, which is told below the list.'
const choices = [
  { label: 'trust', detail: 'zot = ./zot, and whatever else the project wants' },
  { label: 'ascii', facts: ['false', 'default'], detail: 'Plain signs.' },
  { label: 'notifyAfterSeconds', facts: ['10', 'ZOTUI_NOTIFY_AFTER_SECONDS'], detail: 'How long.' },
  { label: 'model', facts: ['a-model-with-a-very-long-name', 'yours'], detail: long, whole: long },
]

function drawn(columns: number, choice = choices): string[] {
  const picker = {
    kind: 'choice',
    title: 'q',
    filter: '',
    selected: 0,
    choices: choice,
    dismissOnType: false,
    typed: null,
    isSecret: false,
  }
  const list = answerList({ ...picker, kind: 'choice' }, defaultKeymap.names, theme)
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
    '  › trust                zot = ./zot, a…',
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
    '    retry           send the prompt aga…',
  ])
})
