/** What the help remembers while it is open. */
import type { HelpSection } from '../../../src/state/help.ts'

/** `text` is not sanitised. */
export type HelpContent =
  | { kind: 'keys'; sections: readonly HelpSection[] }
  | { kind: 'text'; title: string; text: string }

export type HelpState = {
  /** The first visible row. */
  from: number
}
