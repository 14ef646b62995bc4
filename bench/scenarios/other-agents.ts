/** The answer of `stream` from other agents than zot, compared with zot's in the same run. */
import { percentile, sum, type Figure } from '../figures.ts'
import { LISTED_AT, type Play } from '../play.ts'
import type { Stage, StageAgent } from '../stage.ts'
import { damageFigures, playAnswer, type Turn } from '../turn.ts'

const COUNT = 2000
/** The time after a list of commands in which its effect is measured, in milliseconds. */
const AFTER_LIST = 150

type Played = Turn & { damage: Figure[]; lists: AtLists }

/** Times around the lists of commands, or the same places of an answer without them, in milliseconds. */
type AtLists = {
  /** The longest time between two frames. */
  gap: number
  /** The processor time of the UI, which says more than the gap on a busy machine. */
  cpu: number
}

/** An agent of ACP, without and with its long list of commands. */
export async function acp(stage: Stage): Promise<Figure[]> {
  const [zot, plain, listing] = await besideZot(stage, async () => [
    await played(stage, 'acp', 'answer'),
    await played(stage, 'acp', 'commands'),
  ])
  return [
    ...figuresOf(plain, zot, ''),
    ...figuresOf(listing, zot, ', commands'),
    { name: 'gap at commands', unit: 'ms', value: listing.lists.gap, floor: mean(zot.map(({ lists }) => lists.gap)) },
    { name: 'CPU at commands', unit: 'ms', value: listing.lists.cpu, floor: mean(zot.map(({ lists }) => lists.cpu)) },
    ...added(plain.damage, listing.damage),
  ]
}

/** The same answer over ACP while twenty subagents say as much beside it, compared with the answer alone before and after. */
export async function subagents(stage: Stage): Promise<Figure[]> {
  const before = await played(stage, 'acp', 'answer')
  const beside = await played(stage, 'acp', 'subagents')
  const floors = [before, await played(stage, 'acp', 'answer')]
  // What the terminal gets is counted against the same text.
  return [...figuresOf(beside, floors, ''), ...beside.damage]
}

export async function meerkat(stage: Stage): Promise<Figure[]> {
  const [zot, plain] = await besideZot(stage, async () => [await played(stage, 'meerkat', 'answer')])
  return [...figuresOf(plain, zot, ''), ...plain.damage]
}

/** zot plays before and after, so that other work of the machine affects both. */
async function besideZot<Others extends readonly Played[]>(
  stage: Stage,
  play: () => Promise<readonly [...Others]>,
): Promise<[zot: readonly Played[], ...Others]> {
  const before = await played(stage, 'zot', 'answer')
  const others = await play()
  return [[before, await played(stage, 'zot', 'answer')], ...others]
}

function figuresOf(turn: Turn, floors: readonly Turn[], suffix: string): Figure[] {
  const figure = (name: string, unit: Figure['unit'], of: (each: Turn) => number): Figure => {
    return { name: `${name}${suffix}`, unit, value: of(turn), floor: mean(floors.map(of)) }
  }
  return [
    figure('bytes / source', 'ratio', ({ bytes, sourceBytes }) => bytes / sourceBytes),
    figure('CPU', 's', ({ cpu }) => cpu),
    figure('lag p50', 'ms', ({ lags }) => percentile(settled(lags), 0.5)),
    figure('lag p95', 'ms', ({ lags }) => percentile(settled(lags), 0.95)),
    figure('echo p95', 'ms', ({ echoes }) => percentile(echoes, 0.95)),
  ]
}

/** Omits the first fifth, when code is compiled: that is the same for every agent, and hides all else. */
function settled(lags: readonly number[]): readonly number[] {
  return lags.slice(lags.length / 5)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** The sums of the same figures of two turns. */
function added(one: readonly Figure[], other: readonly Figure[]): Figure[] {
  return one.map((figure, index) => Object.assign(figure, { value: figure.value + (other[index]?.value ?? 0) }))
}

/** Plays an answer to a zotui of its own. */
async function played(stage: Stage, agent: StageAgent, kind: Play['kind']): Promise<Played> {
  const play: Play = { kind, count: COUNT, rate: 200, turn: 0 }
  const ui = stage.open({ agent })
  await ui.ready()
  const frames: Frame[] = []
  const unwatch = ui.terminal.watch(at => void frames.push({ at, cpu: ui.usage().cpu * 1000 }))
  const turn = await playAnswer(ui, play)
  unwatch()
  const damage = damageFigures(ui.terminal, [play])
  await ui.end()
  return { ...turn, damage, lists: atLists(turn, frames) }
}

type Frame = { at: number; cpu: number }

function atLists({ report: { began, sent } }: Turn, frames: readonly Frame[]): AtLists {
  const windows = LISTED_AT.map(share => {
    const index = Math.floor(COUNT * share)
    return { from: began + (sent[index - 1] ?? 0), to: began + (sent[index] ?? 0) + AFTER_LIST }
  })
  const steps = frames.slice(1).flatMap((frame, index) => {
    const { at, cpu } = frames[index] ?? frame
    const isThen = windows.some(({ from, to }) => frame.at > from && at < to)
    return isThen ? [{ gap: frame.at - at, cpu: frame.cpu - cpu }] : []
  })
  return { gap: Math.max(...steps.map(({ gap }) => gap)), cpu: sum(steps.map(({ cpu }) => cpu)) }
}
