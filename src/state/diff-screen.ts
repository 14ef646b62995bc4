/** What was changed, on a screen of its own: as far as the program knows of that screen. */
import type { FileChange, ChangeList, FileDiff } from '../tools/diff/change.ts'
import type { ScrollMove } from './scroll-move.ts'

/** The ways to move in it; what they mean is the screen's own affair. */
export type DiffMove =
  | ScrollMove
  | 'show'
  | 'list'
  | 'next_hunk'
  | 'previous_hunk'
  | 'next_file'
  | 'previous_file'
  | 'layout'
  | 'wrap'
  | 'help'
  | 'leave'

/** What is done with what is seen in it. */
export type DiffWork = 'edit' | 'copy' | 'reload'

/** An action of the keys of /diff. */
export type DiffAction = { do: 'diff'; how: DiffMove | DiffWork }

export type DiffScreen = {
  open: () => void
  close: () => void
  perform: (move: DiffMove) => void
  /** Whether a file or the keys are shown, which `leave` leaves first. */
  isBusy: () => boolean
  /** The file that is shown, whose lines are needed; null in the list. */
  shown: () => FileChange | null
  /** The file that is shown or chosen, and its line at this place, counted from 1. */
  place: () => { change: FileChange; line: number | null } | null
}

/** What has been found out by now; of the lines only those that were asked for. */
export type Changes = {
  list: ChangeList
  /** Git is being asked, and there may be more. */
  isAsking: boolean
  /** By the files' absolute paths. */
  diffs: ReadonlyMap<string, FileDiff>
}
