/**
 * Reads findings from JSON, as agents write it: the list that the prompt asks for, lists with other names for the same things,
 * SARIF, one object a line, and a list that breaks off. Null for JSON that is none of these.
 */
import { isObject, parseJson } from '../../text/json.ts'
import { lookup } from '../../text/lookup.ts'
import { findingLevels, MOST_FINDINGS, type ReviewFinding, type FindingLevel, type FoundFindings } from './finding.ts'

type Fields = Readonly<Record<string, unknown>>

/** Characters. Longer texts are cut. */
const LONGEST_PATH = 1_000
const LONGEST_TITLE = 300
const LONGEST_TEXT = 8_000

/** A larger number is no line of a file. */
const LAST_LINE = 100_000_000

export function findingsInJson(text: string): FoundFindings | null {
  const value = parseJson(text.trim())
  if (value !== undefined) return found(value)
  const objects = objectsIn(text.slice(0, MOST_TRIED)).flatMap(each => findingOf(each) ?? [])
  return objects.length === 0 ? null : bounded(objects, null)
}

function found(value: unknown): FoundFindings | null {
  if (Array.isArray(value)) return fromList(value, null)
  if (!isObject(value)) return null
  const base = textOf(value, ['base', 'baseRevision'])
  const list = lists.map(name => lookup(value, name)).find(Array.isArray)
  if (list) return fromList(list, base === '' ? null : base.slice(0, LONGEST_PATH))
  const runs = lookup(value, 'runs')
  if (Array.isArray(runs))
    return bounded(
      runs.filter(isObject).flatMap(run => fromSarif(lookup(run, 'results'))),
      null,
    )
  const one = findingOf(value)
  return one && bounded([one], null)
}

const lists = ['findings', 'issues', 'comments', 'problems', 'results'] as const

/** An empty list is a review without findings. One of other things is no review. */
function fromList(list: readonly unknown[], base: string | null): FoundFindings | null {
  const findings = list.flatMap(each => (isObject(each) ? (findingOf(each) ?? []) : []))
  return list.length > 0 && findings.length === 0 ? null : bounded(findings, base)
}

/** Of too many findings the worst are kept, so that no note takes the place of an error. */
export function bounded(all: readonly ReviewFinding[], base: string | null): FoundFindings {
  const left = Math.max(0, all.length - MOST_FINDINGS)
  const findings = left === 0 ? all : findingLevels.flatMap(level => all.filter(finding => finding.level === level))
  return { findings: findings.slice(0, MOST_FINDINGS), left, base }
}

function fromSarif(results: unknown): ReviewFinding[] {
  if (!Array.isArray(results)) return []
  return results.filter(isObject).flatMap(result => {
    const [place] = arrayOf(result, 'locations')
    const physical = objectIn(place, 'physicalLocation')
    const region = objectIn(physical, 'region')
    const message = objectIn(result, 'message')
    const fields = {
      path: lookup(objectIn(physical, 'artifactLocation') ?? {}, 'uri'),
      line: region && lookup(region, 'startLine'),
      endLine: region && lookup(region, 'endLine'),
      level: lookup(result, 'level'),
      text: message && lookup(message, 'text'),
    }
    return findingOf(fields) ?? []
  })
}

const arrayOf = (value: Fields, name: string): readonly unknown[] => {
  const list = lookup(value, name)
  return Array.isArray(list) ? list : []
}

const objectIn = (value: unknown, name: string): Fields | null => {
  const inner = isObject(value) ? lookup(value, name) : null
  return isObject(inner) ? inner : null
}

/** A finding of any of the forms that agents use; null without a place or without words. */
function findingOf(fields: Fields): ReviewFinding | null {
  const place = placeOf(fields)
  const title = textOf(fields, ['title', 'summary', 'name'])
  const text = textOf(fields, ['text', 'message', 'body', 'description', 'details', 'comment'])
  const fix = textOf(fields, ['fix', 'suggestion', 'recommendation'])
  const words = withTitle(title, [text, fix].filter(part => part !== '').join('\n\n'))
  if (place === null || words === null) return null
  return { level: levelOf(textOf(fields, ['level', 'severity', 'priority', 'kind'])), ...place, ...words }
}

/** The words with a title of one line: the first line of the text if there is none. */
export function withTitle(title: string, text: string): Pick<ReviewFinding, 'title' | 'text'> | null {
  const [first = '', ...rest] = (title === '' ? text : title).trim().split('\n')
  const more = [rest.join('\n').trim(), title === '' ? '' : text.trim()].filter(part => part !== '').join('\n\n')
  if (first.trim() === '') return null
  if (first.length <= LONGEST_TITLE) return { title: first.trim(), text: more.slice(0, LONGEST_TEXT) }
  return { title: `${first.slice(0, LONGEST_TITLE)}…`, text: `${first}\n\n${more}`.trim().slice(0, LONGEST_TEXT) }
}

