/** What the keys of comments do beyond moving: comments are kept, deleted and sent, and what is being written is never lost. */
import { edit } from '../../../src/composer/editor.ts'
import { normalisePaste } from '../../../src/composer/paste.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import { editDraftText } from '../../../src/app/composer/draft-editor.ts'
import { offerPrompt } from '../../../src/app/composer/offer-prompt.ts'
import { changedComment, LONGEST_COMMENT, type CommentFields, type ReviewComment } from '../../../src/review/comment.ts'
import { promptOfComments } from '../../../src/review/comment-prompt.ts'
import { counted } from '../../../src/text/counted.ts'
import { subjectKey } from '../../../src/tools/diff/subject.ts'
import { fieldWidth } from './comment-rows.ts'
import { cursorTarget } from './reading.ts'
import type { FeatureParts } from './feature.ts'
import { listedFiles, type CommentField } from './state.ts'

/** Milliseconds after which unfinished words are kept while somebody types. */
const PAUSE = 1000

export class CommentWork {
  readonly #feature: FeatureParts
  readonly #subject: string
  #unfollow: () => void = () => undefined
  #saving: NodeJS.Timeout | undefined

  constructor(feature: FeatureParts) {
    this.#feature = feature
    this.#subject = subjectKey(feature.request.subject)
  }

  /** Shows the comments, also those that other programs write meanwhile. */
  opened(): void {
    const review = this.#feature.parts.context.review()
    if (!review) return
    this.#unfollow = review.onChange(() => this.#show())
    this.#show()
  }

  /** Called after each input: unfinished words are kept soon. */
  moved(): void {
    if (!this.#feature.page.state().field) return
    this.#saving ??= setTimeout(() => this.#saveDraft(), PAUSE)
  }

  closed(): void {
    this.#saveDraft()
    this.#unfollow()
  }

  /** Enter in the text field. */
  keep(): void {
    const { page, undos, parts } = this.#feature
    const { field } = page.state()
    if (!field) return
    const { comment } = field
    const text = field.editor.text.trim()
    if (text.length > LONGEST_COMMENT) {
      const counts = `${text.length.toLocaleString('en')} of at most ${LONGEST_COMMENT.toLocaleString('en')} characters`
      return parts.context.hint(`The comment is too long: ${counts}.`)
    }
    if (text === '') {
      if (comment.id !== '') this.#drop(comment)
      return this.#leave(null)
    }
    const isNew = comment.state === 'draft'
    const isSame = !isNew && text === comment.text && comment.state !== 'offered'
    if (isSame && comment.draft === undefined) return this.#leave(comment)
    const changed: CommentFields = isSame ? {} : { text, state: 'open', outcome: undefined }
    const kept = this.#change(this.#identified(comment), { ...changed, draft: undefined })
    const { text: was, state, outcome } = comment
    if (isNew) undos.push(() => this.#takeBack(kept, { state: 'dropped' }, 'The comment is deleted again.'))
    else if (!isSame) undos.push(() => this.#takeBack(kept, { text: was, state, outcome }, 'The comment is as it was.'))
    this.#leave(kept)
  }

  /** Esc in the text field: what it holds stays as an unfinished comment. */
  close(): void {
    const field = this.#saveDraft()
    if (!field) return
    const { comment, editor } = field
    if (editor.text.trim() === '' && comment.state === 'draft' && comment.id !== '') {
      this.#change(comment, { state: 'dropped' })
      return this.#leave(null)
    }
    this.#leave(comment.id === '' ? null : comment)
  }

  async editOutside(): Promise<void> {
    const { page, parts, isOpen } = this.#feature
    const field = this.#saveDraft()
    if (!field) return
    const text = await editDraftText(parts.context, field.editor.text)
    const now = page.state()
    if (text === null || !isOpen() || !now.field) return
    const width = fieldWidth(page.reading().context.size.columns)
    const editor = edit(now.field.editor, { kind: 'setText', text: normalisePaste(text) }, width)
    page.set({ ...now, field: { ...now.field, editor } })
    this.#saveDraft()
  }

  /** Deletes the comment at the cursor. False if there is none. */
  remove(): boolean {
    const { page, parts } = this.#feature
    const comment = cursorTarget(page.reading())?.comment
    if (!comment) return false
    this.#drop(comment)
    parts.context.hint(parts.context.keyed('Deleted. {diff.undo} takes it back.'))
    return true
  }

  /** Keeps the finding at the cursor. False if there is no comment. */
  keepFinding(): boolean {
    const { page, parts, undos } = this.#feature
    const comment = cursorTarget(page.reading())?.comment
    if (!comment) return false
    if (comment.state !== 'offered') {
      parts.context.hint(parts.context.keyed(NOT_KEPT[comment.state]))
      return true
    }
    this.#change(comment, { state: 'open' })
    undos.push(() => this.#takeBack(comment, { state: 'offered' }, 'The finding is not kept any more.'))
    return true
  }

  /** Says that a key does nothing with the comment at the cursor. False if there is none. */
  refuses(): boolean {
    const { page, parts } = this.#feature
    const isThere = Boolean(cursorTarget(page.reading())?.comment)
    if (isThere) parts.context.hint(parts.context.keyed('This is a comment: {diff.revert} deletes it.'))
    return isThere
  }

  /** Puts all open comments into the prompt, and closes the page. */
  send(): void {
    const { page, parts } = this.#feature
    const { context } = parts
    const state = page.state()
    const open = inListOrder(
      state.comments.filter(comment => comment.state === 'open'),
      listedFiles(state).map(({ path }) => path),
    )
    const others = unsent(state.comments)
    if (open.length === 0) {
      return context.hint(others === '' ? 'There are no comments to send.' : `There is nothing to send yet: ${others}.`)
    }
    page.close()
    offerComments(context, open)
    if (others !== '') context.addProgramNotice('info', `Not in the prompt: ${others}.`)
  }

  #drop(comment: ReviewComment): void {
    this.#change(comment, { state: 'dropped' })
    this.#feature.undos.push(() => {
      // The file may have forgotten the words of a dropped one.
      this.#put({ ...comment, changedAt: this.#feature.parts.context.now() })
      return 'The comment is there again.'
    })
  }

  #takeBack(comment: ReviewComment, fields: CommentFields, words: string): string {
    this.#change(comment, fields)
    return words
  }

