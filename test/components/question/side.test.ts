import { describe, expect, test } from 'vitest'
import { sideQuestion, type SideAnswer } from '../../../src/app/side/side-panel.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { spokenQuestion } from '../../../components/question/spoken.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import type { QuestionView } from '../../../src/state/question.ts'
import { firstKeyNames } from '../../../src/state/state.ts'
import { textsOf } from '../../helpers/lines.ts'
import { commands, theme, withDraft } from '../stage.ts'

const nothing = (): void => undefined
const moves = { stop: nothing, hide: nothing, takeOver: nothing, type: nothing, askOn: nothing }

function side(changes: Partial<SideAnswer> = {}): QuestionView {
  const answer: SideAnswer = {
    question: 'why is the parser slow?',
    phase: 'done',
    answer: 'It reads **each file twice**:\n\n- once for names\n- once for types',
    problem: null,
    isTaken: false,
    facts: ['sonnet'],
    refused: 1,
    costUsd: 0.0123,
    ...changes,
  }
  const { id, title, content, answers, selected = 0 } = sideQuestion(answer, false, moves)
  return { id, title, content, answers, selected, scroll: 0, isArmed: true, typed: null }
}

const shown = (view: QuestionView, columns: number, rows: number): string[] => {
  const { live } = createScreen(theme, () => commands).draw(withDraft('', { question: view }), { columns, rows })
  return textsOf(linesOfLive(live)).map(line => line.trimEnd())
}

const labels = ({ answers }: QuestionView): string[] => answers.map(({ label }) => label)

describe('The panel of a side question', () => {
  test.each([
    [40, 20],
    [80, 24],
    [120, 40],
  ])('in %i columns and %i rows', (columns, rows) => {
    expect(shown(side(), columns, rows)).toMatchSnapshot()
  })

  test('leaves rows for the turn that goes on above it, however long the answer is', () => {
    const answer = Array.from({ length: 200 }, (_, index) => `${index}.`).join('\n\n')
    const lines = shown(side({ answer }), 80, 24)
    expect(lines.length).toBeLessThanOrEqual(18)
    expect(lines.join('\n')).toContain('PageDown shows them')
  })

  test('says the answer to a screen reader once, when it is there', () => {
    const begun = side({ phase: 'running', answer: '', facts: [] })
    const grown = side({ phase: 'running', answer: 'It', facts: [] })
    expect(spokenQuestion(null, begun, firstKeyNames).join('\n')).toContain('why is the parser slow?')
    expect(spokenQuestion(begun, grown, firstKeyNames)).toEqual([])
    expect(spokenQuestion(grown, side(), firstKeyNames).join('\n')).toMatch(/each file twice[^]*1\. Add it/)
  })

  test('offers no answer to be taken over twice, and none that is empty', () => {
    expect(labels(side({ isTaken: true }))).toEqual(['Ask a follow-up', 'Close'])
    expect(labels(side({ phase: 'failed', answer: '', problem: 'zot ended.' }))).toEqual(['Ask a follow-up', 'Close'])
  })
})
