/** What the panels of the whole program are drawn from. */
import type { SlashCommand } from '../src/state/slash.ts'
import type { Timeline, TimelineItem } from '../src/transcript/timeline.ts'
import type { PanelFrame } from './regions.ts'

export type LiveFrame = PanelFrame & {
  commands: readonly SlashCommand[]
  /** The way of the conversation into the scrollback. */
  timeline: Timeline
  /** The last finished piece, which decides whether a blank line follows. */
  last: TimelineItem | null
  /** Whether the header is in the scrollback. */
  headerDone: boolean
}
