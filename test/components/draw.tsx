/** Components drawn as the program draws them, by Ink's layout and our rasteriser, into rows. */
import { Writable } from 'node:stream'
import type { ReactNode } from 'react'
import { viewOf } from '../../components/App.tsx'
import { createCanvas, type Canvas } from '../../components/screen/canvas.tsx'
import { KeySourceContext } from '../../components/use-input.ts'
import type { LiveZone } from '../../components/regions.ts'
import type { KeyInput, KeySource } from '../../src/terminal/input/input.ts'
import { TerminalOutput } from '../../src/terminal/output/output.ts'
import type { TerminalStream } from '../../src/terminal/output/terminal-writer.ts'
import { paintedLines } from '../helpers/lines.ts'

/** A terminal that nobody looks at. */
function outputOf(columns: number): TerminalOutput {
  const stream = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { columns, rows: 24 })
  return new TerminalOutput(stream as TerminalStream)
}

/** A place for components, to be drawn again with other props, and a keyboard to hear. */
export function canvasOf(columns: number): {
  canvas: Canvas<ReactNode>
  output: TerminalOutput
  send: (key: Partial<KeyInput>) => void
} {
  const listeners = new Set<(key: KeyInput) => void>()
  const keys: KeySource = {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const output = outputOf(columns)
  const canvas = createCanvas<ReactNode>({
    output,
    app: screen => <KeySourceContext value={keys}>{screen}</KeySourceContext>,
    viewOf: node => node,
  })
  const send = (key: Partial<KeyInput>): void => {
    for (const listener of listeners) listener({ name: '', text: '', raw: '', ...key })
  }
  return { canvas, output, send }
}

/** The rows of a component, as a terminal gets them. */
export function drawn(node: ReactNode, columns: number): readonly string[] {
  const { canvas } = canvasOf(columns)
  const rows = paintedLines(canvas.draw(node))
  void canvas.unmount()
  return rows
}

/** The rows of a component at the widths that count, as one text. */
export function atWidths(component: (columns: number) => ReactNode): string {
  return [40, 80, 120].map(columns => [`${columns}:`, ...drawn(component(columns), columns)].join('\n')).join('\n')
}

/** The rows of the whole live zone, as the program shows it. */
export const drawZone = (zone: LiveZone, columns: number): readonly string[] =>
  drawn(viewOf({ kind: 'live', zone }), columns)
