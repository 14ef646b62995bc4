/** Moments of conversations: what an agent has told and what the user has done until then. */
import type { Model } from '../../src/agent/backend.ts'
import { fullKeymap } from '../../components/pages/keymap.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { initialState, type AppState } from '../../src/state/state.ts'
import { createEditor } from '../../src/composer/editor.ts'
import { createScreen } from '../../components/screen/screen.ts'
import type { Theme } from '../../src/style/theme.ts'
import { drawZone } from '../components/draw.tsx'
import { accepted, fold, prompt, started, step, timed, type Told } from '../conversation/events.ts'
import { paintedLines } from '../helpers/lines.ts'

/** 2026-03-14, 14:02 in UTC. */
const NOON = Date.UTC(2026, 2, 14, 14, 2)

export type Shot = {
  /** A second apart. */
  told: readonly Told[]
  changes?: Partial<AppState>
  draft?: string
  rows?: number
  /** Whether the first lines of the program are shown as well. */
  header?: boolean
}

/** The rows on the terminal, oldest first, and the place of the caret. */
export type Drawn = { lines: string[]; cursor: { row: number; column: number } }

/** Each event is drawn as it comes, as the program does; what was finished stands above the live zone of the end. */
export function drawShot(shot: Shot, theme: Theme, columns: number): Drawn {
  const { told, changes = {}, draft = '', rows = 24, header = false } = shot
  const screen = createScreen(theme, () => slashCommands)
  const events = timed(told, NOON)
  const state = (length: number): AppState => ({
    ...initialState({ version: '0.1.0', folder: '~/src/parser', branch: 'main', demo: false }, 0),
    keyNames: fullKeymap.names,
    chat: fold(events.slice(0, length)),
    editor: createEditor(draft),
    now: NOON + (length + 1) * 1000 + 400,
    ...changes,
  })
  let frame = screen.draw(state(0), { columns, rows })
  for (let length = 1; length <= events.length; length += 1) frame = screen.draw(state(length), { columns, rows })
  const { committed, live } = frame
  const finished = paintedLines(committed.slice(header ? 0 : 1).flatMap(piece => piece.lines))
  return {
    lines: [...finished, ...drawZone(live, columns)],
    cursor: { row: finished.length + live.cursor.y, column: live.cursor.x },
  }
}

/** An agent that is ready, and a prompt that it works on. */
export const asked = (words: string, ...events: readonly Told[]): Told[] => [
  started,
  prompt(words),
  accepted,
  step(1),
  ...events,
]

export const models: readonly Model[] = [
  { id: 'claude', provider: 'anthropic', contextWindow: 200_000, maxOutput: 64_000, reasoning: true },
  { id: 'claude-small', provider: 'anthropic', contextWindow: 200_000, maxOutput: 8000, reasoning: false },
  { id: 'gpt-5-codex-preview', provider: 'openai', contextWindow: 400_000, maxOutput: null, reasoning: true },
  { id: 'a-model-of-unknown-size', provider: 'local', contextWindow: null, maxOutput: null, reasoning: false },
]
