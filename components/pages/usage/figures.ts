/** The figures beside the bars of /usage. */
import type { Column } from '../../../src/style/columns.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatDuration, formatPercent, formatTokens } from '../../../src/text/format.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import { tokensOf } from '../../../src/usage/groups.ts'
import type { UsageMeasure } from '../../../src/usage/measures.ts'
import { cachedShare, sentOf, type UsageSum } from '../../../src/usage/sums.ts'
import { costText } from '../../../src/usage/table.ts'

const figure = (rank: number, text: (sum: UsageSum) => string): Column<UsageSum> => ({
  cell: sum => sanitize(text(sum)),
  rank,
  isNumber: true,
})

const turns = (rank: number): Column<UsageSum> => figure(rank, sum => some(sum.turns, counted(sum.turns, 'turn')))

/** They stand in the columns of all rows. */
export function figuresOf(measure: UsageMeasure, isPlain: boolean): Column<UsageSum>[] {
  const cost = (rank: number): Column<UsageSum> => figure(rank, sum => (sum.calls > 0 ? costText(sum, isPlain) : ''))
  switch (measure) {
    case 'tokens':
      return [
        figure(0, sum => some(tokensOf(sum), formatTokens(tokensOf(sum)))),
        figure(1, sum => some(sentOf(sum), `${formatTokens(sentOf(sum))} in`)),
        figure(3, sum => some(sentOf(sum), `${formatPercent(cachedShare(sum) ?? 0)} cached`)),
        figure(2, sum => some(sum.output, `${formatTokens(sum.output)} out`)),
        cost(4),
      ]
    case 'cost':
      return [cost(0), figure(1, sum => some(tokensOf(sum), `${formatTokens(tokensOf(sum))} tokens`)), turns(2)]
    case 'time':
      return [
        figure(0, sum => some(sum.duration, formatDuration(sum.duration))),
        turns(1),
        figure(2, sum => some(sum.waits, `${formatDuration(sum.waited)} waiting`)),
      ]
    case 'waiting':
      return [
        figure(0, sum => some(sum.waits, formatDuration(sum.waited))),
        figure(1, sum => some(sum.waits, counted(sum.waits, 'answer'))),
        figure(2, sum => some(sum.waits, `${formatDuration(sum.waited / Math.max(1, sum.waits))} each`)),
      ]
  }
}

/** Empty for nothing, so that a row without it stays quiet. */
const some = (count: number, text: string): string => (count > 0 ? text : '')
