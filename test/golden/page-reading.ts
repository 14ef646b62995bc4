/** Draws a page in a state, as the program does. */
import { createBoardReader } from '../../components/pages/board/reading.ts'
import { boardRows } from '../../components/pages/board/rows.ts'
import { initialBoard, type BoardField, type BoardState } from '../../components/pages/board/state.ts'
import { fullKeymap } from '../../components/pages/keymap.ts'
import { rowsOfPage } from '../../components/pages/page-rows.ts'
import { createRaceReader } from '../../components/pages/race/reading.ts'
import { raceRows } from '../../components/pages/race/rows.ts'
import { initialRace, type RacePageState } from '../../components/pages/race/state.ts'
import type { RaceView } from '../../src/app/race/race-run.ts'
import { createEditor } from '../../src/composer/editor.ts'
import type { BoardHost } from '../../src/fleet/board-source.ts'
import { helpKeyRows } from '../../src/state/help.ts'
import { initialState } from '../../src/state/state.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'

const app = {
  ...initialState({ version: '0.1.0', folder: '~/src/parser', branch: 'main', demo: false }, 0),
  keyNames: fullKeymap.names,
}
const label = (folder: string): string => folder.replace(/^\/home\/me/, '~')

const contextOf = (theme: Theme, size: Size, name: string) => ({
  theme,
  size,
  keys: helpKeyRows(fullKeymap.bindings.filter(({ context }) => context === name)),
})

export function boardScreen(
  hosts: readonly BoardHost[],
  now: number,
  parts: Partial<BoardState>,
  theme: Theme,
  size: Size,
): Styled[] {
  const read = createBoardReader(label, true)
  return rowsOfPage(boardRows(read(initialBoard(hosts, now, parts), app, contextOf(theme, size, 'board'))))
}

export function raceScreen(view: RaceView, parts: Partial<RacePageState>, theme: Theme, size: Size): Styled[] {
  const read = createRaceReader()
  return rowsOfPage(raceRows(read({ ...initialRace(view), ...parts }, app, contextOf(theme, size, 'race'))))
}

/** An open text field of the board. */
export function boardField(kind: BoardField['kind'], key: string, text: string): BoardField {
  const editor = createEditor(text)
  if (kind === 'filter') return { kind, editor }
  return kind === 'name' ? { kind, editor, key } : { kind, editor, key, ask: '' }
}
