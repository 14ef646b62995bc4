/** An agent that writes what nobody expects: what a key waits meanwhile, at worst. */
import { setTimeout as pause } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attacks, MODELS } from '../attacks.ts'
import { now } from '../clock.ts'
import type { Figure } from '../figures.ts'
import type { Stage } from '../stage.ts'
import { peakMemory } from '../turn.ts'
import { startTyping, typeKeys } from '../typist.ts'

/** Each in a zotui of its own. */
export async function hostile(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  const only = process.env['ATTACKS']?.split(',')
  for (const name of Object.keys(attacks)) {
    if (only && !only.includes(name)) continue
    const some = await suffered(stage, name)
    if (only || process.env['ALL']) console.error(name, some.map(f => `${f.name}: ${f.value.toFixed(0)}`).join('  '))
    figures.push(...some)
  }
  for (const count of only ? (only.includes('models') ? [20_000, 130_000] : []) : [20_000, 130_000]) {
    const some = await manyModels(stage, count)
    console.error(some.map(f => `${f.name}: ${f.value.toFixed(0)}`).join('  '))
    figures.push(...some)
  }
  return figures
}

/** Typing in the list of very many models, and moving in it. */
async function manyModels(stage: Stage, count: number): Promise<Figure[]> {
  const ui = stage.open({ prepare: folder => writeFileSync(join(folder, MODELS), String(count)) })
  await ui.ready()
  await pause(300)
  const times: number[] = []
  const shows = (text: string) => (): boolean => ui.terminal.screen().some(line => line.includes(text))
  const opened = ui.shown('the list', shows(`of ${count + 1}`))
  await ui.enter('/model')
  await opened
  await pause(500)
  times.push(...(await typeKeys(ui, 10)))
  const memory = peakMemory(ui).value
  await ui.end()
  return [
    { name: `key, ${count} models`, unit: 'ms', value: Math.max(...times) },
    { name: `memory, ${count} models`, unit: 'MB', value: memory },
  ]
}

async function suffered(stage: Stage, name: string): Promise<Figure[]> {
  const ui = stage.open()
  try {
    await ui.ready()
    await pause(300)
    await ui.enter(`attack ${name}`)
    const began = now()
    const typing = startTyping(ui, 15)
    await ui.idle()
    const took = now() - began
    await pause(300)
    const worst = Math.max(...(await typing.stop()))
    return [
      { name: `key, ${name}`, unit: 'ms', value: worst },
      { name: `work, ${name}`, unit: 'ms', value: Math.max(...typing.work) },
      { name: `all, ${name}`, unit: 'ms', value: took },
      { ...peakMemory(ui), name: `memory, ${name}` },
    ]
  } catch (error) {
    return [{ name: `FAILED ${name} ${String(error).slice(0, 300)}`, unit: 'ms', value: Number.NaN }]
  } finally {
    await ui.end()
  }
}
