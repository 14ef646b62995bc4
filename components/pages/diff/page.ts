/** /diff: the files that the session changed, and the lines of each. */
import type { DiffRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { diffEffects } from './effects.ts'
import { commentKeys, diffKeys } from './keys.ts'
import { diffAfter } from './moves.ts'
import { createDiffReader, fieldCaret, type DiffReading } from './reading.ts'
import { diffRows } from './rows.ts'
import { listChanges } from './spoken.ts'
import { initialDiff, type DiffMove, type DiffState, type DiffWork } from './state.ts'

export const diff: Page<DiffState, DiffMove, DiffWork, DiffReading, DiffRequest> = {
  keys: diffKeys,
  field: commentKeys,
  initial: (_request, kept) => initialDiff(kept),
  kept: ({ isSplit, isWrapped }) => ({ isSplit, isWrapped }),
  reader: createDiffReader,
  after: diffAfter,
  rows: diffRows,
  takesText: ({ field }) => field !== null,
  caret: fieldCaret,
  effects: diffEffects,
  spoken: ({ collect }, parts) => void listChanges(collect, parts),
  load: async () => (await import('./DiffPage.tsx')).DiffPage,
}
