import type { HLJSApi, HighlightResult, Mode } from 'highlight.js'
import type { CodeSpan } from '../block.ts'
import { engineFor, languageOf } from './languages.ts'
import { SpanEmitter } from './spans.ts'

/** Longer lines are data, and colouring them takes too long: for some, the square of their length. */
const longestLine = 500

/** The most characters of openings that are read again for each line. */
const longestOpenings = 500

/** The most openings that are read again for each line. */
const deepest = 16

/** A line that opens a construct of several lines, and the place of the engine after it. */
type Opening = { readonly line: string; readonly place: string }

/** The state before a line of code; null if its language was not loaded. */
export type CodeState = {
  readonly language: string
  readonly engine: HLJSApi
  readonly openings: readonly Opening[]
} | null

/** The state before the first line; null if the language is not loaded now. */
export function beginCode(name: string): CodeState {
  const language = languageOf(name)
  const engine = language === null ? undefined : engineFor(language)
  return language === null || engine === undefined ? null : { language, engine, openings: [] }
}

/**
 * Colours the next line. The engine cannot resume, so each line is read after the few lines that opened the constructs
 * around it (a comment, a long string). Its colours depend only on the lines before it.
 */
export function readCode(state: CodeState, line: string): { spans: readonly CodeSpan[]; next: CodeState } {
  if (state === null || line.length > longestLine) return { spans: plain(line), next: state }
  const before = state.openings.map(opening => `${opening.line}\n`).join('')
  const result = state.engine.highlight(`${before}${line}\n`, { language: state.language, ignoreIllegals: true })
  const { _emitter: emitter, _top: top } = result
  const spans = emitter instanceof SpanEmitter ? part(emitter.spans, before.length, line.length) : []
  const whole = spans.reduce((length, span) => length + span.text.length, 0) === line.length
  const openings = follow(state.openings, line, placeOf(top))
  const next = openings === state.openings ? state : { ...state, openings }
  return { spans: whole ? spans : plain(line), next }
}

function follow(openings: readonly Opening[], line: string, place: string): readonly Opening[] {
  if (place === (openings.at(-1)?.place ?? '')) return openings
  if (place === '') return []
  const back = openings.findIndex(opening => opening.place === place)
  return back >= 0 ? openings.slice(0, back + 1) : bounded([...openings, { line, place }].slice(-deepest))
}

/** The last openings, as far as `longestOpenings` allows. */
function bounded(openings: readonly Opening[]): readonly Opening[] {
  let room = longestOpenings
  return openings.slice(openings.findLastIndex(({ line }) => (room -= line.length) < 0) + 1)
}

function plain(line: string): CodeSpan[] {
  return line === '' ? [] : [{ text: line, style: null }]
}

/** Names the modes that the engine is still in; '' at the outermost. */
function placeOf(top: HighlightResult['_top']): string {
  const names: string[] = []
  let mode: Partial<Mode> | undefined = top
  while (mode?.parent !== undefined) {
    names.push(typeof mode.scope === 'string' ? mode.scope : String(mode.begin))
    mode = mode.parent
  }
  return names.join(' ')
}

function part(spans: readonly CodeSpan[], start: number, length: number): CodeSpan[] {
  const found: CodeSpan[] = []
  let at = 0
  for (const { text, style } of spans) {
    const cut = text.slice(Math.max(0, start - at), Math.max(0, start + length - at))
    if (cut !== '') found.push({ text: cut, style })
    at += text.length
    if (at >= start + length) break
  }
  return found
}
