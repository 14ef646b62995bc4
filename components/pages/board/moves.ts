/** What keys, typed text and the mouse do on the board, apart from what reaches a conversation. */
import { createEditor, edit, type EditCommand } from '../../../src/composer/editor.ts'
import { lookup } from '../../../src/text/lookup.ts'
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps } from '../scroll.ts'
import type { BoardReading } from './reading.ts'
import { entryAt } from './rows.ts'
import type { BoardField, BoardMove, BoardState } from './state.ts'

/** Wider than any text of a field: it is one line, which the field shows a part of. */
const ONE_LINE = 1_000_000
/** Characters of a name, a filter, or words to an agent: what is pasted may be a whole file. */
const LONGEST = 2000

/** The next state; null closes the page. */
export function boardAfter(reading: BoardReading, input: PageInput<BoardMove>): BoardState | null {
  const { view } = reading
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'text':
      return view.field ? typed(view, view.field, input.edit ?? { kind: 'insert', text: input.text }) : view
    case 'wheel':
      return view.field ? view : afterMove(reading, input.by > 0 ? 'down' : 'up')
    case 'click': {
      const index = entryAt(reading, input.x, input.y)
      return index === null ? view : selecting(reading, index)
    }
  }
}

function afterMove(reading: BoardReading, move: BoardMove): BoardState | null {
  const { view } = reading
  if (move === 'leave' || move === 'field_close') return left(view)
  if (view.help !== null) return { ...view, help: keyListAfter(reading, view.help, move) }
  if (move === 'help') return { ...view, help: 0, doubt: null }
  if (move === 'hosts') return { ...view, showsHosts: !view.showsHosts, doubt: null }
  if (view.showsHosts) return view
  if (move === 'question_down') return scrolled(reading, 1)
  if (move === 'question_up') return scrolled(reading, -1)
  if (move === 'filter') return { ...view, doubt: null, field: { kind: 'filter', editor: createEditor(view.filter) } }
  const steps: Partial<Record<string, number>> = scrollSteps(Math.max(2, reading.area.listRows))
  return selecting(reading, reading.selected + (lookup(steps, move) ?? 0))
}

/** Esc: out of what is open on the board, from the innermost to the board itself. */
function left(view: BoardState): BoardState | null {
  if (view.field) return { ...view, field: null }
  if (view.help !== null) return { ...view, help: null }
  if (view.doubt) return { ...view, doubt: null }
  if (view.showsHosts) return { ...view, showsHosts: false }
  return view.filter === '' ? null : { ...view, filter: '' }
}

function typed(view: BoardState, field: BoardField, command: EditCommand): BoardState {
  if (command.kind === 'newline') return view
  const isText = command.kind === 'insert' || command.kind === 'paste'
  const oneLine = isText ? { ...command, text: command.text.replaceAll(/\s/g, ' ').slice(0, LONGEST) } : command
  const editor = edit(field.editor, oneLine, ONE_LINE)
  if (editor.text.length > LONGEST && editor.text.length > field.editor.text.length) return view
  // The rows follow what is typed.
  return { ...view, field: { ...field, editor }, ...(field.kind === 'filter' && { filter: editor.text.trim() }) }
}

function selecting({ view, entries }: BoardReading, target: number): BoardState {
  const index = Math.max(0, Math.min(entries.length - 1, target))
  return { ...view, selected: entries[index]?.key ?? null, doubt: null }
}

/** A page of the question, with one line of the former one. */
function scrolled({ view, entry, aboutKey, from, about, area }: BoardReading, by: 1 | -1): BoardState {
  if (!entry) return view
  const step = Math.max(1, area.aboutRows - 1)
  const last = Math.max(0, about.length - area.aboutRows)
  const next = Math.max(0, Math.min(last, from + by * step))
  return { ...view, selected: entry.key, scroll: { ask: aboutKey, from: next } }
}
