/** The movements: the place that each leads to, and what an operator takes on the way. */
import { nextBoundary, previousBoundary } from '../graphemes.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { findInLine, findText, matchingBracket, paragraphEdge, reversed } from './find.ts'
import {
  columnAt,
  firstNonBlank,
  isLineEnd,
  isLineStart,
  lastOnLine,
  lineAway,
  lineNumber,
  placeAtColumn,
} from './places.ts'
import type { Vim, VimTarget } from './vim.ts'
import { nextWord, nextWordEnd, previousWord, previousWordEnd, classAt, type WordMove } from './word-motions.ts'
import { lookup } from '../../text/lookup.ts'

export interface MotionStart {
  readonly text: string
  readonly at: number
  readonly count: number | null
  /** The operator that waits for the movement; null without one. */
  readonly verb: string | null
  readonly isVisual: boolean
  readonly vim: Vim
}

/** The place that a movement leads to. */
export interface Reach {
  readonly to: number
  /** The other end, if that is not the caret: for text objects. */
  readonly from?: number
  /** The text up to the place, the same with the character there, or whole lines. */
  readonly kind: 'exclusive' | 'inclusive' | 'linewise'
  /** The column that moving up and down keeps from now on. */
  readonly column?: number | 'end'
  /** Whether it ended early: the caret moves, and an operator does nothing. */
  readonly isShort?: boolean
  /** Whether it could not move at all, and is only remembered. */
  readonly isStuck?: boolean
  /** Whether deleted text always goes into the numbered registers. */
  readonly isBig?: boolean
  readonly find?: VimTarget
  readonly search?: VimTarget
}

type MotionRule = (start: MotionStart, argument: string) => Reach | null

const rules: Readonly<Record<string, MotionRule>> = {
  h: ({ text, at, count, verb }) => {
    let to = at
    for (let left = count ?? 1; left > 0 && !isLineStart(text, to); left -= 1) to = previousBoundary(text, to)
    return to === at && verb === null ? null : { to, kind: 'exclusive' }
  },
  l: ({ text, at, count, verb, isVisual }) => {
    const end = verb !== null || isVisual ? lineEnd(text, at) : lastOnLine(text, at)
    let to = at
    for (let left = count ?? 1; left > 0 && to < end; left -= 1) to = nextBoundary(text, to)
    return to === at && verb === null ? null : { to, kind: 'exclusive' }
  },
  j: start => byLine(start, start.count ?? 1),
  k: start => byLine(start, -(start.count ?? 1)),
  line: start => {
    const { text, at, count, verb } = start
    const lines = (count ?? 1) - 1
    if (lines > 0 && lineEnd(text, at) === text.length) return null
    if (verb === 'y') return { ...byColumn(start, lineAway(text, at, lines)), kind: 'linewise' }
    return { to: firstNonBlank(text, lineAway(text, at, lines)), kind: 'linewise' }
  },
  w: start => forward(start, false),
  W: start => forward(start, true),
  e: start => toEnd(start, false),
  E: start => toEnd(start, true),
  b: ({ text, at, count }) => back(previousWord(text, at, count ?? 1, false), at, 'exclusive'),
  B: ({ text, at, count }) => back(previousWord(text, at, count ?? 1, true), at, 'exclusive'),
  ge: ({ text, at, count }) => back(previousWordEnd(text, at, count ?? 1, false), at, 'inclusive'),
  gE: ({ text, at, count }) => back(previousWordEnd(text, at, count ?? 1, true), at, 'inclusive'),
  '0': ({ text, at }) => ({ to: lineStart(text, at), kind: 'exclusive' }),
  '^': ({ text, at }) => ({ to: firstNonBlank(text, at), kind: 'exclusive' }),
  $: ({ text, at, count, isVisual }) => {
    const lines = (count ?? 1) - 1
    if (lines > 0 && lineEnd(text, at) === text.length) return { ...stuck(at), column: 'end' }
    const line = lineAway(text, at, lines)
    return { to: isVisual ? lineEnd(text, line) : lastOnLine(text, line), kind: 'inclusive', column: 'end' }
  },
  gg: ({ text, count }) => toLine(text, count ?? 1),
  G: ({ text, count }) => toLine(text, count ?? Number.POSITIVE_INFINITY),
  '{': start => byParagraph(start, -1),
  '}': start => byParagraph(start, 1),
  '%': ({ text, at, count }) => {
    if (count !== null) {
      if (count > 100) return null
      const lines = lineNumber(text, text.length) + 1
      return { ...toLine(text, Math.floor((count * lines + 99) / 100)) }
    }
    const to = matchingBracket(text, at)
    return to === null ? null : { to, kind: 'inclusive', isBig: true }
  },
  f: (start, argument) => inLine(start, { name: 'f', argument }),
  F: (start, argument) => inLine(start, { name: 'F', argument }),
  t: (start, argument) => inLine(start, { name: 't', argument }),
  T: (start, argument) => inLine(start, { name: 'T', argument }),
  ';': start => start.vim.find && inLine(start, start.vim.find, true),
  ',': start => start.vim.find && inLine(start, reversed(start.vim.find), true),
  '/': (start, argument) => searched(start, { name: '/', argument: argument || (start.vim.search?.argument ?? '') }),
  '?': (start, argument) => searched(start, { name: '?', argument: argument || (start.vim.search?.argument ?? '') }),
  n: start => start.vim.search && searched(start, start.vim.search),
  N: start => start.vim.search && searched(start, start.vim.search, true),
}

