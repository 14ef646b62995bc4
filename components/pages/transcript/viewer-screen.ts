import { helpKeyRows } from '../../../src/state/help.ts'
import type { Keymap } from '../../../src/state/keymap.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import type { Size } from '../../../src/text/lines/width.ts'
import { viewerAfter, viewerAfterClick, viewerAfterSeeking, viewerAfterText, viewerAfterWheel } from './moves.ts'
import { viewerPage } from './rows.ts'
import type { PageContext } from '../page.ts'
import type { ReadCall } from './document/output-loader.ts'
import {
  chosenAnswer,
  chosenFile,
  chosenSource,
  createViewerCache,
  openedView,
  readViewer,
  type ViewerCache,
  type ViewerReading,
} from './reading.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { AlternateScreen, PageSource } from '../alternate-screen.ts'
import type { Viewer, ViewerView } from '../../../src/state/screens/viewer-screen.ts'

export type ViewerScreenOptions = {
  store: AppStore
  screen: AlternateScreen
  /** The terminal's size. */
  size: Readonly<Size>
  theme: () => Theme
  keymap: Keymap
  print: (text: string) => void
  /** Reads the part of a call that is not in memory. */
  readCall: ReadCall
}

/** The conversation on the alternate screen. */
export function createViewerScreen({
  store,
  screen,
  size,
  theme,
  keymap,
  print,
  readCall,
}: ViewerScreenOptions): Viewer {
  const keys = helpKeyRows(keymap.bindings.filter(({ context }) => context === 'viewer'))
  let cache: ViewerCache | null = null
  const shown: PageSource = {
    page: (state, seen) => ({ kind: 'conversation', page: viewerPage(read(state, seen), state) }),
    work() {
      const { search, document } = keptCache()
      if (store.get().viewer.search?.seeking) move(viewerAfterSeeking(read()))
      return search?.step(document) || document.prepare()
    },
    mouse(event) {
      move(event.kind === 'wheel' ? viewerAfterWheel(read(), event.by) : viewerAfterClick(read(), event.y))
    },
  }

  return {
    open() {
      move(openedView(store.get(), read()))
      screen.show(shown)
    },
    close() {
      // The rows of a long conversation take much memory.
      cache = null
      screen.leave()
    },
    perform: how => move(viewerAfter(read(), how)),
    type(text) {
      const view = viewerAfterText(read(), text)
      move(view)
      return view !== null
    },
    source: () => chosenSource(read()),
    answer: () => chosenAnswer(read()),
    file: () => chosenFile(read()),
    print,
  }

  function contextOf(seen: Readonly<Size>): PageContext {
    return { theme: theme(), size: seen, keys }
  }

  function keptCache(): ViewerCache {
    return (cache ??= createViewerCache(contextOf(size), readCall))
  }

  function read(state = store.get(), seen: Readonly<Size> = size): ViewerReading {
    return readViewer(state, contextOf(seen), keptCache())
  }

  function move(viewer: ViewerView | null): void {
    if (viewer) store.dispatch({ type: 'viewer_moved', viewer })
  }
}
