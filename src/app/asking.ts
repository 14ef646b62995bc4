/** Questions that zotui asks with a list of answers below the composer. One is open at a time. */
import type { Context } from './context.ts'
import { choiceRows } from './overlay.ts'
import type { Choice } from './state.ts'

export type Answer = Choice & { run: () => void }

export type Question = {
  /** In a few words: it stands before the filter. */
  title: string
  answers: readonly Answer[]
  /** The row that is chosen at first; the first where left out. */
  selected?: number
  /** For one that nobody asked for: whoever just types on, closes it. */
  yields?: boolean
  /** Called where it is closed without an answer. */
  otherwise?: () => void
}

export type Asking = {
  ask: (question: Question) => void
  /** Carries out the chosen answer. */
  take: () => void
  /** Called when the list is closed without one. */
  dropped: () => void
}

export function createAsking({ state, dispatch }: Pick<Context, 'state' | 'dispatch'>): Asking {
  let open: Question | null = null

  return {
    ask(question) {
      const { title, answers, selected = 0, yields = false } = question
      open = question
      const choices = answers.map(({ label, detail }) => ({ label, detail }))
      dispatch({ type: 'picker_changed', picker: { kind: 'choice', title, filter: '', selected, choices, yields } })
    },
    take() {
      const { picker } = state()
      if (picker?.kind !== 'choice') return
      const row = choiceRows(picker)[picker.selected]
      const answer = row && open?.answers[row.index]
      if (!answer) return
      open = null
      dispatch({ type: 'picker_changed', picker: null })
      answer.run()
    },
    dropped() {
      const question = open
      open = null
      question?.otherwise?.()
    },
  }
}
