/** What the views are drawn from, as plain text: no colours, a fixed clock, a small terminal. */
import { createEditor } from '../../src/composer/editor.ts'
import { slashCommands } from '../../src/state/slash.ts'
import { initialState, type AppState, type Startup } from '../../src/state/state.ts'
import type { ChatState } from '../../src/conversation/state.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import { createTheme } from '../../src/style/theme.ts'
import type { Item } from '../../src/transcript/timeline.ts'
import { chatAfter, started } from '../conversation/events.ts'

export const theme = createTheme(0)
export const commands = slashCommands

export const startup: Startup = { version: '1.2.3', folder: '~/src/zotui', branch: 'main', demo: false }

/** An agent that is ready, an empty composer, a clock at one minute. */
export function stateWith(changes: Partial<AppState> = {}): AppState {
  return { ...initialState(startup, 60_000), chat: chatAfter(started), ...changes }
}

export const withDraft = (text: string, changes: Partial<AppState> = {}): AppState =>
  stateWith({ editor: createEditor(text), ...changes })

export const withChat = (chat: ChatState, changes: Partial<AppState> = {}): AppState => stateWith({ chat, ...changes })

export function linesOfItem(item: Item, width = 60): string[] {
  return renderItem(item, { theme, markdown: theme.markdown, width })
}
