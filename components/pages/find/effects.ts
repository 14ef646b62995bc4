/** What /find does beyond moving: it searches, shows a passage in its session, continues from it, and quotes it. */
import type { FindPageRequest, FoundPassage, PageParts } from '../../../src/app/pages/pages.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import type { FindReading } from './reading.ts'
import {
  passageKey,
  searchKey,
  searchOf,
  selectedPassage,
  type FindState,
  type FindWork,
  type FoundPassages,
} from './state.ts'
import { wordsAt } from './words-at.ts'

/** Milliseconds until the same is searched for again while sessions are still being read. */
const AGAIN = 1000

export function findEffects(
  page: OpenPage<FindState, FindReading>,
  { context }: PageParts,
  { ask, catchUp, continueFrom, quote }: FindPageRequest,
): PageEffects<FindWork> {
  let isOpen = true
  let asked = 0
  /** What was asked for last; null before the first question. */
  let askedFor: string | null = null
  let again: NodeJS.Timeout | undefined
  return {
    works: {
      open: () =>
        withPassage(passage =>
          page.openOver('transcript', {
            session: passage.place.session,
            place: passage.place,
            words: wordsAt(passage),
          }),
        ),
      go_on: () =>
        withPassage(passage => {
          page.close()
          continueFrom(passage)
        }),
      quote: () =>
        withPassage(passage => {
          page.close()
          quote(passage)
        }),
    },
    opened() {
      void search()
      void readAll()
    },
    moved() {
      if (searchKey(searchOf(page.state())) !== askedFor) void search()
    },
    closed() {
      isOpen = false
      clearTimeout(again)
    },
  }

  function withPassage(run: (passage: FoundPassage) => void): void {
    const passage = selectedPassage(page.state())
    if (passage) run(passage)
    else context.hint('Nothing is found yet.')
  }

  /** The answer to the latest question counts, whenever it comes. */
  async function search(): Promise<void> {
    clearTimeout(again)
    const typed = searchOf(page.state())
    const key = searchKey(typed)
    askedFor = key
    const number = (asked += 1)
    const answer = await ask(typed)
    if (number !== asked || !isOpen) return
    if (!answer.ok) return take({ passages: [], isCut: false, share: 1, problem: answer.why, of: key })
    const { found, share, isCut } = answer
    take({ passages: found, share, isCut, problem: null, of: key })
    if (share < 1) again = setTimeout(() => void search(), AGAIN)
  }

  /** The passage that the user chose stays selected. */
  function take(found: FoundPassages): void {
    const state = page.state()
    const chosen = state.selected === null ? null : selectedPassage(state)
    const key = chosen && passageKey(chosen)
    const at = key === null ? -1 : found.passages.findIndex(passage => passageKey(passage) === key)
    page.set({ ...state, found, selected: at < 0 ? null : at })
  }

  async function readAll(): Promise<void> {
    const problem = await catchUp()
    if (!isOpen) return
    if (problem !== null) context.hint(problem)
    void search()
  }
}
