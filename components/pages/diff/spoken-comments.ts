/** Comments on changes for people who use a screen reader: listed, written by typing, and put into the prompt. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import {
  changedComment,
  LONGEST_COMMENT,
  type CommentedLines,
  type CommentFields,
  type ReviewComment,
} from '../../../src/review/comment.ts'
import { counted } from '../../../src/text/counted.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { subjectKey } from '../../../src/tools/diff/subject.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { commentedInHunk } from './comment-places.ts'
import { onLines, stateWords, whoWords } from './comment-rows.ts'
import { inListOrder, offerComments } from './comment-work.ts'

export class SpokenComments {
  readonly #parts: PageParts
  readonly #subject: string

  constructor(parts: PageParts, request: DiffRequest) {
    this.#parts = parts
    this.#subject = subjectKey(request.subject)
  }

  all(): readonly ReviewComment[] {
    const comments = this.#parts.context.review()?.comments() ?? []
    return comments.filter(({ subject }) => subject === this.#subject)
  }

  /** `2 comments`; '' for none that has not been sent. */
  count(path: string): string {
    const count = this.all().filter(comment => comment.path === path && comment.state !== 'sent').length
    return count === 0 ? '' : counted(count, 'comment')
  }

  /** Answers below the list of files. `paths` are those of the files in their order. */
  ofList(paths: readonly string[]): ChoiceAnswer[] {
    const open = inListOrder(
      this.all().filter(({ state }) => state === 'open'),
      paths,
    )
    if (open.length === 0) return []
    const run = (): void => offerComments(this.#parts.context, open)
    return [{ label: 'put the comments into the prompt', detail: counted(open.length, 'comment'), run }]
  }

  /** Answers for a file: its comments, and new ones. `back` asks about the file again. */
  ofFile({ path }: FileChange, diff: FileDiff, back: () => void): ChoiceAnswer[] {
    if (!this.#parts.context.review()) return []
    const own = this.all().filter(comment => comment.path === path)
    return [
      ...own.map((comment): ChoiceAnswer => ({
        label: oneLine(sanitize(textOf(comment))),
        detail: detailOf(comment),
        run: () => this.#askAbout(comment, back),
      })),
      { label: 'write a comment on the file', detail: '', run: () => this.#write(path, null, back) },
      ...(diff.hunks.length > 0
        ? [{ label: 'write a comment on a line', detail: '', run: () => this.#askForLine(path, diff, back) }]
        : []),
    ]
  }

  #askForLine(path: string, diff: FileDiff, back: () => void): void {
    this.#ask('the number of the line in the new file', 'takes it', typed => {
      const number = Number(typed.trim())
      const hunk = diff.hunks.find(({ lines }) => lines.some(({ after }) => after === number))
      const line = hunk?.lines.find(({ after }) => after === number)
      if (!hunk || !line) {
        this.#parts.context.hint(`Line ${oneLine(sanitize(typed.trim()))} is not among the changes.`)
        return back()
      }
      this.#write(path, commentedInHunk([line], hunk.lines), back)
    })
  }

  #write(path: string, lines: CommentedLines | null, back: () => void): void {
    const at = this.#parts.context.now()
    const comment = { subject: this.#subject, path, lines, text: '', by: 'user', state: 'open', madeAt: at } as const
    this.#askForText({ ...comment, id: crypto.randomUUID(), changedAt: at }, back)
  }

  #askForText(comment: ReviewComment, back: () => void): void {
    this.#ask('the comment', 'keeps it', typed => {
      const text = typed.trim()
      const { context } = this.#parts
      if (text.length > LONGEST_COMMENT) {
        this.#change(comment, { ...(comment.text === '' && { state: 'draft' }), draft: text })
        context.hint('The comment is too long: it stays as one that is not finished.')
      } else if (text !== '') {
        this.#change(comment, { text, state: 'open', draft: undefined, outcome: undefined })
        context.hint('The comment is kept.')
      }
      back()
    })
  }

  /** Changes the newest version; one that is not kept yet is kept so. */
  #change(comment: ReviewComment, fields: CommentFields): void {
    const { context } = this.#parts
    const review = context.review()
    if (!review?.change(comment.id, fields)) review?.put(changedComment(comment, fields, context.now()))
  }

  #askAbout(comment: ReviewComment, back: () => void): void {
    const { context, choicePrompt } = this.#parts
    const put = (state: ReviewComment['state'], words: string): void => {
      context.review()?.change(comment.id, { state })
      context.hint(words)
      back()
    }
    choicePrompt.ask({
      title: oneLine(sanitize(textOf(comment))),
      answers: [
        ...(comment.state === 'offered'
          ? [{ label: 'keep it', detail: '', run: () => put('open', 'The finding is kept.') }]
          : []),
        { label: 'write it anew', detail: '', run: () => this.#askForText(comment, back) },
        { label: 'delete it', detail: '', run: () => put('dropped', 'The comment is deleted.') },
        { label: 'back', detail: '', run: back },
      ],
    })
  }

  #ask(title: string, detail: string, run: (typed: string) => void): void {
    this.#parts.choicePrompt.ask({ title, answers: [], typed: { detail, run } })
  }
}

const textOf = ({ text, draft }: ReviewComment): string => (text === '' ? (draft ?? '') : text)

function detailOf(comment: ReviewComment): string {
  return [whoWords(comment), onLines(comment), ...stateWords(comment, 'there')].filter(part => part !== '').join(', ')
}
