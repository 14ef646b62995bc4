import { memo, type ReactNode } from 'react'
import type { KeySource } from '../src/terminal/input/input.ts'
import type { Keyboard } from './keyboard.ts'
import { KeyboardInput } from './KeyboardInput.tsx'
import type { LiveZone, ShownPiece } from './regions.ts'
import { Rows } from './Rows.tsx'
import type { View } from './screen/view.ts'
import { KeySourceContext } from './use-input.ts'

type Props = {
  keys: KeySource
  keyboard: Keyboard
  /** The component that draws a `View`. */
  children: ReactNode
}

/** The root component: input and screen. */
export function App({ keys, keyboard, children }: Props): ReactNode {
  return (
    <KeySourceContext value={keys}>
      <KeyboardInput keyboard={keyboard} />
      {children}
    </KeySourceContext>
  )
}

export function viewOf(view: View): ReactNode {
  switch (view.kind) {
    case 'live':
      return <Live zone={view.zone} />
    case 'page':
      return view.page.element((Component, reading) => <Component reading={reading} />)
  }
}

/** The screen below the scrollback; `layout.ts` lists the panels of each region. */
function Live({ zone: { conversation, progress, input, below } }: { zone: LiveZone }): ReactNode {
  return (
    <>
      <Region pieces={conversation} />
      <Region pieces={progress} />
      <Region pieces={input} />
      <Region pieces={below} />
    </>
  )
}

export const Region = memo(function Region({ pieces }: { pieces: readonly ShownPiece[] }): ReactNode {
  return pieces.map(({ key, gap, rows }) => <Panel key={key} gap={gap} rows={rows} />)
})

const Panel = memo(function Panel({ gap, rows }: Pick<ShownPiece, 'gap' | 'rows'>): ReactNode {
  return <Rows gap={gap} rows={rows} />
})
