import type { KeySource } from '../../src/terminal/input/input.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import { App, viewOf } from '../App.tsx'
import { createCanvas, type Canvas } from './canvas.tsx'
import type { Keyboard } from '../keyboard.ts'
import type { View } from './view.ts'

/** The canvas of the whole program, with its keys. */
export function createInkCanvas(output: TerminalOutput, keys: KeySource, keyboard: Keyboard): Canvas<View> {
  return createCanvas<View>({
    output,
    app: screen => (
      <App keys={keys} keyboard={keyboard}>
        {screen}
      </App>
    ),
    viewOf,
  })
}
