/** What is said of files that are not as they were. */

/** `written`: all of it was written, and what stood there before is not known. */
export type ChangeKind = 'new' | 'changed' | 'deleted' | 'renamed' | 'written'
export type ChangeForm = 'text' | 'binary' | 'link' | 'submodule'

/** A file that is not as it was. */
export type FileChange = {
  /** Where it is, absolute; of a file that is gone, where it was. */
  file: string
  /** As it is shown: from the folder that the person works in, where it is below or beside that. */
  path: string
  /** What it was called before it was renamed, as it is shown; else null. */
  from: string | null
  kind: ChangeKind
  form: ChangeForm
  /** Lines; null where they were not counted. */
  added: number | null
  removed: number | null
  /** Whether the lines may be fewer: some were changed more than once, or there is nothing to compare with. */
  isEstimate: boolean
  /** How many edits and writes of the agent's tools were on it in this session. */
  calls: number
}

/** `session` is what this session changed, `before` what was not as in the last commit when it began. */
export type ChangeList = {
  session: readonly FileChange[]
  before: readonly FileChange[]
  /** Of how many of those in `before` nobody knows whether they were changed since then. */
  unsure: number
  /** What one should know of how this was found out: whole sentences. */
  notes: readonly string[]
}

export type DiffLine = {
  sign: ' ' | '-' | '+'
  /** Without its newline and `\r`. */
  text: string
  /** Its number in the file before and in the file after; null where it is not in that, or where nobody knows. */
  before: number | null
  after: number | null
}

/** Lines that stand together. `title` says what of, where that is more than a place in the file; else ''. */
export type Hunk = { title: string; lines: readonly DiffLine[] }

/** The difference of one file. */
export type FileDiff = {
  hunks: readonly Hunk[]
  /** What no line says, or why there are none: whole sentences. */
  notes: readonly string[]
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
