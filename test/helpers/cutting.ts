/** A terminal that does not reflow, made of xterm.js. */
import type { Terminal } from '@xterm/headless'

/** For a ConPTY of that age it does not. */
export const cutting = { windowsPty: { backend: 'conpty', buildNumber: 18_000 } } as const

type Lines = { length: number; get: (index: number) => { resize: (columns: number, blank: object) => void } }
type Inside = { _core: { buffers: Record<'normal' | 'alt', { lines: Lines; getNullCell: () => object }> } }

/** After a resize: what is too wide is kept out of sight for when there is room again; a terminal such as xterm has cut it off. */
export function cutLines(terminal: Terminal): void {
  const { _core: core } = terminal as unknown as Inside
  for (const buffer of [core.buffers.normal, core.buffers.alt]) {
    const blank = buffer.getNullCell()
    for (let row = 0; row < buffer.lines.length; row += 1) buffer.lines.get(row).resize(terminal.cols, blank)
  }
}
