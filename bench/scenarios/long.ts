/** A long conversation: its last turn must cost what its first did. */
import { median, MEGABYTE, percentile, sum, type Figure } from '../figures.ts'
import type { Play } from '../play.ts'
import type { Stage } from '../stage.ts'
import { damageFigures, playAnswer, type Turn } from '../turn.ts'

const TURNS = 50
/** The turns that are combined, since the system counts CPU time in coarse steps. */
const GROUP = 5
/** The first turns, whose compiling and caching is not growth. */
const WARM_UP = 1

export async function long(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const plays: Play[] = []
  const turns: Turn[] = []
  const memory: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const play: Play = { kind: 'answer', count: 400, rate: stage.full ? 200 : 1000, turn }
    plays.push(play)
    turns.push(await playAnswer(ui, play))
    await ui.clear()
    memory.push(ui.usage().memory)
  }
  const first = turns.slice(WARM_UP, WARM_UP + GROUP)
  const last = turns.slice(-GROUP)
  const figure = (name: string, unit: Figure['unit'], of: (turns: readonly Turn[]) => number): Figure => ({
    name,
    unit,
    value: of(last),
    floor: of(first),
  })
  const figures: Figure[] = [
    figure('bytes a turn', 'bytes', some => median(some.map(({ bytes }) => bytes))),
    figure('frames a turn', 'count', some => median(some.map(({ frames }) => frames))),
    figure('CPU a turn', 's', some => sum(some.map(({ cpu }) => cpu)) / some.length),
    figure('echo p50', 'ms', some =>
      percentile(
        some.flatMap(({ echoes }) => echoes),
        0.5,
      ),
    ),
    figure('lag p95', 'ms', some =>
      percentile(
        some.flatMap(({ lags }) => lags),
        0.95,
      ),
    ),
    {
      name: 'memory',
      unit: 'MB',
      value: held(memory.slice(-GROUP)),
      floor: held(memory.slice(WARM_UP, WARM_UP + GROUP)),
    },
    ...damageFigures(ui.terminal, plays),
  ]
  await ui.end()
  return figures
}

function held(samples: readonly number[]): number {
  return median(samples) / MEGABYTE
}
