import type { EditCommand } from '../../src/composer/editor.ts'

/** What a person does on a page, apart from the actions that do something else. */
export type PageInput<Move extends string> =
  | { kind: 'move'; move: Move }
  /** `edit` is a key of the composer or a paste, in place of letters: only pages with keys of a text field get these. */
  | { kind: 'text'; text: string; edit?: EditCommand }
  | { kind: 'wheel'; by: 1 | -1 }
  /** The column and the row of the screen, counted from 0. */
  | { kind: 'click'; x: number; y: number }
