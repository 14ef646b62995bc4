import { describe, expect, test } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { usagePage } from '../../src/export/usage-page.ts'
import { barPlot } from '../../src/export/plot.ts'
import { cellsOf, type UsageSelection } from '../../src/usage/groups.ts'
import type { UsageRecord } from '../../src/usage/record.ts'
import { accepted, chatAfter, costs, ended, prompt, started, type Told } from '../conversation/events.ts'
import { attacks } from './attacks.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()
const all: UsageSelection = { grouping: 'day', days: 30, only: null }

function recordsOf(ago: number, agent: string, folder: string): UsageRecord[] {
  const common = { at: NOON - ago * 24 * 3600 * 1000, session: '', folder, agent, provider: 'p', model: agent }
  const usage = { input: 100, output: 50, cacheRead: 900, cacheWrite: 0, costUsd: 0.5 + ago, reasoning: null }
  return [
    { kind: 'call', ...common, usage },
    { kind: 'turn', ...common, duration: 60_000 },
    { kind: 'wait', ...common, duration: 5000 },
  ]
}

/** Every tag of the plots and tables is one of ours, with attributes of ours. */
const OURS = new RegExp(
  String.raw`^</?(?:!doctype html|html(?: lang="en")?|head|meta (?:charset|http-equiv|name)="[\w-]+"(?: content="[^"<>]*")?|title(?: id="[a-z-]+")?|` +
    String.raw`style|body|header|h1|main|p|span|figure|figcaption|b|svg|desc|g|h3|div|table|thead|tbody|tr|td|details|summary|article|section|h2|time|` +
    String.raw`svg (?:role="img" aria-labelledby="[a-z -]+"|class="share" aria-hidden="true") viewBox="0 0 \d+ \d+" preserveAspectRatio="none"|` +
    String.raw`desc id="[a-z-]+"|rect class="\w+"(?: (?:x|y|width|height)="-?[\d.]+")*/|th(?: class="right")? scope="(?:col|row)"|th|` +
    String.raw`(?:p|span|h3|div|td|figure|h2|section) class="[\w ]+")>$`,
)

const bodyOf = (page: string): string => page.slice(page.indexOf('</style>'))
const strangeTags = (page: string): string[] => (bodyOf(page).match(/<[^>]*>?/g) ?? []).filter(tag => !OURS.test(tag))

describe('the page of /usage', () => {
  test('has a plot of each measure, with words for people who do not see it, and no script', () => {
    const page = usagePage(cellsOf([...recordsOf(0, 'zot', '/app'), ...recordsOf(3, 'claude', '/web')]), all, NOON)
    expect(page).not.toContain('<script')
    expect(page).toContain(`default-src 'none'; style-src 'sha256-`)
    expect(page.match(/<svg role="img"/g)).toHaveLength(4)
    expect(page).toContain('<title id="by-day-cost-title">Cost by day</title>')
    expect(page).toContain(
      '<desc id="by-day-cost-about">4 days, $4.00 together. The most is $3.50 on 2026-11-19. The table below has all numbers.</desc>',
    )
    expect(page).toContain('<g><title>2026-11-19: 100 in, 900 in from the cache, 50 out, $3.5000, 1 turn')
    for (const id of page.match(/aria-labelledby="[^"]*"/g) ?? [])
      for (const each of /"(.*)"/.exec(id)?.[1]?.split(' ') ?? []) expect(page.split(`id="${each}"`)).toHaveLength(2)
    expect(strangeTags(page)).toEqual([])
  })

  test.each(attacks)('takes %s as the name of an agent and a folder', attack => {
    const page = usagePage(
      cellsOf(recordsOf(0, attack, attack)),
      { ...all, only: { grouping: 'agent', name: attack } },
      NOON,
    )
    expect(strangeTags(page)).toEqual([])
  })

  test('of nothing has no plot', () => {
    expect(usagePage([], all, NOON)).not.toContain('<svg')
  })
})

const turn = (words: string, costUsd: number | null): Told[] => [
  prompt(words),
  accepted,
  costs({ input: 100, cacheRead: 900, output: 50, costUsd }),
  ended,
]
const pageOf = (...events: readonly Told[]): Promise<string> =>
  exported(transcriptOf(chatAfter(started, ...events), { id: null, title: '', folder: null }), 'html', {
    zone: 'UTC',
  })

describe('the exported page of a session', () => {
  test('has plots of its turns', async () => {
    const page = await pageOf(...turn('one', 0.5), ...turn('two', 0.25))
    expect(page).toContain('the usage of 2 turns')
    expect(page.match(/<svg role="img"/g)).toHaveLength(3)
    expect(page).toContain('2 turns, $0.75 together. The most is $0.50 in turn 1.')
    expect(page).toContain('<title>1. one, 3.0s, 1k tokens in, 90 % cached, 50 out, $0.50</title>')
  })

  test('has no plot of a cost that is not known, and none of a single turn', async () => {
    expect((await pageOf(...turn('one', null), ...turn('two', null))).match(/<svg role="img"/g)).toHaveLength(2)
    expect(await pageOf(...turn('one', 0.5))).not.toContain('<svg')
  })

  test.each(attacks)('takes a prompt such as %s', async attack => {
    const page = await pageOf(...turn(attack, 0.5), ...turn(attack, 0.5))
    const [plots = ''] = /<figure[\s\S]*<\/figure>/.exec(page) ?? []
    expect((plots.match(/<[^>]*>?/g) ?? []).filter(tag => !OURS.test(tag))).toEqual([])
  })
})

test('a plot joins bars if there are more than a screen has room for', () => {
  const bars = Array.from({ length: 1000 }, (_, index) => ({ words: `bar ${index}`, size: 1, lighter: 0.5 }))
  const plot = barPlot({ id: 'x', title: '', about: '', bars, most: '', ends: ['', ''], parts: null }).source
  expect(plot.match(/<g>/g)).toHaveLength(334)
  expect(plot).toContain('<title>bar 0 … bar 2</title>')
  expect(plot).not.toMatch(/NaN|Infinity/)
})
