/** The answers of a question on screens of many sizes: none may be out of sight. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOfLive } from '../../../components/regions.ts'
import { keyOf } from '../../../components/question/answers.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import type { QuestionAnswer, QuestionView } from '../../../src/state/question.ts'
import { textsOf } from '../../helpers/lines.ts'
import { commands, theme, withDraft } from '../stage.ts'
import { callContent, question } from './sample.ts'

const shown = (view: QuestionView, columns: number, rows: number, draft = ''): string[] => {
  const { live } = createScreen(theme, () => commands).draw(withDraft(draft, { question: view }), { columns, rows })
  return textsOf(linesOfLive(live)).map(line => line.trimEnd())
}

/** The answers that are on no row, neither in full nor in a word after their key or number. */
function missing(view: QuestionView, lines: readonly string[]): string[] {
  const isThere = ({ label, short = label, move }: QuestionAnswer, index: number): boolean => {
    const key = keyOf(move, defaultKeymap.names)
    const forms = [`${index + 1} ${label}`, `${index + 1} ${short}`, `${key} ${short}`]
    return lines.some(line => forms.some(form => line.includes(form)))
  }
  return view.answers.filter((answer, index) => !isThere(answer, index)).map(({ label }) => label)
}

const group = (label: string, short: string, scopes: readonly string[], warning?: string): QuestionAnswer[] =>
  scopes.map(scope => {
    const words = { now: 'for this session', here: 'in this folder', all: 'everywhere' }[scope] ?? ''
    return {
      label: words,
      short: scope,
      detail: 'stores a rule',
      move: null,
      group: { label, short },
      ...(warning !== undefined && { warning }),
    }
  })

const warning = 'it matches anything: every command runs without asking'
const wider = question({
  title: 'Allow what, and for how long?',
  answers: [
    ...group('Exactly this command', 'this command', ['here', 'all']),
    ...group('Commands that begin with npm test', 'npm test …', ['now', 'here', 'all']),
    ...group('All calls of bash', 'all bash', ['now', 'here', 'all'], warning),
  ],
})

const long = Array.from({ length: 30 }, (_, index) => `echo ${index + 1}`).join('\n')
const toAll = (move: 'yes_all' | 'no_all', short: string): QuestionAnswer => ({
  label: `${short} of these`,
  short,
  detail: '',
  move,
  isMinor: true,
})
const severalAnswers = question().answers.toSpliced(-1, 0, toAll('yes_all', 'yes all'), toAll('no_all', 'no all'))
const several = callContent({ command: long }, { dangers: ['deletes folders (rm -r)'], others: ['edit src/a.ts'] })

const sizes = [
  [120, 40],
  [80, 24],
  [80, 12],
  [40, 20],
  [40, 12],
  [20, 24],
  [20, 8],
] as const

describe.each(sizes)('In %i columns and %i rows every answer is on the screen', (columns, rows) => {
  test.each<[what: string, view: QuestionView, draft: string]>([
    ['of a short question', question(), ''],
    ['of a long one', question({ content: callContent({ command: long }) }), ''],
    ['of one of several', question({ content: several, answers: severalAnswers }), ''],
    ['that is wider or lasts longer', wider, ''],
    ['of a long one, below which a text is typed', question({ content: callContent({ command: long }) }), 'and then'],
    ['of one of several, below which a text is typed', question({ content: several, answers: severalAnswers }), 'so'],
  ])('%s', (_, view, draft) => {
    const lines = shown(view, columns, rows, draft)
    expect(missing(view, lines)).toEqual([])
    expect(lines.some(line => line.includes('Enter sends'))).toBe(draft !== '')
  })

  test('with something of the call above them, whatever is chosen', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(40), fc.constantFrom('npm test', long), (selected, scroll, command) => {
        const content = callContent({ command }, { dangers: ['deletes folders (rm -r)'] })
        const view = question({ content, answers: severalAnswers, selected, scroll })
        const lines = shown(view, columns, rows)
        expect(missing(view, lines)).toEqual([])
        expect(lines.some(line => /npm test|echo \d|\+\d+ lines/.test(line))).toBe(true)
        expect(lines.some(line => line.includes('! deletes'))).toBe(true)
      }),
    )
  })
})

test('The smallest screen has all wider answers by their numbers, below what they are about', () => {
  expect(shown(wider, 20, 8)).toEqual([
    '? Allow what, and …',
    ' this command',
    '›1 here 2 all',
    ' npm test …',
    ' 3 now 4 here 5 all',
    ' all bash !',
    ' 6 now 7 here 8 all',
  ])
})

test.each(sizes)('The warning of a chosen answer is whole in %i columns and %i rows', (columns, rows) => {
  const lines = shown({ ...wider, selected: 6 }, columns, rows)
  expect(lines.map(line => line.trim()).join(' ')).toContain(`! ${warning}`)
})

test('Answers that do not fit at all are counted', () => {
  const answers = Array.from({ length: 30 }, (_, index) => ({
    label: `option number ${index}`,
    detail: '',
    move: null,
  }))
  const content = { kind: 'form', message: 'Which one?', label: '', about: '' } as const
  const lines = shown(question({ answers, content }), 20, 8)
  expect(lines.find(line => line.includes('more'))).toMatch(/^ {2}\+\d+ more/)
  expect(lines).toContain('    Which one?')
})

describe('What Enter does is said while a text is typed', () => {
  test.each<[draft: string, words: string]>([
    ['and the lexer', 'Enter sends your text, no answer'],
    ['/diff', 'Enter runs /diff, no answer'],
    ['/nope', 'Enter sends nothing: there is no /nope, no answer'],
    ['!ls', 'Enter runs your command, no answer'],
  ])('%s', (draft, words) => {
    const last = shown(question(), 120, 24, draft).at(-1)
    expect(last).toBe(`  ${words}   Ctrl+S sets it aside   Esc no, and stop`)
  })
})
