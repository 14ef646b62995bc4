/** Twenty conversations at once, one of which is shown, compared with one alone. */
import { timeFigures, type Figure } from '../figures.ts'
import { playText } from '../play.ts'
import type { Stage } from '../stage.ts'
import { damageFigures, peakMemory, playAnswer } from '../turn.ts'

const OTHERS = 19
const RATE = 25
/** Deltas of the shown answers, and of the others, which take longer. */
const SHOWN = 200
const HIDDEN = 1500

export async function conversations(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  await ui.enter(`/settings turnsAtOnce ${OTHERS + 1}`)
  await ui.until('the setting', () => ui.terminal.screen().some(line => line.includes('is now')))
  const plays = [0, 1].map(turn => ({ kind: 'answer', count: SHOWN, rate: RATE, turn }) as const)
  const [first, second] = plays
  const alone = await playAnswer(ui, first ?? { kind: 'answer', count: SHOWN, rate: RATE, turn: 0 })
  await ui.clear()
  const before = ui.usage().peakMemory
  for (let other = 0; other < OTHERS; other += 1) {
    const play = { kind: 'answer', count: HIDDEN, rate: RATE, turn: 100 + other } as const
    await ui.enter(`/spawn ${playText(play)}`)
    const isOpen = (line: string): boolean => line.includes(`Conversation ${other + 2} works`)
    await ui.until('the conversation', () => ui.terminal.history().some(isOpen))
  }
  const busy = (line: string): boolean => line.includes(`${OTHERS}◐`)
  await ui.until('all to work', () => ui.terminal.screen().some(busy))
  const together = await playAnswer(ui, second ?? { kind: 'answer', count: SHOWN, rate: RATE, turn: 1 })
  const isStillBusy = ui.terminal.screen().some(busy)
  const figures: Figure[] = [
    ...timeFigures('echo', together.echoes, alone.echoes),
    { name: 'bytes', unit: 'bytes', value: together.bytes, floor: alone.bytes },
    { name: 'CPU', unit: 's', value: together.cpu, floor: alone.cpu },
    { name: 'memory a conversation', unit: 'MB', value: (ui.usage().peakMemory - before) / OTHERS / 1e6 },
    { name: 'ended too early', unit: 'count', value: isStillBusy ? 0 : 1 },
    peakMemory(ui),
    ...damageFigures(ui.terminal, plays),
  ]
  await ui.end()
  return figures
}
