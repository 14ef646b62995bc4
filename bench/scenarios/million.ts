/** A very long session: it is read while somebody types, and a turn in it costs what a turn in a new one does. */
import { median, timeFigures, type Figure } from '../figures.ts'
import type { Play } from '../play.ts'
import { EVENTS_A_TURN, sessionsOf, writeSession } from '../sessions.ts'
import type { Stage } from '../stage.ts'
import { playAnswer, peakMemory } from '../turn.ts'
import { startTyping } from '../typist.ts'
import type { Ui } from '../ui.ts'

const EVENTS = { short: 100_000, full: 1_000_000 }
const DELTAS = 2
const TURNS = 3

/** 100,000 events; with `--full` a million. */
export async function million(stage: Stage): Promise<Figure[]> {
  const fresh = stage.open()
  await fresh.ready()
  const floor = await turnsIn(fresh, 0)
  await fresh.end()
  const turns = Math.ceil((stage.full ? EVENTS.full : EVENTS.short) / EVENTS_A_TURN)
  const prepare = (folder: string): void => {
    const sessions = sessionsOf(folder)
    writeSession(sessions, turns, DELTAS)
    sessions.close()
  }
  const ui = stage.open({ prepare, args: ['--continue'] })
  const isThere = (): boolean => ui.terminal.screen().some(line => line.includes('Resumed the session'))
  const whole = ui.shown('the end of the session', isThere, 300_000)
  const prompt = (await ui.promptShown()) - ui.startedAt
  const typing = startTyping(ui)
  const all = (await whole) - ui.startedAt
  const echoes = await typing.stop()
  await ui.clear()
  const played = await turnsIn(ui, TURNS)
  const figures: Figure[] = [
    { name: 'events', unit: 'count', value: turns * EVENTS_A_TURN },
    { name: 'prompt', unit: 'ms', value: prompt },
    { name: 'all of it', unit: 'ms', value: all },
    ...timeFigures('echo while it is read', echoes),
    { name: 'CPU of a turn', unit: 's', value: played.cpu, floor: floor.cpu },
    { name: 'bytes of a turn', unit: 'bytes', value: played.bytes, floor: floor.bytes },
    ...timeFigures('echo', played.echoes, floor.echoes),
    peakMemory(ui),
  ]
  await ui.end()
  return figures
}

/** Medians of some turns; `from` counts them over all that were played. */
async function turnsIn(ui: Ui, from: number): Promise<{ cpu: number; bytes: number; echoes: number[] }> {
  const turns = []
  for (let turn = from; turn < from + TURNS; turn += 1) {
    const play: Play = { kind: 'answer', count: 400, rate: 400, turn }
    turns.push(await playAnswer(ui, play))
    await ui.clear()
  }
  return {
    cpu: median(turns.map(({ cpu }) => cpu)),
    bytes: median(turns.map(({ bytes }) => bytes)),
    echoes: turns.flatMap(({ echoes }) => echoes),
  }
}
