/**
 * The question in the place of the composer. It takes keys only after a pause in typing: earlier keys belong to the
 * draft, so that no question is answered by accident.
 */
import { timers, type Timers } from '../../platform/timers.ts'
import { edit, createEditor, type EditCommand } from '../../composer/editor.ts'
import type { QuestionAnswer, QuestionContent, QuestionMove, QuestionView } from '../../state/question.ts'
import { takesKeys, visibleQuestion } from '../../state/state.ts'
import type { AppContext } from '../context/context.ts'

/** Milliseconds without a key before a question takes them. */
export const QUIET = 400

export type After = Timers['after']

export type AskedQuestion = {
  /** Identifies the question; all its steps have the same. */
  id: string
  /** Shared by questions between which the user moves: these take keys without a pause. The id by default. */
  round?: string
  /** Identifies the step of a question that has several. */
  step: string
  title: string
  content: QuestionContent
  answers: readonly (QuestionAnswer & { run: () => void })[]
  /** The answer that is chosen first; 0 by default. */
  selected?: number
  /** A text field instead of the answers. */
  typed?: { label: string; text: string; run: (text: string) => void }
  /** The effect of Esc. */
  leave: () => void
  /** The effects of keys that are no answers. */
  moves?: Partial<Record<QuestionMove, () => void>>
}

export type QuestionPanel = {
  /** Asks a question, or closes it. While its step stays the same, the selection does. */
  show: (asked: AskedQuestion | null) => void
  perform: (how: QuestionMove) => void
  /** Gives the answer with this number, or selects it if it has a warning; false if there is none. */
  choose: (number: number) => boolean
  /** True if this move has an effect now. */
  offers: (how: QuestionMove) => boolean
  /** Edits the typed answer; false if none is typed. */
  edit: (command: EditCommand) => boolean
  /** Called for every key: a key restarts the pause that the question waits for. */
  onKey: () => void
  /** Called when a key was meant for the draft: the question takes none for a while. */
  disarm: () => void
}

/** `room` is the number of rows of the content, and how many of them are visible. */
export function createQuestionPanel(
  { state, dispatch, composerWidth }: Pick<AppContext, 'state' | 'dispatch' | 'composerWidth'>,
  { after = timers.after, room }: { after?: After; room: () => { rows: number; visible: number } },
): QuestionPanel {
  let open: AskedQuestion | null = null
  let cancel: (() => void) | null = null

  return { show, perform, choose, offers, edit: editTyped, onKey, disarm }

  function show(asked: AskedQuestion | null): void {
    const before = open
    open = asked
    if (!asked) {
      cancel?.()
      if (state().question) dispatch({ type: 'question_changed', question: null })
      return
    }
    const view = state().question
    const isSame = view !== null && before?.id === asked.id
    const isSameStep = isSame && before.step === asked.step
    const isSameRound = view !== null && before !== null && (before.round ?? before.id) === (asked.round ?? asked.id)
    const { id, title, content, typed } = asked
    const answers = asked.answers.map(({ run: _run, ...answer }) => answer)
    change({
      id,
      title,
      content,
      answers,
      selected: isSameStep ? Math.min(view.selected, Math.max(0, answers.length - 1)) : (asked.selected ?? 0),
      scroll: isSame ? view.scroll : 0,
      isArmed: isSameRound && view.isArmed,
      typed: !typed
        ? null
        : { label: typed.label, editor: (isSameStep ? view.typed?.editor : undefined) ?? createEditor(typed.text) },
    })
    if (!isSameRound) waitForQuiet()
  }

  function change(question: QuestionView): void {
    dispatch({ type: 'question_changed', question })
  }

  function waitForQuiet(): void {
    cancel?.()
    cancel = after(QUIET, () => {
      const view = state().question
      // A list or a view that covers it takes the keys: the pause begins when that closes.
      if (view && !visibleQuestion(state())) waitForQuiet()
      else if (view && !view.isArmed) change({ ...view, isArmed: true })
    })
  }

  function onKey(): void {
    const view = state().question
    if (!view) return
    // The key may be the Enter that sends a draft: the next one must not be an answer at once.
    if (visibleQuestion(state()) && takesKeys(state())) return
    disarm()
  }

  function disarm(): void {
    const view = state().question
    if (!view) return
    if (view.isArmed) change({ ...view, isArmed: false })
    waitForQuiet()
  }

  function perform(how: QuestionMove): void {
    const view = state().question
    if (!view || !open) return
    if (how === 'up' || how === 'down') return move(view, how === 'up' ? -1 : 1)
    if (how === 'page_up' || how === 'page_down') return scroll(view, how === 'page_up' ? -1 : 1)
    if (how === 'leave') return open.leave()
    if (how !== 'take') return (open.answers.find(answer => answer.move === how)?.run ?? open.moves?.[how])?.()
    if (view.typed) open.typed?.run(view.typed.editor.text)
    else open.answers[view.selected]?.run()
  }

  function move(view: QuestionView, by: 1 | -1): void {
    const count = view.answers.length
    if (count > 0) change({ ...view, selected: (view.selected + by + count) % count })
  }

  function scroll(view: QuestionView, by: 1 | -1): void {
    const { rows, visible } = room()
    const last = Math.max(0, rows - visible)
    const page = Math.max(1, visible - 1)
    change({ ...view, scroll: Math.max(0, Math.min(last, Math.min(last, view.scroll) + by * page)) })
  }

  function choose(number: number): boolean {
    const view = state().question
    const answer = open?.answers[number - 1]
    if (!view || !answer) return false
    // A warning is read before its answer counts.
    if (answer.warning && view.selected !== number - 1) change({ ...view, selected: number - 1 })
    else answer.run()
    return true
  }

  function offers(how: QuestionMove): boolean {
    if (!open) return false
    if (open.answers.some(({ move }) => move === how) || open.moves?.[how] !== undefined) return true
    return ['up', 'down', 'take', 'leave', 'page_up', 'page_down'].includes(how)
  }

  function editTyped(command: EditCommand): boolean {
    const view = state().question
    if (!view?.typed || !takesKeys(state()) || !visibleQuestion(state())) return false
    const { label, editor } = view.typed
    change({ ...view, typed: { label, editor: edit(editor, command, composerWidth()) } })
    return true
  }
}
