/** What a move is doing, in the place of a question: Esc stops it. */
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { openPicker } from '../../state/pickers/picker.ts'
import { formatPercent } from '../../text/format.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'

export type MoveProgress = {
  /** Says what is done now. Not sanitised. */
  say: (words: string) => void
  /** The share of that which is done, from 0 to 1. */
  share: (done: number) => void
  /** The signal of the present moment: after a stop `again` makes another one, so that what was done can be undone. */
  signal: () => AbortSignal
  again: () => void
  /** Asks, and goes on with what is done when it is answered. The first answer is the default one. */
  ask: (title: string, no: string, yes: { label: string; detail: string }) => Promise<boolean>
  end: () => void
}

export function createMoveProgress({ state }: Pick<AppContext, 'state'>, choicePrompt: ChoicePrompt): MoveProgress {
  let stopping = new AbortController()
  let words = ''
  let shown = ''
  let isOver = false
  let isAsking = false

  return {
    say(next) {
      words = oneLine(sanitize(next))
      show(words)
    },
    share: done => show(`${words} ${formatPercent(Math.floor(done * 20) / 20)}`),
    signal: () => stopping.signal,
    again: () => (stopping = new AbortController()),
    async ask(title, no, { label, detail }) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      isAsking = true
      const away = (): void => resolve(false)
      choicePrompt.ask({
        title: oneLine(sanitize(title)),
        answers: [
          { label: no, detail: 'nothing is changed', run: away },
          { label, detail: oneLine(sanitize(detail)), run: () => resolve(true) },
        ],
        otherwise: away,
      })
      const answer = await promise
      isAsking = false
      shown = ''
      return answer
    },
    end() {
      isOver = true
      choicePrompt.review()
    },
  }

  function show(title: string): void {
    if (title === shown) return
    shown = title
    draw()
  }

  function draw(): void {
    if (isOver || isAsking || stopping.signal.aborted) return
    const open = openPicker(state().picker, 'choice')
    choicePrompt.ask({
      title: shown,
      answers: [
        { label: 'Wait', detail: 'it goes on by itself', run: draw },
        { label: 'Stop', detail: 'and undo what was done', run: () => stopping.abort() },
      ],
      selected: open?.title.startsWith(words) ? open.selected : 0,
      stillApplies: () => !isOver,
      otherwise: () => stopping.abort(),
    })
  }
}
