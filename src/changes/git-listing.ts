/** Parses the output of `git diff --raw --numstat -z`, the only form that can hold any file name. */

/** Git's letters for a change. */
const listedStatuses = ['A', 'D', 'M', 'R', 'T', 'U'] as const

/** A file as git lists it. Paths are from the top of the repository. */
export type GitListedFile = {
  path: string
  /** The path before a rename; otherwise null. */
  from: string | null
  status: (typeof listedStatuses)[number]
  /** The modes before and after, as git's octal numbers; 000000 if the file does not exist. */
  modes: readonly [before: string, after: string]
  /** Lines; null for a binary file. */
  added: number | null
  removed: number | null
  /** Whether git no longer tracks it though it still exists; set later, since no listing says so. */
  isLeft: boolean
}

const RAW = /^:(\d{6}) (\d{6}) [\da-f]+(?:\.\.\.)? [\da-f]+(?:\.\.\.)? ([A-Z])\d*$/
const COUNTS = /^(\d+|-)\t(\d+|-)\t([^]*)$/

/**
 * Parses a listing into one entry per file, without what cannot be parsed. Files that were only touched are left out, except binary ones:
 * git does not count their lines.
 */
export function parseListing(text: string): GitListedFile[] {
  const fields = text.split('\0')
  const files = new Map<string, GitListedFile>()
  /** Those that differ in more than the time: their lines are counted, or they are unmerged. */
  const differing = new Set<string>()
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? ''
    const raw = RAW.exec(field)
    const counts = raw ? null : COUNTS.exec(field)
    if (raw) {
      const isPair = raw[3] === 'R' || raw[3] === 'C'
      const paths = fields.slice(at + 1, isPair ? at + 3 : at + 2)
      addRaw(files, raw, paths)
      if (raw[3] === 'U') differing.add(paths[0] ?? '')
      at += isPair ? 2 : 1
    } else if (counts) {
      // The names of a pair follow as separate fields.
      const isPair = counts[3] === ''
      const path = isPair ? fields[at + 2] : counts[3]
      count(files, path, counts)
      if (path !== undefined) differing.add(path)
      if (isPair) at += 2
    }
  }
  return [...files.values()].filter(file => differing.has(file.path) || !isMaybeTouched(file))
}

/** Whether nothing but the content can differ. */
const isMaybeTouched = ({ status, modes }: GitListedFile): boolean => status === 'M' && modes[0] === modes[1]

/** The binary files of a listing that were maybe only touched: their paths, and the beginning of the object that each is compared with. */
export function maybeTouched(text: string, files: readonly GitListedFile[]): ReadonlyMap<string, string> {
  const unsure = new Set(files.filter(file => file.added === null && isMaybeTouched(file)).map(({ path }) => path))
  const raw = [...text.matchAll(/(?:^|\0):(\d{6}) \1 ([\da-f]+) 0+ M\0([^\0]+)/g)]
  return new Map(raw.flatMap(([, , object = '', path = '']) => (unsure.has(path) ? [[path, object]] : [])))
}

function addRaw(
  files: Map<string, GitListedFile>,
  [, before = '', after = '', letter = '']: RegExpExecArray,
  paths: string[],
) {
  const path = paths.at(-1)
  if (path === undefined || path === '') return
  const isCopy = letter === 'C'
  const from = paths.length > 1 && !isCopy ? (paths[0] ?? null) : null
  const status = isCopy ? 'A' : (listedStatuses.find(each => each === letter) ?? 'M')
  // An unmerged file is listed twice: as unmerged, and by its state in the folder.
  if (status === 'U' && files.has(path)) return
  files.set(path, { path, from, status, modes: [before, after], added: null, removed: null, isLeft: false })
}

function count(files: Map<string, GitListedFile>, path: string | undefined, [, added, removed]: RegExpExecArray): void {
  const file = path === undefined ? undefined : files.get(path)
  if (!file || path === undefined) return
  files.set(path, { ...file, added: lines(added), removed: lines(removed) })
}

const lines = (digits: string | undefined): number | null => (digits === '-' ? null : Number(digits))
