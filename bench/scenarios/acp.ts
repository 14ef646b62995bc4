/** The answer of `stream` from an agent of ACP, without and with its long list of commands, beside the same from zot in the same run. */
import { percentile, sum, type Figure } from '../figures.ts'
import { LISTED_AT, type Play } from '../play.ts'
import type { Stage } from '../stage.ts'
import { damageFigures, playAnswer, type Turn } from '../turn.ts'

const COUNT = 2000
/** What follows a list of commands until then may wait for it, in milliseconds. */
const AFTER_LIST = 150

type Played = Turn & {
  damage: Figure[]
  /** The longest time between two frames about when a list of commands comes, or would come. */
  gap: number
}

export async function acp(stage: Stage): Promise<Figure[]> {
  // zot's stand before and after, so that whatever else the machine does falls on both.
  const before = await played(stage, 'zot', 'answer')
  const plain = await played(stage, 'acp', 'answer')
  const listing = await played(stage, 'acp', 'commands')
  const zot = [before, await played(stage, 'zot', 'answer')]
  return [
    ...figuresOf(plain, zot, ''),
    ...figuresOf(listing, zot, ', commands'),
    { name: 'gap at commands', unit: 'ms', value: listing.gap, floor: Math.max(...zot.map(({ gap }) => gap)) },
    ...added(plain.damage, listing.damage),
  ]
}

function figuresOf(turn: Turn, floors: readonly Turn[], suffix: string): Figure[] {
  const figure = (name: string, unit: Figure['unit'], of: (each: Turn) => number): Figure => {
    return { name: `${name}${suffix}`, unit, value: of(turn), floor: sum(floors.map(of)) / floors.length }
  }
  return [
    figure('bytes / source', 'ratio', ({ bytes, sourceBytes }) => bytes / sourceBytes),
    figure('CPU', 's', ({ cpu }) => cpu),
    figure('lag p50', 'ms', ({ lags }) => percentile(lags, 0.5)),
    figure('lag p95', 'ms', ({ lags }) => percentile(lags, 0.95)),
    figure('echo p95', 'ms', ({ echoes }) => percentile(echoes, 0.95)),
  ]
}

/** The same figures of two turns as their sums. */
function added(one: readonly Figure[], other: readonly Figure[]): Figure[] {
  return one.map((figure, index) => Object.assign(figure, { value: figure.value + (other[index]?.value ?? 0) }))
}

/** Plays an answer to a zotui of its own. */
async function played(stage: Stage, agent: 'zot' | 'acp', kind: Play['kind']): Promise<Played> {
  const play: Play = { kind, count: COUNT, rate: 200, turn: 0 }
  const ui = stage.open({ agent })
  await ui.ready()
  const frames: number[] = []
  const unwatch = ui.terminal.watch(at => void frames.push(at))
  const turn = await playAnswer(ui, play)
  unwatch()
  const damage = damageFigures(ui.terminal, [play])
  await ui.end()
  return { ...turn, damage, gap: longestGap(turn, frames) }
}

function longestGap({ report: { began, sent } }: Turn, frames: readonly number[]): number {
  const windows = LISTED_AT.map(share => {
    const index = Math.floor(COUNT * share)
    return { from: began + (sent[index - 1] ?? 0), to: began + (sent[index] ?? 0) + AFTER_LIST }
  })
  const gaps = frames.slice(1).map((to, index) => ({ from: frames[index] ?? to, to }))
  const meanwhile = gaps.filter(gap => windows.some(({ from, to }) => gap.to > from && gap.from < to))
  return Math.max(...meanwhile.map(({ from, to }) => to - from))
}
