/** Enter in a text field of the board: a filter, a new name, or the words with which a question is refused. */
import type { BoardAnswers } from './answers.ts'
import { askOf } from './entries.ts'
import { send, type BoardWorkParts } from './work-parts.ts'

export async function finishField(parts: BoardWorkParts, answers: BoardAnswers): Promise<void> {
  const { page, context, change } = parts
  const { field } = page.state()
  if (!field) return
  change({ field: null })
  answers.disarm()
  // The rows follow the filter while it is typed.
  if (field.kind === 'filter') return
  const text = field.editor.text.trim()
  const entry = page.reading().entries.find(({ key }) => key === field.key)
  if (!entry) return context.hint('It is not on the board any more.')
  if (field.kind === 'name') {
    if (text !== '') await send(parts, entry, { do: 'rename', title: text }, 'Renaming')
    return
  }
  const ask = askOf(entry)
  // The words were written about that question.
  if (ask?.key !== field.ask) {
    change({ field })
    return context.hint(
      context.keyed('The question has changed, and nothing was sent: {board_field.field_close} shows it.'),
    )
  }
  await answers.answer(ask, false, text)
}
