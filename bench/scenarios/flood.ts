/** A command that prints without end, and is then stopped. */
import { setTimeout as pause } from 'node:timers/promises'
import { now } from '../clock.ts'
import { timeFigures, type Figure } from '../figures.ts'
import type { Play, Report } from '../play.ts'
import { sampleMemory } from '../process-usage.ts'
import type { Stage } from '../stage.ts'
import type { Terminal } from '../terminal.ts'
import { damageFigures, peakMemory } from '../turn.ts'
import { startTyping } from '../typist.ts'
import { memoryGrowth } from './answers.ts'

const RATE = 30_000
const MILLISECONDS = 5000
/** Longer than anybody waits: it ends by being aborted. */
const play: Play = { kind: 'flood', count: RATE * 60, rate: RATE, turn: 0 }

export async function flood(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  const { terminal } = ui
  const before = { bytes: terminal.bytes, cpu: ui.usage().cpu }
  const tail = seeTail(terminal)
  await ui.send(play)
  const memory = sampleMemory(ui.pid)
  const typing = startTyping(ui)
  await pause(MILLISECONDS)
  const samples = memory.stop()
  const echoes = await typing.stop()
  const escaped = now()
  const stopped = ui.shown('that it stopped', () => terminal.screen().some(line => line.includes('Stopped.')))
  ui.write('\x1b')
  const [report, stoppedAt] = await Promise.all([ui.played(), stopped])
  const lags = tailLags(report, tail.stop())
  const planned = ((report.ended - report.began) / 1000) * RATE
  const figures: Figure[] = [
    ...timeFigures('echo', echoes),
    ...timeFigures('tail behind', lags),
    memoryGrowth(samples),
    peakMemory(ui),
    { name: 'events', unit: 'count', value: report.sent.length, floor: planned },
    { name: 'longest write', unit: 'ms', value: report.longestWrite },
    { name: 'abort heard', unit: 'ms', value: (report.abortedAt ?? Number.NaN) - escaped },
    { name: 'abort shown', unit: 'ms', value: stoppedAt - escaped },
    { name: 'CPU', unit: 's', value: ui.usage().cpu - before.cpu },
    { name: 'bytes a second', unit: 'bytes', value: ((terminal.bytes - before.bytes) * 1000) / MILLISECONDS },
    ...damageFigures(terminal, []),
  ]
  await ui.end()
  return figures
}

/** The newest line of the command that each frame shows. */
function seeTail(terminal: Terminal): { stop: () => { line: number; at: number }[] } {
  const seen: { line: number; at: number }[] = []
  const unwatch = terminal.watch(at => {
    const lines = [
      ...terminal
        .screen()
        .join('\n')
        .matchAll(/\byes (\d+)/g),
    ].map(([, number]) => Number(number))
    const line = Math.max(...lines)
    if (lines.length > 0 && line !== seen.at(-1)?.line) seen.push({ line, at })
  })
  return {
    stop() {
      unwatch()
      return seen
    },
  }
}

function tailLags(report: Report, seen: readonly { line: number; at: number }[]): number[] {
  return seen.flatMap(({ line, at }) => {
    const sent = report.sent[line]
    return sent === undefined ? [] : [at - report.began - sent]
  })
}
