/** What keys, typed text and the mouse do in /find. Nothing here searches. */
import { edit, type EditCommand } from '../../../src/composer/editor.ts'
import { lookup } from '../../../src/text/lookup.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps } from '../scroll.ts'
import { passageAtRow, type FindReading } from './reading.ts'
import { editOf, kinds, selectedIndex, type FindMove, type FindState } from './state.ts'

/** Wider than any text that is searched for: it is one line, which the field shows a part of. */
const ONE_LINE = 1_000_000
/** Characters of a search: what is pasted may be a whole file. */
const LONGEST = 1000

/** The next state; null closes the page. */
export function findAfter(reading: FindReading, input: PageInput<FindMove>): FindState | null {
  const { view } = reading
  switch (input.kind) {
    case 'move':
      return input.move === 'leave' ? null : afterMove(reading, input.move)
    case 'text':
      return edited(view, { kind: 'insert', text: input.text.replaceAll(/\s/g, ' ').slice(0, LONGEST) })
    case 'wheel':
      return selecting(reading, selectedIndex(view) + input.by)
    case 'click': {
      const index = passageAtRow(reading, input.y)
      return index === null ? view : selecting(reading, index)
    }
  }
}

function afterMove(reading: FindReading, move: Exclude<FindMove, 'leave'>): FindState {
  const { view, each } = reading
  const command = editOf(move)
  if (command) return edited(view, command)
  if (move === 'here') return searching({ ...view, isHere: !view.isHere })
  if (move === 'next_kind' || move === 'previous_kind') {
    const at = kinds.indexOf(view.kind) + (move === 'next_kind' ? 1 : kinds.length - 1)
    return searching({ ...view, kind: kinds[at % kinds.length] ?? null })
  }
  const steps: Partial<Record<string, number>> = scrollSteps(each)
  return selecting(reading, selectedIndex(view) + (lookup(steps, move) ?? 0))
}

function edited(view: FindState, command: EditCommand): FindState {
  const editor = edit(view.editor, command, ONE_LINE)
  if (editor.text.length > LONGEST && editor.text.length > view.editor.text.length) return view
  return editor.text === view.editor.text ? { ...view, editor } : searching({ ...view, editor })
}

/** Another search begins at its best passage. */
function searching(view: FindState): FindState {
  return { ...view, selected: null }
}

function selecting({ view }: FindReading, target: number): FindState {
  const last = view.found.passages.length - 1
  return last < 0 ? view : { ...view, selected: Math.max(0, Math.min(last, target)) }
}
