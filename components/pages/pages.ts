/** The pages on the alternate screen, one at a time. */
import type { MakePages, PageName, PageRequests } from '../../src/app/pages/pages.ts'
import type { AlternateScreen } from './alternate-screen.ts'
import type { DefinedPage, PageScreen, RunningPage } from './define-page.ts'
import { pageTable } from './table.ts'

type PagesScreen = PageScreen & { screen: Pick<AlternateScreen, 'leave'> }

/** Returns what makes the pages of each conversation. */
export function createPages(on: PagesScreen): MakePages {
  return parts => {
    const { state, dispatch } = parts.context
    /** The page that is shown is the last one. */
    let running: readonly RunningPage[] = []
    return {
      open(name, request) {
        if (!state().page && !state().leaving) openOver(name, request)
      },
      perform: how => running.at(-1)?.perform(how),
      type: text => running.at(-1)?.type(text) ?? false,
      edit: command => running.at(-1)?.edit(command) ?? false,
      close: () => closeFrom(0),
    }

    function openOver<Name extends PageName>(name: Name, request: PageRequests[Name]): void {
      const depth = running.length
      const page: DefinedPage<typeof request> = pageTable[name]
      dispatch({ type: 'page_shown', page: page.keys.context })
      const opened = page.open(request, on, parts, { close: () => closeFrom(depth), openOver })
      running = [...running, opened]
      opened.show()
    }

    /** Closes a page with those over it, and returns to the one below it. */
    function closeFrom(depth: number): void {
      const closing = running.slice(depth)
      if (closing.length === 0) return
      running = running.slice(0, depth)
      const below = running.at(-1)
      dispatch({ type: 'page_shown', page: below?.context() ?? null })
      for (const page of closing.toReversed()) page.closed()
      if (below) below.show()
      else on.screen.leave()
    }
  }
}

/** Loads the components of all pages. */
export async function loadPages(): Promise<void> {
  await Promise.all(Object.values(pageTable).map(page => page.load()))
}
