/**
 * Where the lines of a comment are when their file has changed. They are found by their content and by that of the lines around them, never
 * by their number alone.
 */
import type { DiffLine } from '../text/diff-line.ts'
import type { Hunk } from '../tools/diff/change.ts'
import { AROUND, LONGEST_LINE, type CommentedLines } from './comment.ts'

/** Numbers are those of the lines in the text, both included. */
export type FollowedLines =
  /** The same lines at the same place, whatever was added or removed above them. */
  | { state: 'same'; from: number; to: number }
  /** The same lines, among others than before. */
  | { state: 'moved'; from: number; to: number }
  /** What stands there now: some of the lines differ, or there are more or fewer of them. */
  | { state: 'changed'; from: number; to: number }
  /** The lines around are there, and nothing stands between them. `at` is the line that came after them, or the one beyond the last. */
  | { state: 'gone'; at: number }
  /** Neither they nor the lines around can be told from others. */
  | { state: 'stale' }

/** A line of a text of which only parts may be known. */
export type NumberedLine = { text: string; number: number }

/** A line that is more often in a text than this says nothing about a place in it. */
const COMMON = 40
/** The characters of a line that hardly anyone writes twice by chance. */
const DISTINCT = 16
/** How far from the place that most lines vote for the others are looked for, beside the number of lines itself. */
const NEAR = 40
/** The most pairs of lines that are compared for one comment. */
const MOST_PAIRS = 16_000_000

/** The lines of a file as a text has them. A newline at its end ends the last line. */
export function linesOfText(text: string): NumberedLine[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, index) => ({ text: line, number: index + 1 }))
}

/** The lines of one side that a diff shows, in their order. Between hunks there are others. */
export function linesOfSide(hunks: readonly Hunk[], side: CommentedLines['side']): NumberedLine[] {
  const other: DiffLine['sign'] = side === 'after' ? '-' : '+'
  return hunks.flatMap(({ lines }) =>
    lines.flatMap(line => {
      const number = line[side]
      return line.sign === other || number === null ? [] : [{ text: line.text, number }]
    }),
  )
}

/** Reads a text once, to follow any number of comments in it. Secrets must be masked in it as they are in comments. */
export class LineFollower {
  readonly #text: KnownText

  constructor(text: readonly NumberedLine[]) {
    this.#text = readText(text)
  }

  follow(lines: CommentedLines): FollowedLines {
    return new Following(this.#text, lines).find()
  }
}

/** Each line of the text in its place: lines that are not known lie between others. */
type KnownText = {
  /** The lines as they are compared; `GAP` where lines are missing. */
  lines: readonly string[]
  numbers: readonly number[]
  places: ReadonlyMap<string, readonly number[]>
}

/** Equal to no line, since it has a newline. */
const GAP = '\n'

function readText(text: readonly NumberedLine[]): KnownText {
  const lines: string[] = []
  const numbers: number[] = []
  const places = new Map<string, number[]>()
  for (const { text: line, number } of text) {
    const last = numbers.at(-1) ?? 0
    if (number !== last + 1) {
      lines.push(GAP)
      numbers.push(last)
    }
    const compared = comparable(line)
    const at = places.get(compared)
    if (at) at.push(lines.length)
    else places.set(compared, [lines.length])
    lines.push(compared)
    numbers.push(number)
  }
  return { lines, numbers, places }
}

/** A line as it is compared: comments keep only the beginning of a long one. */
function comparable(line: string): string {
  return (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, LONGEST_LINE)
}

/** Whether a line alone says something: not a blank one or a brace. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(line)
}

/** `around`: how many of the lines around stand there too; `isOnly`: these lines are nowhere else. */
type FoundAt = { start: number; around: number; isOnly: boolean }

class Following {
  readonly #text: KnownText
  readonly #excerpt: readonly string[]
  readonly #above: readonly string[]
  readonly #below: readonly string[]
  /** The number of lines; of very many only the first are in the excerpt. */
  readonly #length: number
  readonly #from: number

