/** Notes what a turn did with the lines of the comments that it was sent. */
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { readContent } from '../../changes/file-content.ts'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import type { ReviewComment } from '../../review/comment.ts'
import { outcomeOf, outcomeWords, type CommentOutcome } from '../../review/outcome.ts'
import type { ReviewFile } from '../../storage/review/review-file.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'

/** Bytes of one file, and the number of files, whose lines are compared. */
const MOST_OF_ONE = 4 * 1024 * 1024
const MOST_FILES = 64

/** The text of a file; null if there is none, undefined if it cannot be compared. */
type ReadText = Promise<string | null | undefined>

/** The files of comments when a turn began, by their absolute path. */
type TurnFiles = { review: ReviewFile; before: Map<string, ReadText> }

export class ReviewOutcomes {
  readonly #context: AppContext
  readonly #host: Pick<Host, 'folder' | 'remote'>
  readonly #files: ProjectFiles
  #turn: TurnFiles | null = null

  constructor(context: AppContext, host: Pick<Host, 'folder' | 'remote'>) {
    this.#context = context
    this.#host = host
    this.#files = host.remote?.files ?? here
  }

  /** Called with each event of the conversation. */
  onEvent({ type }: AgentEvent): void {
    if (type === 'prompt_sent' || type === 'turn_begun' || type === 'steer_delivered') void quietly(this.#remember())
    else if (type === 'turn_ended' || type === 'agent_ended') void quietly(this.#settle())
    else if (type === 'prompt_refused') this.#turn = null
  }

  /** Reads the files of all comments that this turn may get, if they were not read for it yet. */
  async #remember(): Promise<void> {
    // The demo only pretends to change files.
    const review = this.#context.state().startup.demo ? null : this.#context.review()
    if (!review) return
    review.refresh()
    const comments = review.comments().filter(mayBeSent)
    if (comments.length === 0) return
    const turn = this.#turn?.review === review ? this.#turn : { review, before: new Map<string, ReadText>() }
    this.#turn = turn
    for (const comment of comments) {
      const file = await this.#fileOf(comment)
      if (file !== null && !turn.before.has(file) && turn.before.size < MOST_FILES)
        turn.before.set(file, this.#read(file))
    }
  }

  async #settle(): Promise<void> {
    const turn = this.#turn
    this.#turn = null
    if (!turn) return
    const { review, before } = turn
    const after = new Map<string, ReadText>()
    const outcomes: CommentOutcome[] = []
    for (const sent of review.comments().filter(isUnsettled)) {
      const file = await this.#fileOf(sent)
      const was = file === null ? undefined : await before.get(file)
      if (file === null || was === undefined) continue
      const reading = after.get(file) ?? this.#read(file)
      after.set(file, reading)
      const is = await reading
      const outcome = is === undefined ? null : outcomeOf(sent, was, is)
      // Another program may have been faster, or the user has changed the comment meanwhile.
      review.refresh()
      const comment = review.comments().find(({ id }) => id === sent.id)
      if (!outcome || !comment || !isUnsettled(comment)) continue
      review.change(sent.id, { outcome })
      outcomes.push(outcome)
    }
    if (outcomes.length > 0) this.#context.addNotice('info', outcomeWords(outcomes))
  }

  #read(file: string): ReadText {
    return this.#textOf(file).catch(() => undefined)
  }

  async #textOf(file: string): ReadText {
    const content = await readContent(file, MOST_OF_ONE, this.#files)
    if (content.kind === 'none') return null
    return content.kind === 'text' ? this.#context.redact(content.text) : undefined
  }

  /** The absolute path of a comment's file; null if it is not on the disk. */
  async #fileOf({ subject, path }: ReviewComment): Promise<string | null> {
    const folder = await this.#folderOf(subject)
    return folder === null ? null : resolve(folder, path)
  }

  /** The folder that the paths of a subject count from. */
  async #folderOf(subject: string): Promise<string | null> {
    const { folder } = this.#host
    const { worktrees } = this.#context
    if (!subject.startsWith(WORKTREE)) return folder
    const branch = subject.slice(WORKTREE.length)
    const own = worktrees?.at(folder)
    if (own?.branch === branch) return own.folder
    const listed = await worktrees?.list(folder)
    const found = listed?.ok === true ? listed.value.find(({ worktree }) => worktree.branch === branch) : undefined
    return found?.worktree.folder ?? null
  }
}

/** A comment without an outcome is better than the end of the conversation. */
async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => undefined)
}

/** The beginning of `subjectKey` for a worktree. */
const WORKTREE = 'worktree:'

function mayBeSent({ state }: ReviewComment): boolean {
  return state === 'open' || state === 'sent'
}

function isUnsettled({ state, outcome }: ReviewComment): boolean {
  return state === 'sent' && outcome === undefined
}
