/** The parts that the views are drawn from, as plain text: no colours, a fixed clock, a small terminal. */
import { createEditor } from '../../src/composer/editor.ts'
import { fullKeymap } from '../../components/pages/keymap.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { initialState, type AppState, type Startup } from '../../src/state/state.ts'
import type { ChatState } from '../../src/conversation/state.ts'
import { createTimeline } from '../../src/transcript/timeline.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import { createTheme } from '../../src/style/theme.ts'
import type { Styled } from '../../src/style/styled.ts'
import { layout } from '../../components/layout.ts'
import type { LiveFrame } from '../../components/live-frame.ts'
import { firstOf, type LiveZone, type ShownPiece } from '../../components/regions.ts'
import type { TimelineItem } from '../../src/transcript/timeline.ts'
import { chatAfter, started } from '../conversation/events.ts'
import { paintedLines } from '../helpers/lines.ts'

export const theme = createTheme(0)
export const commands = slashCommands

export const startup: Startup = { version: '1.2.3', folder: '~/src/zotui', branch: 'main', demo: false }

/** An agent that is ready, an empty composer, a clock at one minute. */
export function stateWith(changes: Partial<AppState> = {}): AppState {
  return { ...initialState(startup, 60_000), keyNames: fullKeymap.names, chat: chatAfter(started), ...changes }
}

export const withDraft = (text: string, changes: Partial<AppState> = {}): AppState =>
  stateWith({ editor: createEditor(text), ...changes })

export const withChat = (chat: ChatState, changes: Partial<AppState> = {}): AppState => stateWith({ chat, ...changes })

export function linesOfItem(item: TimelineItem, width = 60): string[] {
  return paintedLines(renderItem(item, { theme, markdown: theme.markdown, width, keyNames: fullKeymap.names }))
}

/** The rows of a live zone, by their regions. */
export type LiveParts = Record<Exclude<keyof LiveZone, 'cursor'>, string[]> & Pick<LiveZone, 'cursor'>

export function livePartsOf({ conversation, progress, input, below, cursor }: LiveZone): LiveParts {
  const [one, two, three, four] = [conversation, progress, input, below].map(textOf)
  return { conversation: one ?? [], progress: two ?? [], input: three ?? [], below: four ?? [], cursor }
}

function textOf(pieces: readonly ShownPiece[]): string[] {
  return pieces.flatMap(({ gap, rows }) => (gap ? ['', ...paintedLines(rows)] : paintedLines(rows)))
}

/** What the panels are drawn from, in a state without a conversation. */
export const frameOf = (state: AppState, columns = 80, rows = 24): LiveFrame => ({
  state,
  theme,
  columns,
  rows,
  commands,
  timeline: createTimeline(),
  last: null,
  headerDone: true,
})

/** The rows below the composer, at most `room`. */
export const rowsBelow = (state: AppState, columns: number, room: number): readonly Styled[] =>
  firstOf(layout.below, frameOf(state, columns), room).rows
