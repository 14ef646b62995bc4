import { Box, render, type DOMElement } from 'ink'
import { createRef, useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import type { TerminalOutput } from '../src/terminal/output.ts'
import { rasterise } from './rasterise.ts'

/** A tree of components, drawn as rows. */
export type Canvas<View> = {
  /** Has React draw this soon: `onDrawn` is called then. */
  show: (view: View) => void
  /** Has React draw this at once. Returns its rows, from the top. */
  draw: (view: View) => readonly Styled[]
  /** Called when React has drawn what was shown last, or a component has changed by itself. */
  onDrawn: ((view: View, rows: readonly Styled[]) => void) | null
  /** Ends React. Resolves when nothing is heard any more. */
  unmount: () => Promise<void>
}

export type CanvasOptions<View> = {
  /** Ink is told its size; what Ink writes is left out. */
  output: TerminalOutput
  /** What stands around all that is shown, such as contexts. */
  app: (screen: ReactNode) => ReactNode
  /** The components of what is shown. */
  viewOf: (view: View) => ReactNode
}

/** Ink reconciles and lays out; the rows are made by our own rasteriser (`rasterise.ts`) in place of Ink's. */
export function createCanvas<View>({ output, app, viewOf }: CanvasOptions<View>): Canvas<View> {
  const box = createRef<DOMElement>()
  const listeners = new Set<() => void>()
  let view: View | null = null
  /** What React has drawn. */
  let drawn: View | null = null
  let isSilent = false

  const store = {
    get: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const rows = (): readonly Styled[] => {
    if (!box.current) return []
    // Where only the width is another one, nothing had to be laid out for React.
    if (box.current.yogaNode?.getComputedWidth() !== output.columns) inkRoot?.onComputeLayout?.()
    return rasterise(box.current)
  }

  function tell(): void {
    drawn = view
    if (!isSilent && view !== null) canvas.onDrawn?.(view, rows())
  }

  // A commit that changes no element is known by this only; its view may be due for what is not of the tree.
  const tellIfNew = (): void => {
    if (drawn !== view) tell()
  }
  const tree = app(
    <Box ref={box} flexDirection="column">
      <Shown store={store} viewOf={viewOf} onCommit={tellIfNew} />
    </Box>,
  )
  // With nothing in it Ink's rasteriser has nothing to do, until ours is in its place.
  const instance = render(tree, {
    stdout: output,
    // An empty CI variable would count as CI for Ink; whether this is a terminal was asked before.
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  // It rejects with what a component throws, which ends the program as any bug does.
  const ended = instance.waitUntilExit()
  const canvas: Canvas<View> = {
    show(next) {
      view = next
      for (const listener of listeners) listener()
    },
    draw(next) {
      isSilent = true
      canvas.show(next)
      // Ink has no other way to have React do at once what is due. It draws each text anew, so that it is for few frames.
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
  if (inkRoot) inkRoot.onRender = tell
  return canvas
}

type ShownProps<View> = {
  store: { get: () => View | null; subscribe: (listener: () => void) => () => void }
  viewOf: (view: View) => ReactNode
  onCommit: () => void
}

/** All that a frame draws anew begins here. */
function Shown<View>({ store, viewOf, onCommit }: ShownProps<View>): ReactNode {
  const view = useSyncExternalStore(store.subscribe, store.get)
  useLayoutEffect(onCommit, [view, onCommit])
  return view && viewOf(view)
}

function rootOf(element: DOMElement | null): DOMElement | null {
  let root = element
  while (root?.parentNode) root = root.parentNode
  return root
}