function placeOf(fields: Fields): Pick<ReviewFinding, 'path' | 'lines'> | null {
  const written = textOf(fields, ['path', 'file', 'filename', 'filePath', 'file_path', 'uri', 'location'])
  const inPath = /^(.+?):(\d{1,9})(?:[-–:](\d{1,9}))?$/.exec(written.slice(0, LONGEST_PATH))
  const path = pathOf(inPath?.[1] ?? written)
  if (path === '') return null
  const range = /^L?(\d{1,9})\s*[-–]\s*L?(\d{1,9})$/.exec(textOf(fields, ['lines', 'line', 'range']))
  const listed = arrayOf(fields, 'lines')
  const from =
    lineOf(fields, ['line', 'startLine', 'start_line', 'lineNumber', 'from', 'lines']) ??
    numberOf(range?.[1] ?? listed[0] ?? inPath?.[2])
  const to =
    lineOf(fields, ['endLine', 'end_line', 'lineEnd', 'to']) ??
    numberOf(range?.[2] ?? (listed.length === 2 ? listed[1] : inPath?.[3]))
  return { path, lines: from === null ? null : { from, to: Math.max(from, to ?? from) } }
}

/** The path without what tools put before it. */
export function pathOf(written: string): string {
  return written
    .slice(0, LONGEST_PATH)
    .trim()
    .replace(/^file:\/\//, '')
    .replace(/^(?:\.\/)+/, '')
}

function lineOf(fields: Fields, names: readonly string[]): number | null {
  return names.map(name => numberOf(lookup(fields, name))).find(line => line !== null) ?? null
}

/** A line of a file, counted from 1; null for anything else. */
function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^L?\d{1,9}$/.test(value)
        ? Number(value.replace('L', ''))
        : 0
  return Number.isInteger(number) && number >= 1 && number <= LAST_LINE ? number : null
}

/** The first of these fields that is a text with words. */
function textOf(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = lookup(fields, name)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

const words: ReadonlyMap<string, FindingLevel> = new Map([
  ...['error', 'critical', 'blocker', 'fatal', 'high', 'major', 'severe', 'bug', 'p0', 'p1'].map(
    word => [word, 'error'] as const,
  ),
  ...['warning', 'warn', 'medium', 'moderate', 'p2'].map(word => [word, 'warning'] as const),
])

/** The level of a word; an unknown one is a note. */
export function levelOf(word: string): FindingLevel {
  return words.get(word.trim().toLowerCase()) ?? 'note'
}

/** Characters of broken JSON in which objects are looked for. */
const MOST_TRIED = 1_000_000
/** The deepest object that is read out of JSON that breaks off, with what stands in it. */
const DEEPEST_INSIDE = 3
/** Characters of such an object. */
const LONGEST_OBJECT = 20_000

/** Objects that may be open at once. What is deeper is no finding. */
const MOST_OPEN = 1_000

type OpenObject = { from: number; inside: number }

/**
 * The outermost complete objects that look like findings, in a text that is not valid JSON as a whole: one object a line, or a list
 * that breaks off. The work is bounded by the length of the text.
 */
function objectsIn(text: string): Fields[] {
  const objects: Fields[] = []
  const open: OpenObject[] = []
  let deeper = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (isText) {
      if (sign === BACKSLASH) at += 1
      // JSON has no text of two lines, so this quote was none.
      else if (sign === QUOTE || sign === NEWLINE) isText = false
    } else if (sign === QUOTE) isText = open.length > 0
    else if (sign === OPENING) {
      if (open.length < MOST_OPEN) open.push({ from: at, inside: 0 })
      else deeper += 1
    } else if (sign === CLOSING && deeper > 0) deeper -= 1
    else if (sign === CLOSING) {
      const closed = open.pop()
      if (!closed) continue
      const outer = open.at(-1)
      if (outer) outer.inside = Math.max(outer.inside, closed.inside + 1)
      if (closed.inside > DEEPEST_INSIDE || at - closed.from > LONGEST_OBJECT) continue
      const value = parseJson(text.slice(closed.from, at + 1))
      if (!isObject(value) || findingOf(value) === null) continue
      objects.push(value)
      // What stands around a finding is a list of findings, and no finding itself.
      for (const each of open) each.inside = DEEPEST_INSIDE + 1
    }
  }
  return objects
}

const BACKSLASH = 0x5c
const QUOTE = 0x22
const NEWLINE = 0x0a
const OPENING = 0x7b
const CLOSING = 0x7d
