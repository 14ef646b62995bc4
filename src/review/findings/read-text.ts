/** Reads findings from prose, for an agent that was asked for JSON and wrote none: lines that begin with a place in a file. */
import type { ReviewFinding, FindingLevel } from './finding.ts'
import { levelOf, pathOf, withTitle } from './read-json.ts'

/** Characters of a line in which a place is looked for. */
const LONGEST_HEAD = 600

/** What may stand before a place: marks of lists and headings, marks around code, and a level such as `[error]`. */
const HEAD = /^[\s>]{0,12}(?:[-*+•]\s+|\d{1,4}[.)]\s+|#{1,6}\s+)?/
const LEVEL =
  /^[*_[(]{0,4}(error|critical|blocker|major|high|warning|warn|medium|minor|low|note|info|nit|p[0-4])[\])*_:,.–—-]{1,6}\s*/i
const PLACE =
  /^[*_`([]{0,4}((?:\/|\.{1,2}\/)?(?:[\w@.+~-]{1,120}\/){0,30}[\w@+~-][\w@.+~-]{0,120}):(\d{1,9})(?:(?::\d{1,6})|[-–](\d{1,9}))?[*_`)\]]{0,4}/

/** Findings of the forms `path:12: words`, `- **path:12-14** words` and `1. [error] path:12 - words`. */
export function findingsInText(text: string): ReviewFinding[] {
  const findings: ReviewFinding[] = []
  let last: { head: Head; lines: string[]; isHeading: boolean } | null = null
  let isCode = false
  for (const line of text.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    const place = isCode || isFence ? null : placeIn(line)
    if (isFence) isCode = !isCode
    if (place) {
      finish()
      last = { head: place.head, lines: [place.rest], isHeading: line.startsWith('#') }
    } else if (last && (isCode || isFence || last.isHeading || last.lines.at(-1)?.trim() !== '' || /^\s|^$/.test(line)))
      last.lines.push(line)
    // Another paragraph at the margin is about all of them.
    else finish()
  }
  finish()
  return findings

  function finish(): void {
    const words = last && withTitle('', outdented(last.lines))
    if (last && words) findings.push({ ...last.head, ...words })
    last = null
  }
}

type Head = Omit<ReviewFinding, 'title' | 'text'>

function placeIn(line: string): { head: Head; rest: string } | null {
  const whole = line.slice(0, LONGEST_HEAD)
  let at = HEAD.exec(whole)?.[0].length ?? 0
  const before = LEVEL.exec(whole.slice(at))
  at += before?.[0].length ?? 0
  const [place = '', path = '', from = '', to] = PLACE.exec(whole.slice(at)) ?? []
  // `12:30` is a time, and `http:80` no file.
  if (place === '' || !/[a-z]/i.test(path) || !/[./]/.test(path)) return null
  const line1 = Number(from)
  if (line1 < 1) return null
  let rest = line.slice(at + place.length).replace(/^[\s:,*_–—-]{1,8}/, '')
  const after = before ? null : LEVEL.exec(rest.slice(0, LONGEST_HEAD))
  if (after) rest = rest.slice(after[0].length)
  const level: FindingLevel = levelOf((before ?? after)?.[1] ?? '')
  return { head: { level, path: pathOf(path), lines: { from: line1, to: Math.max(line1, Number(to ?? from)) } }, rest }
}

/** Lines without the columns that all but the first begin with. */
function outdented([first = '', ...rest]: readonly string[]): string {
  const columns = Math.min(...rest.filter(line => line.trim() !== '').map(line => /^ */.exec(line)?.[0].length ?? 0))
  return [first, ...rest.map(line => line.slice(Number.isFinite(columns) ? columns : 0))].join('\n').trim()
}
