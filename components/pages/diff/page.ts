/** /diff: the files that the session changed, and the lines of each. */
import type { DiffRequest } from '../../../src/app/pages/pages.ts'
import { subjectTitle } from '../../../src/tools/diff/subject.ts'
import type { Page } from '../page.ts'
import { diffEffects } from './effects.ts'
import { commentKeys, diffKeys } from './keys.ts'
import { diffAfter } from './moves.ts'
import { createDiffReader, type DiffReading } from './reading.ts'
import { diffCaret, diffRows } from './rows.ts'
import { listChanges } from './spoken.ts'
import { initialDiff, type DiffMove, type DiffState, type DiffWork } from './state.ts'

export const diff: Page<DiffState, DiffMove, DiffWork, DiffReading, DiffRequest> = {
  keys: diffKeys,
  field: { keys: commentKeys, isOpen: ({ field }) => field !== null },
  initial: ({ subject }, kept) => ({
    ...initialDiff(kept, subjectTitle(subject)),
    canTake: subject.kind === 'worktree',
  }),
  kept: ({ isSplit, isWrapped, tree }) => ({ isSplit, isWrapped, tree }),
  reader: createDiffReader,
  takesText: ({ search, field }) => field !== null || search?.isTyping === true,
  after: diffAfter,
  rows: diffRows,
  caret: diffCaret,
  effects: diffEffects,
  spoken: (request, parts) => void listChanges(request, parts),
  load: async () => (await import('./DiffPage.tsx')).DiffPage,
}
