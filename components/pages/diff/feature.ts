/**
 * A feature of /diff with keys of its own, such as those of comments. Its moves and its works are in files of its own; its keys
 * are in keys.ts, and `moves.ts` and `effects.ts` ask each feature in turn.
 */
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { OpenPage } from '../page.ts'
import type { PageInput } from '../page-input.ts'
import type { DiffReading } from './reading.ts'
import type { DiffMove, DiffState } from './state.ts'

/** The state after an input that belongs to a feature; undefined if it does not. */
export type FeatureAfter = (reading: DiffReading, input: PageInput<DiffMove>) => DiffState | undefined

/** What the works of a feature need of the page. */
export type FeatureParts = {
  page: OpenPage<DiffState, DiffReading>
  parts: PageParts
  request: DiffRequest
  /** What `z` takes back: the last thing that any feature has done. */
  undos: Undos
  /** Collects the changes again, after something has changed them. */
  reload: () => Promise<void>
  /** The diff of a file, with secrets masked; null if the changes are not known, or other ones, by then. */
  diffOf: (change: FileChange) => Promise<FileDiff | null>
  /** The same, read again and with its secrets, for what is done with the file itself. */
  fresh: (change: FileChange) => Promise<FileDiff | null>
  /** Masks the secrets of a diff. */
  redacted: (diff: FileDiff) => FileDiff
  /** False once the page has been closed. */
  isOpen: () => boolean
}

/** Takes something back, and returns words about it for the line at the bottom, or why it cannot be done now. */
type Undo = () => Promise<string | RefusedUndo> | string
type RefusedUndo = { refused: string }

/** What was done on the page, the last one first to be taken back. */
export class Undos {
  readonly #done: Undo[] = []

  push(undo: Undo): void {
    this.#done.push(undo)
  }

  /** Takes back the last thing; null if there is none. What is refused stays, to be tried again. */
  async takeBack(): Promise<string | null> {
    const undo = this.#done.pop()
    if (!undo) return null
    const answer = await undo()
    if (typeof answer === 'string') return answer
    this.#done.push(undo)
    return answer.refused
  }
}
