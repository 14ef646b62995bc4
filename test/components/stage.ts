/** The parts that the views are drawn from, as plain text: no colours, a fixed clock, a small terminal. */
import { createEditor } from '../../src/composer/editor.ts'
import { fullKeymap } from '../../components/pages/keymap.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { initialState, type AppState, type Startup } from '../../src/state/state.ts'
import type { ChatState } from '../../src/conversation/state.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import { createTheme } from '../../src/style/theme.ts'
import type { Styled } from '../../src/style/styled.ts'
import { rowsOfBelow, workingRows, type LiveZone } from '../../components/screen/zone-layout.ts'
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

/** The rows of a live zone, by what they are of. */
export type LiveParts = Record<'open' | 'working' | 'composer' | 'below', string[]> & Pick<LiveZone, 'cursor'>

export function livePartsOf({ open, working, composer, below, cursor }: LiveZone): LiveParts {
  return {
    open: open.flatMap(all),
    working: all({ gap: working.gap, rows: workingRows(working) }),
    composer: all(composer),
    below: below ? paintedLines(rowsOfBelow(below)) : [],
    cursor,
  }
}

function all({ gap, rows }: { gap: boolean; rows: readonly Styled[] }): string[] {
  return gap ? ['', ...paintedLines(rows)] : paintedLines(rows)
}
