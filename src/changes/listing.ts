/** Reads what `git diff --raw --numstat -z` says: the only form in which any name can stand as it is. */

/** A file as git lists it. Paths are from the top of the repository. */
export type Listed = {
  path: string
  /** Before it was renamed; else null. */
  from: string | null
  /** As git's letters say it. */
  status: 'A' | 'D' | 'M' | 'R' | 'T' | 'U'
  /** What it was and what it is, in git's octal numbers; 000000 where it is not there. */
  modes: readonly [before: string, after: string]
  /** Lines; null for what has none. */
  added: number | null
  removed: number | null
  /** Git does not follow it any more, and it is still there: no listing says so, who knows both does. */
  isLeft: boolean
}

const RAW = /^:(\d{6}) (\d{6}) [\da-f]+(?:\.\.\.)? [\da-f]+(?:\.\.\.)? ([A-Z])\d*$/
const COUNTS = /^(\d+|-)\t(\d+|-)\t([^]*)$/

/** What cannot be read is left out: each file once. */
export function parseListing(text: string): Listed[] {
  const fields = text.split('\0')
  const files = new Map<string, Listed>()
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? ''
    const raw = RAW.exec(field)
    const counts = raw ? null : COUNTS.exec(field)
    if (raw) {
      const isPair = raw[3] === 'R' || raw[3] === 'C'
      addRaw(files, raw, isPair ? fields.slice(at + 1, at + 3) : fields.slice(at + 1, at + 2))
      at += isPair ? 2 : 1
    } else if (counts) {
      // Of a pair the names stand behind, each by itself.
      const isPair = counts[3] === ''
      count(files, isPair ? fields[at + 2] : counts[3], counts)
      if (isPair) at += 2
    }
  }
  return [...files.values()]
}

function addRaw(
  files: Map<string, Listed>,
  [, before = '', after = '', letter = '']: RegExpExecArray,
  paths: string[],
) {
  const path = paths.at(-1)
  if (path === undefined || path === '') return
  const isCopy = letter === 'C'
  const from = paths.length > 1 && !isCopy ? (paths[0] ?? null) : null
  const status = isCopy ? 'A' : letter === 'X' || letter === 'B' ? 'M' : (letter as Listed['status'])
  // What is not merged stands there twice: once as that, and once as what it is in the folder.
  if (status === 'U' && files.has(path)) return
  files.set(path, { path, from, status, modes: [before, after], added: null, removed: null, isLeft: false })
}

function count(files: Map<string, Listed>, path: string | undefined, [, added, removed]: RegExpExecArray): void {
  const file = path === undefined ? undefined : files.get(path)
  if (!file || path === undefined) return
  files.set(path, { ...file, added: lines(added), removed: lines(removed) })
}

const lines = (digits: string | undefined): number | null => (digits === '-' ? null : Number(digits))
