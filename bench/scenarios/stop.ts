/** Esc while an answer comes in: how soon the screen shows that it stops. */
import { setTimeout as pause } from 'node:timers/promises'
import { now } from '../clock.ts'
import { timeFigures, type Figure } from '../figures.ts'
import type { Stage } from '../stage.ts'
import { damageFigures } from '../turn.ts'
import { typeKeys } from '../typist.ts'
import { workingLine } from '../ui.ts'

const STOPS = 30
/** As terminals send it that say which key it is. Others send the beginning of a sequence, and Esc is known 50 ms later. */
const ESCAPE = '\x1b[27u'

export async function stop(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const times: number[] = []
  for (let turn = 0; turn < STOPS; turn += 1) {
    await ui.send({ kind: 'answer', count: 2000, rate: 200, turn })
    await ui.until('the answer', isWorking)
    // Never in step with the frames.
    await pause(400 + ((turn * 37) % 64))
    const shown = ui.shown('that it stops', () => !isWorking())
    const at = now()
    ui.write(ESCAPE)
    times.push((await shown) - at)
    await ui.idle()
  }
  const bare = await stage.echo()
  const floors = await typeKeys(bare, STOPS)
  await bare.end()
  const figures = [...timeFigures('Esc shown', times, floors), ...damageFigures(ui.terminal, [])]
  await ui.end()
  return figures

  function isWorking(): boolean {
    return ui.terminal.screen().some(line => workingLine.test(line))
  }
}
