/** The pages on the alternate screen, one at a time. */
import type { MakePages } from '../../src/app/pages/pages.ts'
import type { AlternateScreen } from './alternate-screen.ts'
import type { DefinedPage, PageScreen, RunningPage } from './define-page.ts'
import { pageTable } from './table.ts'

type PagesScreen = PageScreen & { screen: Pick<AlternateScreen, 'leave'> }

/** Returns what makes the pages of each conversation. */
export function createPages(on: PagesScreen): MakePages {
  return parts => {
    const { state, dispatch } = parts.context
    let running: RunningPage | null = null
    return {
      open(name, request) {
        if (state().page || state().leaving) return
        const page: DefinedPage<typeof request> = pageTable[name]
        dispatch({ type: 'page_shown', page: page.keys.context })
        running = page.open(request, on, parts, close)
      },
      perform: how => running?.perform(how),
      type: text => running?.type(text) ?? false,
      edit: command => running?.edit(command) ?? false,
      close,
    }

    function close(): void {
      if (!running) return
      const closing = running
      running = null
      dispatch({ type: 'page_shown', page: null })
      closing.closed()
      on.screen.leave()
    }
  }
}

/** Loads the components of all pages. */
export async function loadPages(): Promise<void> {
  await Promise.all(Object.values(pageTable).map(page => page.load()))
}