  /** Keeps what the text field holds, if that is not kept yet. Returns the field as it then is. */
  #saveDraft(): CommentField | null {
    clearTimeout(this.#saving)
    this.#saving = undefined
    const { page } = this.#feature
    const { field } = page.state()
    if (!field) return null
    const { comment, editor } = field
    const { text } = editor
    if (text === (comment.draft ?? comment.text)) return field
    const isAsKept = text === comment.text && comment.state !== 'draft'
    const fields = { draft: isAsKept ? undefined : text }
    const kept = this.#change(this.#identified(comment), fields)
    // Another program has dropped it meanwhile, but what is being written is not lost.
    const saved = { ...field, comment: kept.state === 'dropped' ? this.#put(this.#changed(comment, fields)) : kept }
    page.set({ ...page.state(), field: saved })
    return saved
  }

  #identified(comment: ReviewComment): ReviewComment {
    if (comment.id !== '') return comment
    return { ...comment, id: crypto.randomUUID(), subject: this.#subject, madeAt: this.#feature.parts.context.now() }
  }

  /** Closes the text field, with the cursor on the comment. */
  #leave(comment: ReviewComment | null): void {
    const { page } = this.#feature
    const state = page.state()
    clearTimeout(this.#saving)
    this.#saving = undefined
    const { isFromList = false } = state.field ?? {}
    const cursor = comment ? { ...state.cursor, note: comment.id } : state.cursor
    page.set({ ...state, field: null, anchor: null, cursor, ...(isFromList && { file: null }) })
  }

  /** Changes the newest version of a comment; one that is not kept yet is kept so. */
  #change(comment: ReviewComment, fields: CommentFields): ReviewComment {
    const kept = this.#feature.parts.context.review()?.change(comment.id, fields) ?? null
    if (kept === null) return this.#put(this.#changed(comment, fields))
    this.#show()
    return kept
  }

  #changed(comment: ReviewComment, fields: CommentFields): ReviewComment {
    return changedComment(comment, fields, this.#feature.parts.context.now())
  }

  #put(comment: ReviewComment): ReviewComment {
    const { page, parts } = this.#feature
    const review = parts.context.review()
    if (review) {
      const kept = review.put(comment)
      this.#show()
      return kept
    }
    const state = page.state()
    const others = state.comments.filter(({ id }) => id !== comment.id)
    page.set({ ...state, comments: comment.state === 'dropped' ? others : [...others, comment] })
    return comment
  }

  #show(): void {
    const { page, parts, isOpen } = this.#feature
    const review = parts.context.review()
    if (!review || !isOpen()) return
    const comments = review.comments().filter(({ subject }) => subject === this.#subject)
    page.set({ ...page.state(), comments })
  }
}

/** Why a comment is not kept like a finding. */
const NOT_KEPT: Readonly<Record<Exclude<ReviewComment['state'], 'offered'>, string>> = {
  draft: 'The comment is not finished: {diff.comment} goes on with it.',
  open: 'The comment is kept already: {diff.send} sends it.',
  sent: 'The comment was sent already: {diff.comment} changes it.',
  dropped: 'The comment is deleted.',
}

/** Puts comments into the prompt. */
export function offerComments(context: AppContext, open: readonly ReviewComment[]): void {
  const words = open.length === 1 ? { what: 'The comment is', them: 'it' } : { what: 'The comments are', them: 'them' }
  offerPrompt(context, promptOfComments(open), words)
}

/** The comments by files as they are listed, and in each from its beginning to its end. */
export function inListOrder(comments: readonly ReviewComment[], paths: readonly string[]): ReviewComment[] {
  const placeOf = new Map(paths.map((path, index) => [path, index]))
  const rank = ({ path }: ReviewComment): number => placeOf.get(path) ?? paths.length
  return comments.toSorted((a, b) => rank(a) - rank(b) || (a.lines?.from ?? 0) - (b.lines?.from ?? 0))
}

/** What `S` leaves out, in words. */
export function unsent(comments: readonly ReviewComment[]): string {
  const offered = comments.filter(({ state }) => state === 'offered').length
  const drafts = comments.filter(({ state }) => state === 'draft').length
  return [
    ...(offered > 0 ? [`${counted(offered, 'finding')} that you have not kept`] : []),
    ...(drafts > 0 ? [`${counted(drafts, 'comment')} that ${drafts === 1 ? 'is' : 'are'} not finished`] : []),
  ].join(', ')
}
