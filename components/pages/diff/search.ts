/** Searches the paths and the lines of all changed files, step by step, as they are loaded. */
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import { foldCase, rowsWith } from '../text-search.ts'

/** The path of a file, or a line of its diff, counted from 0 over all hunks. */
export type SearchPlace = { file: string; line: number }

/** The line of a place that is the path of its file. */
export const PATH = -1

/** What is searched of a file. */
export type SearchedText = {
  path: string
  /** Null if there is nothing to search: it is too long, or cannot be loaded. */
  diff: FileDiff | null
}

/** What was loaded, by the absolute paths of the files. */
export type SearchedTexts = ReadonlyMap<string, SearchedText>

/** How far a file has been searched. */
type SearchedFile = { file: string; of: SearchedText; lines: readonly DiffLine[]; at: number; found: number[] }

/** Lines that are searched in one go, between two keys. */
const AT_ONCE = 5000

export class DiffSearch {
  readonly query: string
  readonly #needle: string
  /** The lines with a match, in order, and the text that was searched. */
  readonly #found = new Map<string, { of: SearchedText; lines: readonly number[] }>()
  #searching: SearchedFile | null = null

  /** Case matters if the query has a capital. */
  constructor(query: string) {
    this.query = query
    this.#needle = foldCase(query, query)
  }

  /** Searches some more lines of the first of these files that was loaded and is not searched. False if there is none. */
  step(files: readonly FileChange[], texts: SearchedTexts): boolean {
    const { file, of } = this.#searching ?? this.#unsearched(files, texts) ?? {}
    if (file === undefined || !of || texts.get(file) !== of) {
      this.#searching = null
      return file !== undefined
    }
    this.#searching ??= {
      file,
      of,
      lines: of.diff?.hunks.flatMap(({ lines }) => lines) ?? [],
      at: 0,
      found: this.#inPath(of),
    }
    const { lines, at, found } = this.#searching
    const text = foldCase(textOf(lines.slice(at, at + AT_ONCE)), this.query)
    for (const row of rowsWith(text, this.#needle)) found.push(at + row)
    this.#searching.at += AT_ONCE
    if (this.#searching.at >= lines.length) {
      this.#found.set(file, { of, lines: found })
      this.#searching = null
    }
    return true
  }

  #unsearched(files: readonly FileChange[], texts: SearchedTexts): { file: string; of: SearchedText } | null {
    for (const { file } of files) {
      const of = texts.get(file)
      if (of && this.#found.get(file)?.of !== of) return { file, of }
    }
    return null
  }

  #inPath({ path }: SearchedText): number[] {
    return foldCase(path, this.query).includes(this.#needle) ? [PATH] : []
  }

  /** Whether all these files have been searched. */
  isDone(files: readonly FileChange[]): boolean {
    return files.every(({ file }) => this.#found.has(file))
  }

  /** The number of matches in these files. */
  count(files: readonly FileChange[]): number {
    return files.reduce((sum, { file }) => sum + this.linesOf(file).length, 0)
  }

  /** The lines of a file with a match; `PATH` for its path. */
  linesOf(file: string): readonly number[] {
    return this.#found.get(file)?.lines ?? []
  }

  /** The number of a match, counted from 1; of a place that is none any more, since its file has changed, that of the match before it, or 1. */
  numberOf(files: readonly FileChange[], { file, line }: SearchPlace): number {
    const index = files.findIndex(each => each.file === file)
    const number = this.linesOf(file).filter(each => each <= line).length
    return Math.max(1, this.count(files.slice(0, Math.max(0, index))) + number)
  }

  /** The next or previous match; wraps around at the ends. Null without matches. `isSure` says whether no nearer one can be found later. */
  next(files: readonly FileChange[], from: SearchPlace, by: 1 | -1): { place: SearchPlace | null; isSure: boolean } {
    const start = Math.max(
      0,
      files.findIndex(({ file }) => file === from.file),
    )
    let isSure = true
    for (let step = 0; step <= files.length; step += 1) {
      const file = files[modulo(start + by * step, files.length)]?.file ?? ''
      const lines = this.linesOf(file)
      const isBehind = (line: number): boolean => step > 0 || (by > 0 ? line > from.line : line < from.line)
      const line = by > 0 ? lines.find(isBehind) : lines.findLast(isBehind)
      if (!this.#found.has(file)) isSure = false
      if (line !== undefined) return { place: { file, line }, isSure }
    }
    return { place: null, isSure }
  }
}

const modulo = (number: number, by: number): number => ((number % by) + by) % by

/** The texts of lines below each other. A line is searched by itself, so that each ends here, whatever it has in it. */
function textOf(lines: readonly DiffLine[]): string {
  return lines.map(({ text }) => (text.includes('\n') ? text.replaceAll('\n', ' ') : text)).join('\n')
}

/** The hunk and the line of a place in a diff; null for a path, and for a line that is no longer there. */
export function lineAt({ hunks }: FileDiff, index: number): { hunk: number; line: DiffLine } | null {
  if (index < 0) return null
  let left = index
  for (const [hunk, { lines }] of hunks.entries()) {
    const line = lines[left]
    if (line) return { hunk, line }
    left -= lines.length
  }
  return null
}

/** The number of a line over all hunks; `PATH` if it is not in the diff. */
export function indexOfLine({ hunks }: FileDiff, line: DiffLine): number {
  let before = 0
  for (const { lines } of hunks) {
    const at = lines.indexOf(line)
    if (at >= 0) return before + at
    before += lines.length
  }
  return PATH
}