  constructor(text: KnownText, { excerpt, above, below, from, to }: CommentedLines) {
    this.#text = text
    this.#excerpt = excerpt.map(comparable)
    this.#above = above.slice(-AROUND).map(comparable)
    this.#below = below.slice(0, AROUND).map(comparable)
    this.#length = Math.max(excerpt.length, to - from + 1)
    this.#from = from
  }

  find(): FollowedLines {
    if (this.#excerpt.length === 0) return { state: 'stale' }
    const exact = this.#exact()
    const around = this.#above.length + this.#below.length
    if (exact && exact.around * 2 >= around) return this.#lines(this.#isMoved(exact) ? 'moved' : 'same', exact.start)
    const near = this.#aligned()
    // What was added directly above and below them does not change them.
    if (exact && near && this.#isIn(near, exact)) return this.#lines('same', exact.start)
    if (exact && (exact.isOnly || !near) && this.#isDistinct()) return this.#lines('moved', exact.start)
    if (near) return near
    return exact && exact.around > 0 ? this.#lines('same', exact.start) : { state: 'stale' }
  }

  /** The place with just these lines that has the most of the lines around; of several the nearest. */
  #exact(): FoundAt | null {
    const anchor = this.#rarest()
    const starts = (this.#text.places.get(this.#excerpt[anchor] ?? GAP) ?? []).map(at => at - anchor)
    let best: Omit<FoundAt, 'isOnly'> | null = null
    let count = 0
    for (const start of starts) {
      if (!this.#excerpt.every((line, index) => this.#text.lines[start + index] === line)) continue
      count += 1
      const around = this.#around(start)
      const isBetter =
        !best || around > best.around || (around === best.around && this.#distance(start) < this.#distance(best.start))
      if (isBetter) best = { start, around }
    }
    return best && { ...best, isOnly: count === 1 }
  }

  #isIn(near: FollowedLines, { start }: FoundAt): boolean {
    const first = this.#text.numbers[start] ?? 0
    return near.state === 'changed' && near.from <= first && first + this.#length - 1 <= near.to
  }

  /** Whether the lines are hardly written twice by chance. */
  #isDistinct(): boolean {
    const telling = this.#excerpt.filter(isTelling)
    return telling.length > 1 || telling.some(line => line.trim().length >= DISTINCT)
  }

  /** The index of the excerpt's line that is in the fewest places. */
  #rarest(): number {
    const counts = this.#excerpt.map(line => this.#text.places.get(line)?.length ?? 0)
    return counts.indexOf(Math.min(...counts))
  }

  /** How many of the lines around stand where they stood, counted from the lines outwards. */
  #around(start: number): number {
    const { lines } = this.#text
    const above = this.#above.toReversed()
    const up = above.findIndex((line, index) => lines[start - 1 - index] !== line)
    const down = this.#below.findIndex((line, index) => lines[start + this.#length + index] !== line)
    return (up < 0 ? above.length : up) + (down < 0 ? this.#below.length : down)
  }

  #distance(start: number): number {
    return Math.abs((this.#text.numbers[start] ?? 0) - this.#from)
  }

  /** Whether the lines left the others that stood around them: those are at another place, and next to each other. */
  #isMoved({ start, around }: FoundAt): boolean {
    const all = this.#above.length + this.#below.length
    if (around * 2 > all) return false
    const last = this.#above.at(-1)
    const next = this.#below[0]
    if (last === undefined || next === undefined || !(isTelling(last) || isTelling(next))) return false
    const places = this.#text.places.get(last) ?? []
    return places.some(at => at !== start - 1 && this.#text.lines[at + 1] === next)
  }

  /** What stands at the place of the lines, judged by those of them that are left and by those around. */
  #aligned(): FollowedLines | null {
    const all = [...this.#above, ...this.#excerpt, ...this.#below]
    const offset = this.#voted(all)
    if (offset === null) return null
    const room = this.#length + NEAR
    const begin = Math.max(0, offset - room)
    const end = Math.min(
      this.#text.lines.length,
      offset + this.#above.length + this.#length + this.#below.length + room,
    )
    if (all.length * (end - begin) > MOST_PAIRS) return null
    const pairs = commonLines(all, this.#text.lines.slice(begin, end)).map(
      ([one, other]) => [one, other + begin] as const,
    )
    return this.#between(pairs)
  }

  /** What stands between the lines around, if enough of them or of the lines themselves are left. */
  #between(pairs: readonly Pair[]): FollowedLines | null {
    const { lines, numbers } = this.#text
    const first = this.#above.length
    const last = first + this.#excerpt.length - 1
    const isTold = ([, at]: Pair): boolean => isTelling(lines[at] ?? '')
    const own = pairs.filter(([index]) => index >= first && index <= last)
    const around = pairs.filter(([index]) => index < first || index > last)
    const before = around.findLast(([index]) => index < first)
    const after = around.find(([index]) => index > last)
    const needed = this.#excerpt.filter(isTelling).length / 2
    const isLeft = needed > 0 && own.filter(isTold).length >= needed
    const isHeld =
      (before !== undefined || first === 0) &&
      (after !== undefined || this.#below.length === 0) &&
      around.length * 2 >= first + this.#below.length &&
      around.some(isTold)
    if (!isLeft && !isHeld) return null
    // Where nothing is left of the lines around, or there never was, what is left of the lines themselves is the limit.
    const start = before ? before[1] + 1 : (own[0]?.[1] ?? 0)
    const end = after ? after[1] - 1 : (own.at(-1)?.[1] ?? lines.length - 1)
    if (end < start) return { state: 'gone', at: numbers[start] ?? (numbers.at(-1) ?? 0) + 1 }
    // Too much was put there to say that it is what became of them, or lines are missing in between.
    const isTooLong = end - start + 1 > this.#length * 3 + NEAR
    if (isTooLong || lines.slice(start, end + 1).includes(GAP)) return own.length === 0 ? null : this.#span(own)
    return { state: 'changed', from: numbers[start] ?? 0, to: numbers[end] ?? 0 }
  }

  #span(own: readonly Pair[]): FollowedLines {
    const { numbers } = this.#text
    return { state: 'changed', from: numbers[own[0]?.[1] ?? 0] ?? 0, to: numbers[own.at(-1)?.[1] ?? 0] ?? 0 }
  }

  /** Where the first of `all` would stand if most of the rare ones stood where they did. */
  #voted(all: readonly string[]): number | null {
    const votes = new Map<number, number>()
    const belowFrom = this.#above.length + this.#excerpt.length
    for (const [at, line] of all.entries()) {
      const index = at < belowFrom ? at : at + this.#length - this.#excerpt.length
      const places = this.#text.places.get(line) ?? []
      if (places.length > COMMON || !isTelling(line)) continue
      for (const place of places) votes.set(place - index, (votes.get(place - index) ?? 0) + 1 / places.length)
    }
    const expected = this.#above.length
    const best = [...votes].toSorted(
      ([one, of], [other, than]) => than - of || this.#distance(one + expected) - this.#distance(other + expected),
    )[0]
    return best?.[0] ?? null
  }

  #lines(state: 'same' | 'moved', start: number): FollowedLines {
    const { numbers } = this.#text
    const last = Math.min(start + this.#length, numbers.length) - 1
    return { state, from: numbers[start] ?? 0, to: numbers[last] ?? 0 }
  }
}

/** The index of a line among those that are looked for, and its place in the text. */
type Pair = readonly [index: number, at: number]

/** The longest common subsequence of two lists of lines, as pairs of their indexes. */
function commonLines(one: readonly string[], other: readonly string[]): Pair[] {
  const width = other.length + 1
  const best = new Uint16Array((one.length + 1) * width)
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      best[i * width + j] =
        one[i] === other[j]
          ? (best[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0)
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (one[i] === other[j]) {
      pairs.push([i, j])
      i += 1
      j += 1
    } else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i += 1
    else j += 1
  }
  return pairs
}
