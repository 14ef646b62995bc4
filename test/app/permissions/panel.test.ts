import { describe, expect, test } from 'vitest'
import {
  createQuestionPanel,
  QUIET,
  type AskedQuestion,
  type QuestionPanel,
} from '../../../src/app/permissions/panel.ts'
import { reduceApp } from '../../../src/state/reduce.ts'
import type { AppState } from '../../../src/state/state.ts'
import { callContent } from '../../components/question/sample.ts'
import { stateWith } from '../../components/stage.ts'

/** A panel on a clock that the test moves. */
function stage(): {
  panel: QuestionPanel
  state: () => AppState
  pass: (ms: number) => void
  given: string[]
  ask: AskedQuestion
  /** Opens a page over it, or closes it. */
  cover: (page: AppState['page']) => void
} {
  let state = stateWith()
  let now = 0
  let due: { at: number; run: () => void } | null = null
  const given: string[] = []
  const panel = createQuestionPanel(
    {
      state: () => state,
      dispatch(event) {
        state = reduceApp(state, event)
      },
      composerWidth: () => 78,
    },
    {
      room: () => ({ rows: 30, visible: 10 }),
      after(ms, run) {
        const timer = { at: now + ms, run }
        due = timer
        return () => {
          if (due === timer) due = null
        }
      },
    },
  )
  const pass = (ms: number): void => {
    now += ms
    const timer = due
    if (!timer || timer.at > now) return
    due = null
    timer.run()
  }
  const answer = (label: string, move: 'yes' | 'no') => ({ label, detail: '', move, run: () => void given.push(label) })
  const ask: AskedQuestion = {
    id: 'a',
    step: 'answer',
    title: 'Run this command?',
    content: callContent(),
    answers: [answer('Yes', 'yes'), answer('No', 'no')],
    leave: () => void given.push('left'),
  }
  const cover = (page: AppState['page']): void => {
    state = { ...state, page }
  }
  return { panel, state: () => state, pass, given, ask, cover }
}

const isArmed = (state: AppState): boolean | undefined => state.question?.isArmed

describe('A question takes keys', () => {
  test('only after a pause', () => {
    const { panel, state, pass, ask } = stage()
    panel.show(ask)
    expect(isArmed(state())).toBe(false)
    pass(QUIET - 1)
    expect(isArmed(state())).toBe(false)
    panel.onKey()
    pass(QUIET - 1)
    expect(isArmed(state())).toBe(false)
    pass(1)
    expect(isArmed(state())).toBe(true)
    panel.onKey()
    expect(isArmed(state())).toBe(true)
  })

  test('no longer once a key was for the draft', () => {
    const { panel, state, pass, ask } = stage()
    panel.show(ask)
    pass(QUIET)
    panel.disarm()
    expect(isArmed(state())).toBe(false)
    pass(QUIET)
    expect(isArmed(state())).toBe(true)
  })

  test('without a pause in its steps and between questions that the user chooses, and the next one waits again', () => {
    const { panel, state, pass, ask } = stage()
    panel.show({ ...ask, round: 'one' })
    pass(QUIET)
    panel.show({ ...ask, round: 'one', step: 'grants' })
    expect(isArmed(state())).toBe(true)
    panel.show({ ...ask, round: 'one', id: 'b' })
    expect(isArmed(state())).toBe(true)
    panel.show({ ...ask, round: 'two', id: 'b' })
    expect(isArmed(state())).toBe(false)
  })

  test('no keys while a list covers it, and not at once when that is closed', () => {
    const { panel, state, pass, ask, cover } = stage()
    panel.show(ask)
    cover('viewer')
    pass(QUIET)
    panel.onKey()
    cover(null)
    pass(QUIET - 1)
    expect(isArmed(state())).toBe(false)
    pass(1)
    expect(isArmed(state())).toBe(true)
  })
})

describe('An answer', () => {
  test('is given by its key, its number, and Enter on its row', () => {
    const { panel, pass, given, ask } = stage()
    panel.show(ask)
    pass(QUIET)
    panel.perform('no')
    panel.choose(1)
    panel.perform('down')
    panel.perform('take')
    panel.perform('leave')
    expect(given).toEqual(['No', 'Yes', 'No', 'left'])
    expect(panel.choose(3)).toBe(false)
    expect(panel.offers('again')).toBe(false)
  })

  test('that is typed is edited here, and not in the draft', () => {
    const { panel, state, pass, given, ask } = stage()
    expect(panel.edit({ kind: 'insert', text: 'x' })).toBe(false)
    panel.show({ ...ask, answers: [], typed: { label: 'Say:', text: 'a', run: text => void given.push(text) } })
    pass(QUIET)
    expect(panel.edit({ kind: 'insert', text: 'b' })).toBe(true)
    panel.perform('take')
    expect(given).toEqual(['ab'])
    expect(state().editor.text).toBe('')
  })
})

test('Scrolling stops at both ends', () => {
  const { panel, state, ask } = stage()
  panel.show(ask)
  for (let times = 0; times < 5; times += 1) panel.perform('page_down')
  expect(state().question?.scroll).toBe(20)
  panel.perform('page_up')
  expect(state().question?.scroll).toBe(11)
  for (let times = 0; times < 5; times += 1) panel.perform('page_up')
  expect(state().question?.scroll).toBe(0)
})
