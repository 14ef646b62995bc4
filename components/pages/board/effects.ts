/** What the board does beyond moving: it follows all conversations, and passes on what the person decides. */
import type { BoardPageRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { BoardAnswers } from './answers.ts'
import { finishField } from './field-work.ts'
import type { BoardReading } from './reading.ts'
import { createRowWork } from './row-work.ts'
import type { BoardState, BoardWork } from './state.ts'
import { inSight, type BoardWorkParts } from './work-parts.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 1000

export function boardEffects(
  page: OpenPage<BoardState, BoardReading>,
  { context }: PageParts,
  request: BoardPageRequest,
): PageEffects<BoardWork> {
  const { board } = request
  let ticking: NodeJS.Timeout | undefined
  let isOpen = true
  const parts: BoardWorkParts = { page, context, request, change, isOpen: () => isOpen }
  const answers = new BoardAnswers(parts)
  const unsubscribe = board.onChange(follow)

  return {
    works: {
      ...createRowWork(parts, answers),
      yes: inSight(parts, async () => answers.decide(true)),
      no: inSight(parts, async () => answers.decide(false)),
      words: inSight(parts, async () => answers.refuseWithWords()),
      field_done: () => void finishField(parts, answers),
      back() {
        if (!request.back)
          return context.hint('This board stands alone: there is no list of conversations to go back to.')
        page.close()
        request.back()
      },
    },
    opened() {
      ticking = setInterval(() => change({ now: context.now(), day: request.dayCost() }), TICK)
      follow()
    },
    moved: () => answers.disarm(),
    work() {
      answers.drawn(page.shown())
      return false
    },
    closed() {
      isOpen = false
      unsubscribe()
      answers.closed()
      clearInterval(ticking)
      request.closed()
    },
  }

  function change(part: Partial<BoardState>): void {
    if (isOpen) page.set({ ...page.state(), ...part })
  }

  function follow(): void {
    change({ hosts: board.hosts(), now: context.now(), day: request.dayCost() })
    answers.follow(page.reading())
  }
}
