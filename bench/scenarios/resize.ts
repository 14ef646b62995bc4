/** A user drags the window's corner to and fro while the answer comes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Figure } from '../figures.ts'
import type { Play } from '../play.ts'
import type { Stage } from '../stage.ts'
import { damageFigures, playAnswer } from '../turn.ts'
import { workingLine, type Ui } from '../ui.ts'

const STEPS = 40
const play: Play = { kind: 'answer', count: 1000, rate: 200, turn: 0 }

export async function resize(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const [turn, dragged] = await Promise.all([playAnswer(ui, play), drag(ui)])
  const history = ui.terminal.history()
  const count = (pattern: RegExp): number => history.filter(line => pattern.test(line)).length
  const figures: Figure[] = [
    { name: 'bytes while dragging', unit: 'bytes', value: dragged },
    { name: 'bytes / source', unit: 'ratio', value: turn.bytes / turn.sourceBytes },
    { name: 'status lines', unit: 'count', value: count(/^ {2}bench\/bench-model/) },
    { name: 'working lines', unit: 'count', value: count(workingLine) },
    ...damageFigures(ui.terminal, [play]),
  ]
  await ui.end()
  return figures
}

/** Resolves with the bytes written from the first step to the last. */
async function drag(ui: Ui): Promise<number> {
  await pause(2000)
  const before = ui.terminal.bytes
  for (let step = 1; step <= STEPS; step += 1) {
    const swing = Math.sin((step / STEPS) * Math.PI * 5)
    ui.resize(104 + Math.round(16 * swing), 34 + Math.round(6 * swing))
    await pause(30)
  }
  return ui.terminal.bytes - before
}
