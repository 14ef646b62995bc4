/** The screen with the keys and commands, or with a text to read, as the program uses it. */
import type { ScrollMove } from './scroll-move.ts'

/** Keys or commands that belong together, and what each does. */
export type HelpSection = { title: string; of: 'key' | 'command'; rows: readonly (readonly [string, string])[] }

export type HelpMove = ScrollMove

/** `text` is not sanitised. */
export type HelpContent =
  | { kind: 'keys'; sections: readonly HelpSection[] }
  | { kind: 'text'; title: string; text: string }

export type HelpScreen = {
  open: (content: HelpContent) => void
  close: () => void
  scroll: (move: HelpMove) => void
}
