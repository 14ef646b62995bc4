/**
 * A room of /diff: what it does with keys of its own, such as those of comments. Its moves and its works are in files of its own; its keys
 * are in keys.ts, and `moves.ts` and `effects.ts` ask each room in turn.
 */
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { OpenPage } from '../page.ts'
import type { PageInput } from '../page-input.ts'
import type { DiffReading } from './reading.ts'
import type { DiffMove, DiffState } from './state.ts'

/** The state after an input that belongs to a room; undefined if it does not. */
export type RoomAfter = (reading: DiffReading, input: PageInput<DiffMove>) => DiffState | undefined

/** What the works of a room need of the page. */
export type RoomParts = {
  page: OpenPage<DiffState, DiffReading>
  parts: PageParts
  request: DiffRequest
  /** What `z` takes back: the last thing that any room has done. */
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

/** Takes something back, and returns words about it for the line at the bottom. */
type Undo = () => Promise<string> | string

/** What was done on the page, the last one first to be taken back. */
export class Undos {
  readonly #done: Undo[] = []

  push(undo: Undo): void {
    this.#done.push(undo)
  }

  /** Takes back the last thing; null if there is none. */
  async takeBack(): Promise<string | null> {
    const undo = this.#done.pop()
    return undo === undefined ? null : await undo()
  }
}
