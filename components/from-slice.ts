/** A panel that is drawn from a slice of the frame, and only when the slice has changed: most of a stream's frames change one panel. */
import type { LiveFrame } from './live-frame.ts'
import type { DrawnPanel, Panel } from './regions.ts'

/**
 * `select` says what the panel is drawn from, and `draw` sees nothing else. Members of a slice are compared by identity.
 */
export function fromSlice<Slice extends object>(
  panel: Pick<Panel<LiveFrame>, 'name' | 'spoken' | 'least'>,
  select: (frame: LiveFrame) => Slice,
  draw: (slice: Slice, room: number) => DrawnPanel | null,
): Panel<LiveFrame> {
  let last: { slice: Slice; room: number; drawn: DrawnPanel | null } | null = null
  return {
    ...panel,
    draw(frame, room) {
      const slice = select(frame)
      if (last?.room !== room || !isSame(last.slice, slice)) last = { slice, room, drawn: draw(slice, room) }
      return last.drawn
    },
  }
}

function isSame<Slice extends object>(one: Slice, other: Slice): boolean {
  const now = Object.values(other)
  return Object.values(one).every((value, at) => value === now[at])
}
