/** The screen with the keys and commands, as the program uses it. */
import type { ScrollMove } from './scroll-move.ts'

/** Keys or commands that belong together, and what each does. */
export type HelpSection = { title: string; of: 'key' | 'command'; rows: readonly (readonly [string, string])[] }

export type HelpMove = ScrollMove

export type HelpScreen = {
  open: (sections: readonly HelpSection[]) => void
  close: () => void
  scroll: (move: HelpMove) => void
}
