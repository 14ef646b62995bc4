/** Answers as they come in: at a model's pace, all at once, and faster than any model for a long time. */
import { growth, MEGABYTE, sum, type Figure } from '../figures.ts'
import type { Play } from '../play.ts'
import { sampleMemory } from '../process-usage.ts'
import type { Stage } from '../stage.ts'
import { answerFigures, damageFigures, playAnswer, playRaw, type Turn } from '../turn.ts'

/** An answer of 42 KB in ten seconds: other programs were measured with the same. */
export async function stream(stage: Stage): Promise<Figure[]> {
  const play: Play = { kind: 'answer', count: 2000, rate: 200, turn: 0 }
  // The whole cost is compared with the raw writer just before and just after.
  return answered(stage, play, [await playRaw(stage, play)])
}

/** The same as fast as it comes. */
export async function burst(stage: Stage): Promise<Figure[]> {
  return answered(stage, { kind: 'answer', count: 2000, rate: Number.POSITIVE_INFINITY, turn: 0 })
}

/** A thousand deltas a second: keys stay quick, and memory flat. */
export async function deltas1000(stage: Stage): Promise<Figure[]> {
  return answered(stage, { kind: 'answer', count: stage.full ? 60_000 : 20_000, rate: 1000, turn: 0 })
}

async function answered(stage: Stage, play: Play, rawBefore: readonly Turn[] = []): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const memory = sampleMemory(ui.pid)
  const turn = await playAnswer(ui, play)
  const samples = memory.stop()
  const raw = together([await playRaw(stage, play), ...rawBefore])
  const figures = [
    ...answerFigures(turn, raw, ui),
    ...(play.rate === Number.POSITIVE_INFINITY ? [] : [memoryGrowth(samples)]),
    { name: 'complete after', unit: 'ms', value: turn.complete, floor: raw.complete } as const,
    ...damageFigures(ui.terminal, [play]),
  ]
  await ui.end()
  return figures
}

/** Combines equal turns into one, since the other work of the machine differs between them. */
function together(turns: readonly [Turn, ...Turn[]]): Turn {
  return {
    ...turns[0],
    cpu: mean(turns.map(({ cpu }) => cpu)),
    lags: turns.flatMap(({ lags }) => lags),
    echoes: turns.flatMap(({ echoes }) => echoes),
    complete: mean(turns.map(({ complete }) => complete)),
  }
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** From the first third to the end. */
export function memoryGrowth(samples: readonly number[]): Figure {
  return { name: 'memory growth', unit: 'MB', value: growth(samples) / MEGABYTE }
}