/** The place that a movement leads to; null if it cannot move. */
export function motion(start: MotionStart, { name, argument }: VimTarget): Reach | null {
  return lookup(rules, name)?.(start, argument) ?? null
}

export const isMotion = (name: string): boolean => name !== 'line' && Object.hasOwn(rules, name)

function byLine(start: MotionStart, lines: number): Reach | null {
  const { text, at } = start
  const isStuck = lines < 0 ? lineStart(text, at) === 0 : lineEnd(text, at) === text.length
  return isStuck ? null : { ...byColumn(start, lineAway(text, at, lines)), kind: 'linewise' }
}

/** The place in another line that is in the column of the caret. */
function byColumn({ text, at, vim, isVisual }: MotionStart, line: number): { to: number; column: number | 'end' } {
  const column = vim.goal?.at === at ? vim.goal.column : columnAt(text, at)
  return { to: placeAtColumn(text, line, column, isVisual), column }
}

function forward(start: MotionStart, isBig: boolean): Reach | null {
  const { text, at, count, verb } = start
  if (verb === 'c' && !isLineEnd(text, at) && classAt(text, at, isBig) !== 0) {
    const { to } = nextWordEnd(text, at, count ?? 1, isBig, { mayStay: true })
    return ended(start, to)
  }
  const { to, isShort } = nextWord(text, at, count ?? 1, isBig, verb !== null)
  if (verb !== null) return { to, kind: 'exclusive' }
  return kept(start, { to, isShort }, 'exclusive')
}

function toEnd(start: MotionStart, isBig: boolean): Reach | null {
  const { text, at, count, verb } = start
  const move = nextWordEnd(text, at, count ?? 1, isBig)
  return verb === null ? kept(start, move, 'inclusive') : ended(start, move.to)
}

/** An operator takes the last character, and never a line's end. */
function ended({ text, at }: MotionStart, to: number): Reach {
  const isBehind = to > at && isLineEnd(text, to) && !isLineStart(text, to)
  return { to: isBehind ? previousBoundary(text, to) : to, kind: 'inclusive' }
}

/** Without an operator the caret stays on a character. */
function kept({ text, at, isVisual }: MotionStart, { to, isShort }: WordMove, kind: Reach['kind']): Reach | null {
  const isBehind = to > at && isLineEnd(text, to) && !isLineStart(text, to) && !isVisual
  const place = isBehind ? previousBoundary(text, to) : to
  return place === at ? null : { to: place, kind, isShort }
}

function back({ to, isShort }: WordMove, at: number, kind: Reach['kind']): Reach | null {
  return to === at ? null : { to, kind, isShort }
}

function toLine(text: string, number: number): Reach {
  return { to: firstNonBlank(text, lineAway(text, 0, number - 1)), kind: 'linewise' }
}

function byParagraph({ text, at, count }: MotionStart, step: 1 | -1): Reach | null {
  const edge = paragraphEdge(text, at, count ?? 1, step)
  if (edge === null) return null
  const last = lastOnLine(text, edge.at)
  const isInclusive = edge.isEnd && !isLineEnd(text, edge.at)
  return { to: edge.isEnd ? last : edge.at, kind: isInclusive ? 'inclusive' : 'exclusive', isBig: true }
}

function inLine({ text, at, count }: MotionStart, find: VimTarget, isRepeated = false): Reach | null {
  const to = findInLine(text, at, find, count ?? 1, isRepeated)
  const kind = find.name === 'f' || find.name === 't' ? 'inclusive' : 'exclusive'
  return { ...(to === null ? stuck(at) : { to, kind }), ...(!isRepeated && { find }) }
}

function searched({ text, at, count }: MotionStart, search: VimTarget, isOpposite = false): Reach | null {
  const isForward = (search.name === '/') !== isOpposite
  const to = findText(text, at, search.argument, isForward, count ?? 1)
  return { ...(to === null ? stuck(at) : { to, kind: 'exclusive', isBig: true }), search }
}

function stuck(at: number): Reach {
  return { to: at, kind: 'exclusive', isShort: true, isStuck: true }
}

/** The searches to repeat, including those that found nothing. */
export function foundBy(vim: Vim, { find, search }: Reach): Pick<Vim, 'find' | 'search'> {
  return { find: find ?? vim.find, search: search ?? vim.search }
}
