/** What the page of a race does beyond moving: it follows the race, and passes on what the person wants of one who runs. */
import type { PageParts, RacePageRequest } from '../../../src/app/pages/pages.ts'
import { isOver } from '../../../src/race/race-steps.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import type { RaceReading } from './reading.ts'
import type { RacePageState, RaceWork } from './state.ts'

/** Milliseconds between two looks at the clock while somebody works. */
const TICK = 1000

export function raceEffects(
  page: OpenPage<RacePageState, RaceReading>,
  { context }: PageParts,
  request: RacePageRequest,
): PageEffects<RaceWork> {
  const { run, diffOf, attach, pick, discardOthers } = request
  const { hint } = context
  let ticking: NodeJS.Timeout | undefined
  const unsubscribe = run.subscribe(follow)

  return {
    works: {
      open,
      diff,
      pick: () => leaveFor(pick),
      discard: () => leaveFor(discardOthers),
      stop: () => void run.stop(page.reading().selected).then(hint),
      check: () => hintIf(run.check(page.reading().selected)),
      go,
      reload: () => void run.refresh().then(() => hint('All were looked at again.')),
    },
    opened: follow,
    closed() {
      unsubscribe()
      clearInterval(ticking)
    },
  }

  function follow(): void {
    const view = run.view()
    page.set({ ...page.state(), view, now: context.now() })
    if (!isOver(view.race)) ticking ??= setInterval(tick, TICK)
  }

  function tick(): void {
    if (isOver(run.view().race)) {
      clearInterval(ticking)
      ticking = undefined
    }
    page.set({ ...page.state(), now: context.now() })
  }

  function open(): void {
    const { shown, selected } = page.reading()
    const { entrant, live } = shown[selected] ?? {}
    if (live) return leaveFor(attach)
    if (!entrant?.session) return hint('It has no conversation yet.')
    page.openOver('transcript', { session: entrant.session, place: null, words: '' })
  }

  function diff(): void {
    const found = diffOf(page.reading().selected)
    if (found) page.openOver('diff', found)
    else hint('There is no worktree to compare.')
  }

  function go(): void {
    const { race, isOwn, isGoing, note } = run.view()
    run.go()
    const isAnyLeft = race.entrants.some(({ step }) => step === 'waiting')
    if (!isOwn || !isAnyLeft) hint(isOwn ? 'Nobody waits to begin.' : note)
    else if (isGoing) hint('Those that wait begin as soon as there is room for a turn.')
  }

  /** The question that follows stands below the composer. */
  function leaveFor(work: (at: number) => void): void {
    const { selected } = page.reading()
    page.close()
    work(selected)
  }

  function hintIf(words: string | null): void {
    if (words !== null) hint(words)
  }
}
