/** Questions that zotui asks with a list of answers below the composer. One is open at a time. */
import type { ScreenState } from './parts.ts'
import { openPicker, type Choice } from '../../state/pickers/picker.ts'

export type ChoiceAnswer = Choice & { run: () => void }

export type Question = {
  /** A few words, shown before the filter. */
  title: string
  answers: readonly ChoiceAnswer[]
  /** The row that is selected first; 0 by default. */
  selected?: number
  /** The initial filter. */
  filter?: string
  /** For a question that the user did not ask for: typing closes it, and it waits while another list is open. */
  dismissOnType?: boolean
  /** False once the question has become pointless: it is not shown then, and `review` closes it. */
  stillApplies?: () => boolean
  /** For a question that is answered by typing: the effect of Enter, and its label. */
  typed?: { detail: string; run: (text: string) => void }
  /** True if what is typed is a secret, which is neither shown nor read out. */
  isSecret?: boolean
  /** Called when it is closed without an answer. */
  otherwise?: () => void
}

export type ChoicePrompt = {
  ask: (question: Question) => void
  /** Runs the answer with this index; null for what was typed. */
  take: (index: number | null, typed: string) => void
  /** Called when the list is closed without an answer. */
  dropped: () => void
  /** Called when another list has closed: shows a question that waited for that. */
  askNext: () => void
  /** Closes the open question if it no longer applies. */
  review: () => void
}

export function createChoicePrompt({ state, dispatch }: ScreenState): ChoicePrompt {
  let open: Question | null = null
  const waiting: Question[] = []

  return {
    ask(question) {
      if (question.dismissOnType && state().picker) waiting.push(question)
      else show(question)
    },
    take(index, text) {
      const run = index === null ? () => open?.typed?.run(text) : open?.answers[index]?.run
      if (!run) return
      dispatch({ type: 'picker_changed', picker: null })
      run()
      askNext()
    },
    dropped() {
      const question = open
      open = null
      question?.otherwise?.()
      askNext()
    },
    askNext,
    review() {
      if (!openPicker(state().picker, 'choice') || open === null || applies(open)) return
      open = null
      dispatch({ type: 'picker_changed', picker: null })
      askNext()
    },
  }

  function show(question: Question): void {
    const { title, answers, selected = 0, dismissOnType = false, typed, isSecret = false, filter = '' } = question
    open = question
    const choices = answers.map(({ run: _run, ...choice }) => choice)
    const picker = {
      kind: 'choice',
      title,
      filter,
      selected,
      choices,
      dismissOnType,
      typed: typed?.detail ?? null,
      isSecret,
    } as const
    dispatch({ type: 'picker_changed', picker })
  }

  function askNext(): void {
    if (state().picker) return
    const next = waiting.shift()
    if (!next) return
    if (applies(next)) show(next)
    else askNext()
  }
}

function applies({ stillApplies }: Question): boolean {
  return stillApplies?.() ?? true
}
