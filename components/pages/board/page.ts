/** The board: all conversations of this person, on all machines. */
import type { BoardPageRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { boardEffects } from './effects.ts'
import { boardFieldKeys, boardKeys } from './keys.ts'
import { boardAfter } from './moves.ts'
import { createBoardReader, type BoardReading } from './reading.ts'
import { boardCaret, boardRows } from './rows.ts'
import { askAboutBoard } from './spoken.ts'
import { initialBoard, type BoardMove, type BoardState, type BoardWork } from './state.ts'

export const board: Page<BoardState, BoardMove, BoardWork, BoardReading, BoardPageRequest> = {
  keys: boardKeys,
  field: { keys: boardFieldKeys, isOpen: ({ field }) => field !== null },
  initial: (request, kept) => initialBoard(request.board.hosts(), 0, kept),
  kept: ({ selected }) => ({ selected }),
  reader: (_parts, { label, back }) => createBoardReader(label, back !== null),
  takesText: ({ field }) => field !== null,
  after: boardAfter,
  rows: boardRows,
  caret: boardCaret,
  effects: boardEffects,
  spoken: askAboutBoard,
  load: async () => (await import('./BoardPage.tsx')).BoardPage,
}
