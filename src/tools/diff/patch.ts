/** Reads the hunks of a unified diff, as an agent sends it before an edit. */
import type { DiffLine } from '../../text/diff-line.ts'

type HunkPlace = { before: number; after: number; removed: number; added: number }

const HEAD = /^@@ (?:-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? )?@@/

/**
 * The hunks of all files, without their headers. A hunk has as many lines as its head says, so that no line of it is
 * taken for a header; without numbers it ends at the next head. `starts` are the lines at which the files of the
 * headers begin, since the numbers in the patch count from 1 there; null if unknown.
 */
export function readPatch(patch: string, starts: readonly (number | null)[] | null = null): DiffLine[][] {
  const hunks: DiffLine[][] = []
  let place: HunkPlace | null = null
  let isOpen = false
  let part = -1
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const isFull: boolean = place === null ? false : place.removed <= 0 && place.added <= 0
    const head: RegExpExecArray | null = !isOpen || place === null || isFull ? HEAD.exec(line) : null
    if (head) {
      hunks.push([])
      isOpen = true
      place = head[1] === undefined ? null : placeOf(head)
      continue
    }
    if ((!isOpen || isFull) && line.startsWith('--- ')) part += 1
    const rows = hunks.at(-1)
    if (!rows || !isOpen || isFull || line.startsWith('\\ ')) continue
    const row = rowOf(line, place)
    const start = starts?.[part] ?? null
    rows.push(starts === null ? row : { ...row, before: moved(row.before, start), after: moved(row.after, start) })
  }
  return hunks.filter(rows => rows.length > 0)
}

function moved(number: number | null, start: number | null): number | null {
  return number === null || start === null ? null : number + start - 1
}

function placeOf([, before, removed, after, added]: readonly (string | undefined)[]): HunkPlace {
  return { before: Number(before), after: Number(after), removed: Number(removed ?? 1), added: Number(added ?? 1) }
}

/** The line as a row; counts it in the hunk. */
function rowOf(line: string, place: HunkPlace | null): DiffLine {
  const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
  const before = place && sign !== '+' ? place.before : null
  const after = place && sign !== '-' ? place.after : null
  if (place && sign !== '+') {
    place.before += 1
    place.removed -= 1
  }
  if (place && sign !== '-') {
    place.after += 1
    place.added -= 1
  }
  return { sign, text: line.slice(1).replace(/\r$/, ''), before, after }
}
