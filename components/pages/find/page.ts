/** /find: searches all sessions as one types. */
import type { FindPageRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { findEffects } from './effects.ts'
import { findKeys } from './keys.ts'
import { findAfter } from './moves.ts'
import { createFindReader, type FindReading } from './reading.ts'
import { findCaret, findRows } from './rows.ts'
import { askForWords } from './spoken.ts'
import { initialFind, type FindMove, type FindState, type FindWork } from './state.ts'

export const find: Page<FindState, FindMove, FindWork, FindReading, FindPageRequest> = {
  keys: findKeys,
  initial: ({ words }, kept) => initialFind(words, kept),
  kept: ({ editor, kind, isHere }) => ({ editor, kind, isHere }),
  reader: (_parts, { folder }) => createFindReader(folder),
  takesText: () => true,
  after: findAfter,
  rows: findRows,
  caret: findCaret,
  effects: findEffects,
  spoken: askForWords,
  load: async () => (await import('./FindPage.tsx')).FindPage,
}
