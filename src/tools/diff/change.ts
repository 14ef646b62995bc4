import type { DiffLine } from '../../text/diff-line.ts'

/** `written`: the whole file was written, and its earlier content is unknown. `commented`: it has comments, and no changes any more. */
export type ChangeKind = 'new' | 'changed' | 'deleted' | 'renamed' | 'written' | 'commented'
export type ChangeForm = 'text' | 'binary' | 'link' | 'submodule'

export type FileChange = {
  /** The absolute path, also of a deleted file. */
  file: string
  /** The path to show: relative to the user's folder if it is near it. */
  path: string
  /** The path to show from before a rename; otherwise null. */
  from: string | null
  kind: ChangeKind
  form: ChangeForm
  /** Lines; null if not counted. */
  added: number | null
  removed: number | null
  /** Whether the counts may be too high: lines were changed more than once, or there is nothing to compare with. */
  isEstimate: boolean
  /** The number of the agent's edits and writes of it in this session. */
  calls: number
}

/** `session` is what this session changed, `before` what differed from the last commit when it began. */
export type ChangeList = {
  session: readonly FileChange[]
  before: readonly FileChange[]
  /** The number of files in `before` that may have changed since then. */
  unsure: number
  /** Sentences about the limits of this list. */
  notes: readonly string[]
  /** What the files have in common, such as `changed since main`; absent for those of the session. */
  title?: string
}

/** How many changed lines of a hunk are in git's index, and not in the last commit. */
export type StagedPart = 'all' | 'some' | 'none'

/** Adjacent lines. `title` names their origin, if that is more than a place in the file; otherwise ''. */
export type Hunk = {
  title: string
  lines: readonly DiffLine[]
  /** Absent if nobody has asked git. */
  staged?: StagedPart
}

export type FileDiff = {
  hunks: readonly Hunk[]
  /** Sentences about what the lines do not show, or why there are none. */
  notes: readonly string[]
  /** Tells two versions of a file apart whose lines are not shown, such as a binary one; absent if that is unknown. */
  version?: string
  /** How the bytes of the file follow from the lines; absent if they do not. */
  exact?: ExactLines
}

export type ExactLines = {
  encoding: 'utf8' | 'latin1'
  /** `git`: git may have converted the line ends of the file to compare it. `bytes`: the file was compared as it is. */
  by: 'git' | 'bytes'
  /** Bytes of the new side where they were counted, so that a later change is noticed. */
  size?: number
  /** Whether the old side may be executed; absent if it is unknown, or as on the new side. */
  wasExecutable?: boolean
}

export function countLines({ hunks }: Pick<FileDiff, 'hunks'>): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { lines } of hunks) {
    for (const { sign } of lines) {
      if (sign === '+') added += 1
      else if (sign === '-') removed += 1
    }
  }
  return { added, removed }
}
