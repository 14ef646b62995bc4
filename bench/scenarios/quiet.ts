/** The cost of an idle agent, with and without typing. */
import { setTimeout as pause } from 'node:timers/promises'
import { MEGABYTE, timeFigures, type Figure } from '../figures.ts'
import type { Stage } from '../stage.ts'
import { playAnswer } from '../turn.ts'
import { typeKeys } from '../typist.ts'

const IDLE_SECONDS = 30

/** A while for what is loaded behind the prompt. */
const SETTLING = 1500
/** V8 collects once what the start has left, about eight seconds after it: 60 ms. */
const COLLECTING = 10_000

/** The first prompt, and half a minute after a turn. */
export async function idle(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  await pause(SETTLING)
  const { memory } = ui.usage()
  await playAnswer(ui, { kind: 'answer', count: 100, rate: 1000, turn: 0 })
  await ui.clear()
  await pause(COLLECTING)
  const before = { bytes: ui.terminal.bytes, cpu: ui.usage().cpu }
  await pause(IDLE_SECONDS * 1000)
  const figures: Figure[] = [
    { name: 'memory at the prompt', unit: 'MB', value: memory / MEGABYTE },
    { name: 'bytes', unit: 'bytes', value: ui.terminal.bytes - before.bytes },
    { name: 'CPU in 10 s', unit: 's', value: ((ui.usage().cpu - before.cpu) * 10) / IDLE_SECONDS },
  ]
  await ui.end()
  return figures
}

const KEYS = 200

/** Keys into the composer of an idle zotui. */
export async function typing(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const before = { bytes: ui.terminal.bytes, cpu: ui.usage().cpu }
  const echoes = await typeKeys(ui, KEYS)
  const after = { bytes: ui.terminal.bytes, cpu: ui.usage().cpu }
  const bare = await stage.echo()
  const floors = await typeKeys(bare, KEYS)
  await bare.end()
  const figures: Figure[] = [
    ...timeFigures('echo', echoes, floors),
    { name: 'bytes a key', unit: 'bytes', value: (after.bytes - before.bytes) / KEYS },
    { name: 'CPU a key', unit: 'ms', value: ((after.cpu - before.cpu) * 1000) / KEYS },
  ]
  await ui.end()
  return figures
}
