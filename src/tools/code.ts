/** Code in a panel, with painted lines cached: an open panel is drawn many times, and most of its lines do not change. */
import { beginCode, readCode, type CodeState } from '../markdown/code/code.ts'
import { highlightLines } from '../markdown/code/highlight.ts'
import { codeLine } from '../markdown/render.ts'
import type { MarkdownStyle } from '../markdown/style.ts'
import { linesOf, sanitize, sanitizeExact, type SafeText } from '../text/sanitize.ts'
import { expandTabs } from '../text/lines/width.ts'
import { drawn, type Styled } from '../style/styled.ts'

type Painted = { line: Styled; next: CodeState }

/** Painted lines that are kept. */
const MOST_KNOWN = 512
/** Painted lines, by the line and the text before it, which determine its colours. */
const known = new WeakMap<MarkdownStyle, Map<string, Painted>>()

/** Paints lines like `highlightLines`, with a cache. */
export function paintCode(code: string, language: string, style: MarkdownStyle): Styled[] {
  let state = beginCode(language)
  // The language may be loaded later, so nothing is cached.
  if (state === null) return highlightLines(code, language, style)
  const memory = memoryOf(style)
  let before = language
  return linesOf(sanitizeExact(code)).map(line => {
    before += `\n${line}`
    const painted = memory.get(before) ?? paint(line, state, style)
    memory.set(before, painted)
    state = painted.next
    return painted.line
  })
}

function paint(line: SafeText, state: CodeState, style: MarkdownStyle): Painted {
  const { spans, next } = readCode(state, expandTabs(line))
  return { line: codeLine(spans, style), next }
}

function memoryOf(style: MarkdownStyle): Map<string, Painted> {
  const memory = known.get(style)
  if (memory && memory.size < MOST_KNOWN) return memory
  const fresh = new Map<string, Painted>()
  known.set(style, fresh)
  return fresh
}

/** Cuts a line to a length that is enough for a terminal of that width, to save measuring the rest. */
export function clip(line: string, width: number): string {
  const most = 4 * width + 100
  return line.length > most ? line.slice(0, most) : line
}

/** Cuts a line in the same way, unless it has styles. */
export function clipLine(line: Styled, width: number): Styled {
  const { text } = line
  return text.length > 4 * width + 100 && line.isPlain ? drawn`${sanitize(clip(text, width))}` : line
}
