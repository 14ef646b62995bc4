/** What plots of usage show of a sum, and its numbers in words. */
import { counted } from '../text/counted.ts'
import { formatDuration, formatTokens } from '../text/format.ts'
import { sanitize, type SafeText } from '../text/sanitize.ts'
import { tokensOf } from './groups.ts'
import type { UsageSum } from './sums.ts'
import { costText } from './table.ts'

export const usageMeasures = ['tokens', 'cost', 'time', 'waiting'] as const
export type UsageMeasure = (typeof usageMeasures)[number]

/** The length of a bar. */
export function sizeOf(sum: UsageSum, measure: UsageMeasure): number {
  switch (measure) {
    case 'tokens':
      return tokensOf(sum)
    case 'cost':
      return sum.costUsd ?? 0
    case 'time':
      return sum.duration
    case 'waiting':
      return sum.waited
  }
}

/** The part of a bar that is drawn lighter; a wait may be longer than the turn that it is counted for. */
export function lighterSize(sum: UsageSum, measure: UsageMeasure): number {
  if (measure === 'tokens') return sum.cacheRead
  return measure === 'time' ? Math.min(sum.waited, sum.duration) : 0
}

/** What the two parts of a bar are; null if a bar has one part. */
export function partNames(measure: UsageMeasure): readonly [string, string] | null {
  if (measure === 'tokens') return ['in and out', 'in, from the cache']
  return measure === 'time' ? ['at work', 'waiting for you'] : null
}

/** Empty for nothing. */
const some = (count: number, text: string): string => (count > 0 ? text : '')

/** The numbers of a sum, unrounded. */
export function exactFigures(sum: UsageSum, isPlain: boolean): SafeText[] {
  const { turns, calls, input, output, cacheRead, cacheWrite, duration, waits, waited } = sum
  const tokens = [
    some(input, `${exact(input)} in`),
    some(cacheRead, `${exact(cacheRead)} in from the cache`),
    some(cacheWrite, `${exact(cacheWrite)} written to the cache`),
    some(output, `${exact(output)} out`),
  ]
  const rest = [
    calls > 0 || (sum.costUsd ?? 0) > 0 ? exactCost(sum, isPlain) : '',
    some(turns, counted(turns, 'turn')),
    some(calls, counted(calls, 'call')),
    some(duration, formatDuration(duration)),
    some(waits, `waited ${formatDuration(waited)} for ${counted(waits, 'answer')}`),
  ]
  const words = [...tokens, ...rest].filter(text => text !== '')
  return (words.length === 0 ? ['nothing used'] : words).map(text => sanitize(text))
}

/** 1,234,567 */
function exact(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** What a measure says of a sum, at a glance. */
export function measureText(sum: UsageSum, measure: UsageMeasure, isPlain: boolean): string {
  switch (measure) {
    case 'tokens':
      return `${formatTokens(tokensOf(sum))} tokens`
    case 'cost':
      return costText(sum, isPlain)
    case 'time':
    case 'waiting':
      return formatDuration(sizeOf(sum, measure))
  }
}

function exactCost({ costUsd, isPartial }: UsageSum, isPlain: boolean): string {
  if (costUsd === null) return 'cost unknown'
  return `${isPartial ? (isPlain ? '>= ' : '≥ ') : ''}$${costUsd.toFixed(4)}`
}
