/** Comments on a diff: the text field in which one is written, and how the cursor goes through them. */
import { createEditor, edit, type EditCommand } from '../../../src/composer/editor.ts'
import type { CommentedLines, ReviewComment } from '../../../src/review/comment.ts'
import { commentedInHunk } from './comment-places.ts'
import { fieldWidth } from './comment-rows.ts'
import { cursorTarget, type CursorTarget, type DiffReading } from './reading.ts'
import type { FeatureAfter } from './feature.ts'
import { startOfHunk, type CommentField, type DiffState } from './state.ts'

export const commentsAfter: FeatureAfter = (reading, input) => {
  const { view, window } = reading
  if (view.field) return inField(reading, view.field, input)
  if (input.kind !== 'move' || view.help !== null) return undefined
  const { move } = input
  if (move === 'comment') return opened(reading)
  if (move === 'next_comment' || move === 'previous_comment')
    return toComment(reading, move === 'next_comment' ? 1 : -1)
  const isOnComment = window?.rows.row(window.cursor)?.kind === 'note'
  return move === 'show' && isOnComment ? opened(reading) : undefined
}

/** The letters, the keys and the pastes of the text field. Nothing else gets through while it is open. */
function inField(reading: DiffReading, field: CommentField, input: Parameters<FeatureAfter>[1]): DiffState {
  const { view } = reading
  const command = commandOf(input)
  if (!command) return view
  const editor = edit(field.editor, command, fieldWidth(reading.context.size.columns))
  return { ...view, field: { ...field, editor } }
}

function commandOf(input: Parameters<FeatureAfter>[1]): EditCommand | null {
  if (input.kind === 'text') return input.edit ?? { kind: 'insert', text: input.text }
  if (input.kind !== 'move') return null
  if (input.move === 'row_up') return { kind: 'move', to: 'up' }
  if (input.move === 'row_down') return { kind: 'move', to: 'down' }
  return input.move === 'delete_right' ? { kind: 'deleteRight' } : null
}

/** Opens the text field for the comment at the cursor, for the draft that was left there, or for a new one. */
function opened(reading: DiffReading): DiffState {
  const { view, shown } = reading
  const target = cursorTarget(reading)
  if (!target) return view
  const { path, file } = target.change
  const at: DiffState = shown ? view : { ...view, file, ...startOfHunk(0) }
  const lines = commentableLines(reading, target)
  const known = target.comment ?? view.comments.find(each => each.state === 'draft' && isAt(each, path, lines))
  const comment = known ?? newComment(path, lines)
  const editor = createEditor(comment.draft ?? comment.text)
  return { ...at, field: { comment, editor, isFromList: shown === null } }
}

function newComment(path: string, lines: CommentedLines | null): ReviewComment {
  return { id: '', subject: '', path, lines, text: '', by: 'user', state: 'draft', madeAt: 0, changedAt: 0 }
}

function isAt(comment: ReviewComment, path: string, lines: CommentedLines | null): boolean {
  const { side, from, to } = comment.lines ?? {}
  return comment.path === path && side === lines?.side && from === lines?.from && to === lines?.to
}

/** The lines that a comment at the cursor is about; at the heading of a hunk, all that it changes. Null for the whole file. */
function commentableLines({ shown, diff }: DiffReading, { hunk, lines }: CursorTarget): CommentedLines | null {
  if (!shown || hunk === null) return null
  const all = diff?.hunks[hunk]?.lines ?? []
  const changed = all.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const own = lines.length > 0 ? lines : all.slice(changed[0], (changed.at(-1) ?? 0) + 1)
  return commentedInHunk(own, all)
}

/** The cursor on the next or the previous comment, over all files in the order of the list. */
function toComment(reading: DiffReading, by: 1 | -1): DiffState {
  const { view, files, selected, shown, window } = reading
  const here = shown && window ? window.cursor : by > 0 ? -1 : Infinity
  const inFile = (window?.rows.notes ?? []).flatMap(({ key }) => {
    const row = window?.rows.find({ hunk: null, line: null, note: key, row: 0 }).row ?? 0
    return (shown && row - here) === 0 || Math.sign(row - here) !== by ? [] : [{ key, row }]
  })
  const near = inFile.toSorted((one, other) => by * (one.row - other.row))[0]
  if (shown && window && near) return { ...view, anchor: null, cursor: window.rows.placeOf(near.row) }
  const from = shown || by < 0 ? selected + by : selected
  for (let index = from; index >= 0 && index < files.length; index += by) {
    const change = files[index]
    const sorted = inOrder(view.comments.filter(({ path }) => path === change?.path))
    const comment = sorted.at(by > 0 ? 0 : -1)
    if (!change || !comment) continue
    const cursor = { hunk: null, line: null, note: comment.id, row: 0 }
    return { ...view, selected: { index, file: change.file }, file: change.file, anchor: null, top: cursor, cursor }
  }
  return view
}

/** The comments of a file from its beginning to its end, as far as that is known before the file is read. */
export function inOrder(comments: readonly ReviewComment[]): ReviewComment[] {
  return comments.toSorted((one, other) => (one.lines?.to ?? -1) - (other.lines?.to ?? -1))
}
