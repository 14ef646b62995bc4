/** Plots of what each turn of a session used, folded until the reader opens them. */
import { counted } from '../text/counted.ts'
import { truncate } from '../text/lines/shorten.ts'
import { formatCost, formatDuration, formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { shownPrompt } from '../conversation/queries/shown-prompt.ts'
import { turnFacts } from './fact-words.ts'
import { joined, markup, type Markup } from './markup.ts'
import { barPlot } from './plot.ts'
import type { Transcript, TranscriptTurn } from './schema.ts'

/** Columns of a prompt beside the numbers of its turn. */
const LONGEST_PROMPT = 60

type TurnMeasure = {
  id: string
  title: string
  size: (turn: TranscriptTurn) => number
  lighter: (turn: TranscriptTurn) => number
  text: (size: number) => SafeText
  parts: readonly [string, string] | null
}

const sent = ({ usage: { input, cacheRead, cacheWrite } }: TranscriptTurn): number => input + cacheRead + cacheWrite

const measures: readonly TurnMeasure[] = [
  {
    id: 'turns-tokens',
    title: 'Tokens by turn',
    size: turn => sent(turn) + turn.usage.output,
    lighter: ({ usage }) => usage.cacheRead,
    text: size => sanitize(`${formatTokens(size)} tokens`),
    parts: ['in and out', 'in, from the cache'],
  },
  {
    id: 'turns-cost',
    title: 'Cost by turn',
    size: ({ usage }) => usage.costUsd ?? 0,
    lighter: () => 0,
    text: formatCost,
    parts: null,
  },
  {
    id: 'turns-time',
    title: 'Time by turn',
    size: ({ at, endedAt }) => Math.max(0, (endedAt ?? at) - at),
    lighter: () => 0,
    text: formatDuration,
    parts: null,
  },
]

/** Nothing for a session with fewer than two turns that used something. */
export function turnPlots({ entries }: Transcript): Markup {
  const turns = entries.filter(entry => entry.kind === 'turn')
  if (turns.filter(turn => sent(turn) + turn.usage.output > 0).length < 2) return markup``
  const plots = measures
    .filter(({ size }) => turns.some(turn => size(turn) > 0))
    .map(measure => turnPlot(turns, measure))
  return markup`<details><summary><span class="about">the usage of ${counted(turns.length, 'turn')}</span></summary><div class="inside">
${joined(plots, '\n')}
</div></details>`
}

function turnPlot(turns: readonly TranscriptTurn[], { id, title, size, lighter, text, parts }: TurnMeasure): Markup {
  const sizes = turns.map(size)
  const largest = sizes.reduce((most, each) => Math.max(most, each), 0)
  const total = text(sizes.reduce((sum, each) => sum + each, 0))
  return barPlot({
    id,
    title,
    about: `${turns.length} turns, ${total} together. The most is ${text(largest)} in turn ${sizes.indexOf(largest) + 1}. Each turn below has its numbers.`,
    bars: turns.map((turn, index) => ({
      words: [`${index + 1}. ${promptOf(turn)}`, ...turnFacts(turn)].join(', '),
      size: size(turn),
      lighter: lighter(turn),
    })),
    most: `up to ${text(largest)}`,
    ends: ['turn 1', `turn ${turns.length}`],
    parts,
  })
}

function promptOf(turn: TranscriptTurn): string {
  return truncate(oneLine(sanitize(shownPrompt(turn))), LONGEST_PROMPT)
}
