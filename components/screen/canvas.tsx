import { Box, render, type DOMElement } from 'ink'
import { createRef, useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import { createStore, type Store } from '../../src/state/store.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import { rasterise } from './rasterise.ts'

/** A tree of components, drawn as rows. */
export type Canvas<View> = {
  /** Lets React draw this soon, and then calls `onDrawn`. */
  show: (view: View) => void
  /** Lets React draw this at once. Returns its rows from the top. */
  draw: (view: View) => readonly Styled[]
  /** Called when React has drawn the last view, or a component has changed by itself. */
  onDrawn: ((view: View, rows: readonly Styled[]) => void) | null
  /** Unmounts the tree. Resolves when no component is active. */
  unmount: () => Promise<void>
}

export type CanvasOptions<View> = {
  /** Gives Ink its size. Ink's own output is dropped. */
  output: TerminalOutput
  /** Wraps every view, for example in contexts. */
  app: (screen: ReactNode) => ReactNode
  /** The components of a view. */
  viewOf: (view: View) => ReactNode
}

/**
 * A canvas on which Ink lays out components. Our own rasteriser (`rasterise.ts`) makes the rows instead of Ink's. What keeps it cheap:
 * - There is one subscription, below everything that never changes. Unchanged parts of a view are the same objects (`shared.ts`).
 * - `draw` uses Ink's `rerender`, which renders every `Box` and `Text` again. So it serves only frames that must appear at once, such as
 *   after a resize. All others are drawn in React's microtask.
 * - Finished rows are one element of a fixed height (`Rows`), which yoga does not measure.
 */
export function createCanvas<View>({ output, app, viewOf }: CanvasOptions<View>): Canvas<View> {
  const box = createRef<DOMElement>()
  const store = createStore<View | null>(null)
  /** The view that React has drawn. */
  let drawn: View | null = null
  let isSilent = false

  const rows = (): readonly Styled[] => {
    if (!box.current) return []
    // React lays out nothing if only the width has changed.
    if (box.current.yogaNode?.getComputedWidth() !== output.columns) inkRoot?.onComputeLayout?.()
    return rasterise(box.current)
  }

  function notify(): void {
    drawn = store.get()
    if (!isSilent && drawn !== null) canvas.onDrawn?.(drawn, rows())
  }

  // A commit that changes no element calls nothing else, but its view may have to be shown, for example its caret.
  const notifyIfNew = (): void => {
    if (drawn !== store.get()) notify()
  }
  const tree = app(
    <Box ref={box} flexDirection="column">
      <ShownView store={store} viewOf={viewOf} onCommit={notifyIfNew} />
    </Box>,
  )
  // The first tree is empty, so Ink's rasteriser has nothing to do before ours replaces it.
  const instance = render(tree, {
    stdout: output,
    // An empty CI variable would count as CI for Ink; whether this is a terminal was asked before.
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  // It rejects with an error of a component, which ends the program like any bug.
  const ended = instance.waitUntilExit()
  const canvas: Canvas<View> = {
    show: store.set,
    draw(next) {
      isSilent = true
      canvas.show(next)
      // Ink has no other way to render at once. It renders every text again, so only few frames use it.
      instance.rerender(tree)
      isSilent = false
      return rows()
    },
    onDrawn: null,
    async unmount() {
      isSilent = true
      instance.unmount()
      await ended
    },
  }
  const inkRoot = rootOf(box.current)
  if (inkRoot) inkRoot.onRender = notify
  return canvas
}

type ShownProps<View> = {
  store: Store<View | null>
  viewOf: (view: View) => ReactNode
  onCommit: () => void
}

/** The root of everything that a frame renders. */
function ShownView<View>({ store, viewOf, onCommit }: ShownProps<View>): ReactNode {
  const view = useSyncExternalStore(store.subscribe, store.get)
  useLayoutEffect(onCommit, [view, onCommit])
  return view && viewOf(view)
}

function rootOf(element: DOMElement | null): DOMElement | null {
  let root = element
  while (root?.parentNode) root = root.parentNode
  return root
}
