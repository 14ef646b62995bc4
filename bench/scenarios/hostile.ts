/** An agent with unexpected output: the longest wait of a key meanwhile. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { attacks, MODELS } from '../attacks.ts'
import { now } from '../clock.ts'
import type { Figure } from '../figures.ts'
import type { Stage } from '../stage.ts'
import { peakMemory } from '../turn.ts'
import { startTyping } from '../typist.ts'
import type { Ui } from '../ui.ts'

/** Milliseconds from a key's echo to the next key: faster than anybody types. */
const PAUSE = 15
/** After the agent has ended, and after a list has opened, in milliseconds. */
const REST = 300
const MANY_MODELS = [20_000, 130_000]

/** Runs each attack in a zotui of its own. */
export async function hostile(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of Object.keys(attacks)) figures.push(...(await suffered(stage.open(), name)))
  for (const count of MANY_MODELS) {
    const prepare = (folder: string): void => writeFileSync(join(folder, MODELS), String(count))
    figures.push(...(await listed(stage.open({ prepare }), count)))
  }
  return figures
}

async function suffered(ui: Ui, name: string): Promise<Figure[]> {
  await ui.ready()
  await ui.enter(`attack ${name}`)
  const began = now()
  return [
    ...(await typedWhile(ui, name, () => ui.idle())),
    { name: `all, ${name}`, unit: 'ms', value: now() - began - REST },
  ]
}

/** Typing in the list of very many models. */
async function listed(ui: Ui, count: number): Promise<Figure[]> {
  await ui.ready()
  const isThere = (): boolean => ui.terminal.screen().some(line => line.includes(`${count + 1} models`))
  const opened = ui.shown('the list', isThere)
  await ui.enter('/model')
  await opened
  return typedWhile(ui, `${count} models`, () => pause(REST))
}

/** Measures the slowest key during `work`, and ends the program. */
async function typedWhile(ui: Ui, name: string, work: () => Promise<unknown>): Promise<Figure[]> {
  const typing = startTyping(ui, PAUSE)
  await work()
  await pause(REST)
  const times = await typing.stop()
  const figures: Figure[] = [
    { name: `key, ${name}`, unit: 'ms', value: Math.max(...times) },
    { name: `key's CPU, ${name}`, unit: 'ms', value: Math.max(...typing.work) },
    { ...peakMemory(ui), name: `memory, ${name}` },
  ]
  await ui.end()
  return figures
}
