/** The composer: the rows of its text around the caret, with labels for chips and a marked selection. */
import type { AppState } from '../../src/state/state.ts'
import { splitChips } from '../../src/composer/chips.ts'
import { selection, type TextRange } from '../../src/composer/editor.ts'
import { layout, type VisualRow } from '../../src/composer/layout.ts'
import { drawnUpTo } from '../../src/composer/wrap.ts'
import { editSafe, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { drawn, empty, joinStyled, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'
import type { DrawnPanel, Panel } from '../regions.ts'

/** The columns of the prompt sign and its blank. */
export const PROMPT_WIDTH = 2
/** The sign of a shell command. */
const SHELL_SIGN = '$'
/** The sign of a note for the project. */
const NOTE_SIGN = '+'

/** The width at which the composer's text wraps. */
export function composerWidth(columns: number): number {
  return Math.max(2, columns - PROMPT_WIDTH)
}

/** What the composer shows of the state. */
export type ComposerState = Pick<AppState, 'editor' | 'noting' | 'vim' | 'chips'>

/** The draft: at most a third of the screen. */
export const composer: Panel = { name: 'composer', draw: ({ state, ...frame }) => drawComposer(state, frame) }

export function drawComposer(state: ComposerState, frame: Size & { theme: Theme }): DrawnPanel {
  const { lines, row, column } = composerBox(state, frame, Math.max(1, Math.floor(frame.rows / 3)))
  return { pieces: [{ rows: lines }], caret: { row, column } }
}

function signOf({ editor, noting }: ComposerState): string | null {
  return editor.text.startsWith('!') ? SHELL_SIGN : noting ? NOTE_SIGN : null
}

/** The rows, at most `maxRows`, and the caret's place in them. */
export function composerBox(
  state: ComposerState,
  { theme, columns }: { theme: Theme; columns: number },
  maxRows: number,
  sign = signOf(state),
): { lines: Styled[]; row: number; column: number } {
  const { editor } = state
  const width = composerWidth(columns)
  const box = layout(editor.text, editor.caret, width, maxRows)
  const selected = state.vim?.marked ?? selection(editor)
  const lines = box.rows.map((row, index) => {
    const paint = sign === null ? theme.accent : theme.warning
    const first = sign ?? theme.signs.prompt
    const mark = paint(sanitize(index === 0 && box.firstRow === 0 ? first : theme.signs.promptRest))
    const text = selected ? withSelection(row, selected, width, state, theme) : withLabels(row.drawn, state, theme)
    return theme.promptBand(drawn`${mark} ${text}`, columns)
  })
  return { lines, row: box.caretRow, column: PROMPT_WIDTH + box.caretColumn }
}

function withSelection(
  row: VisualRow,
  { start, end }: TextRange,
  width: number,
  state: ComposerState,
  theme: Theme,
): Styled {
  const raw = state.editor.text.slice(row.start, row.end)
  const from = drawnUpTo(raw, Math.max(0, start - row.start), width).length
  const to = drawnUpTo(raw, Math.max(0, end - row.start), width).length
  const part = (text: string): Styled => withLabels(text, state, theme)
  // A selected line break is a blank at the end of its row. There is always room, because the caret needs it too.
  const hasBreak = !row.wraps && start <= row.end && end > row.end
  const marked = to > from ? part(row.drawn.slice(from, to)) : empty
  const inside = hasBreak ? drawn`${marked} ` : marked
  return drawn`${part(row.drawn.slice(0, from))}${theme.selection(inside)}${part(row.drawn.slice(Math.max(from, to)))}`
}

/**
 * Replaces chips by their labels, in the columns of the layout. Invisible marks have no columns and are omitted here, which
 * keeps the caret in its place; a sent prompt shows them.
 */
function withLabels(row: string, { chips }: ComposerState, theme: Theme): Styled {
  const label = (character: string): SafeText => sanitize(chips.get(character)?.label ?? '')
  const shown = row.includes('⟦') ? sanitize(row) : editSafe(sanitize(row), text => text.replace(MARK, ''))
  return joinStyled(
    splitChips(shown).map((part, index) => (index % 2 === 0 ? sanitize(part) : theme.accent(label(part)))),
  )
}

/** The sanitiser's text for an invisible mark. */
const MARK = /⟦U\+[\dA-F]+⟧/g
