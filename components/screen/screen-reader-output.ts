/** Writes the program's state for a screen reader: each thing once, below everything else. Nothing is ever overwritten. */
import type { SlashCommand } from '../../src/state/slash.ts'
import { takesKeys, type AppState } from '../../src/state/state.ts'
import { oncePerTick } from '../../src/state/once-per-tick.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import { paintLine } from '../../src/terminal/output/paint.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import type { Screen } from './screen.ts'
import { announcedDraft, announcementLines } from './announcements.ts'
import type { Theme } from '../../src/style/theme.ts'

export type ScreenReaderOutput = {
  /** Writes everything new at once. */
  show: () => void
  /** Writes the composer's text again, for example after another program had the terminal. */
  repeat: () => void
}

export type ScreenReaderOutputOptions = {
  store: AppStore
  screen: Screen
  output: TerminalOutput
  commands: () => readonly SlashCommand[]
  theme: () => Theme
}

export function createScreenReaderOutput({
  store,
  screen,
  output,
  commands,
  theme,
}: ScreenReaderOutputOptions): ScreenReaderOutput {
  let before = store.get()
  /** The part of the draft in the last line; null if the last line is not the composer's. */
  let written: string | null = null

  store.subscribe(oncePerTick(show))
  return {
    show,
    repeat() {
      written = null
      writeDraft(store.get(), true)
    },
  }

  function show(): void {
    if (!output.canDraw()) return
    const state = store.get()
    const { committed, more } = screen.draw(state, output)
    screen.printed(committed.length)
    const context = { theme: theme(), commands: commands() }
    const printed = committed.flatMap(piece => piece.lines.map(paintLine))
    const lines = [...printed, ...announcementLines(before, state, context)]
    if (lines.length > 0) {
      output.append(`${written === null ? '' : '\n'}${lines.join('\n')}\n`)
      written = null
    }
    const isTyped = state.question?.typed !== before.question?.typed
    const isAsked = state.editor !== before.editor || isTyped || (lines.length > 0 && state.chat.open === null)
    before = state
    const hasDraft = !state.question || state.question.typed !== null || !takesKeys(state)
    if (hasDraft && !state.picker && state.leaving === null) writeDraft(state, isAsked)
    if (more) setImmediate(show)
  }

  /** Text typed at the end is appended. After any other change the draft is written again on a new line. */
  function writeDraft(state: AppState, isAsked: boolean): void {
    const draft = announcedDraft(state).replaceAll('\n', '\n  ')
    if (!isAsked || draft === written) return
    if (written !== null && draft.startsWith(written)) output.append(draft.slice(written.length))
    else output.append(`${written === null ? '' : '\n'}> ${draft}`)
    written = draft
  }
}
