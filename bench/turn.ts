/** Plays one turn and measures all of it. */
import type { Answer } from './text.ts'
import { makeAnswer, markPattern } from './text.ts'
import type { Figure } from './figures.ts'
import { timeFigures, MEGABYTE } from './figures.ts'
import type { Play, Report } from './play.ts'
import type { Stage } from './stage.ts'
import type { Terminal } from './terminal.ts'
import { startTyping } from './typist.ts'
import type { Ui } from './ui.ts'

export type Turn = {
  report: Report
  sourceBytes: number
  bytes: number
  frames: number
  /** Seconds of the program on the terminal; the agent's are in the report. */
  cpu: number
  /** Milliseconds from the writing of a delta until its text was on the screen, for each mark that was seen. */
  lags: number[]
  /** Milliseconds from a key to its echo. */
  echoes: number[]
  /** Milliseconds from the first delta until the last mark was on the screen. */
  complete: number
}

/** Plays an answer to zotui while somebody types. */
export async function playAnswer(ui: Ui, play: Play): Promise<Turn> {
  const answer = makeAnswer(play.count, play.turn)
  const { terminal } = ui
  const before = { bytes: terminal.bytes, frames: terminal.frames, cpu: ui.usage().cpu }
  const seen = seeMarks(terminal, answer)
  await ui.send(play)
  const typing = startTyping(ui)
  const report = await ui.played((play.count / play.rate) * 1000)
  const echoes = await typing.stop()
  return {
    ...times(report, answer, seen.stop()),
    report,
    echoes,
    sourceBytes: Buffer.byteLength(answer.text),
    bytes: terminal.bytes - before.bytes,
    frames: terminal.frames - before.frames,
    cpu: ui.usage().cpu - before.cpu,
  }
}

/** The same for the raw writer. Its CPU is all there is, and the keys are typed to a program that does nothing else. */
export async function playRaw(stage: Stage, play: Play): Promise<Turn> {
  const answer = makeAnswer(play.count, play.turn)
  const echo = await stage.echo()
  const typing = startTyping(echo)
  const { program, report: reported } = stage.raw(play)
  const seen = seeMarks(program.terminal, answer)
  const report = await reported
  await program.settled()
  const echoes = await typing.stop()
  await echo.end()
  const { bytes, frames } = program.terminal
  const sourceBytes = Buffer.byteLength(answer.text)
  return { ...times(report, answer, seen.stop()), report, echoes, sourceBytes, bytes, frames, cpu: report.cpu }
}

/** The time at which each mark was first seen. */
function seeMarks(terminal: Terminal, answer: Answer): { stop: () => Map<string, number> } {
  const seen = new Map<string, number>()
  const unwatch = terminal.watch(at => {
    for (const [mark] of terminal.fresh().join('\n').matchAll(markPattern)) {
      if (!seen.has(mark) && answer.marks.has(mark)) seen.set(mark, at)
    }
  })
  return {
    stop() {
      unwatch()
      return seen
    },
  }
}

function times(report: Report, answer: Answer, seen: ReadonlyMap<string, number>): Pick<Turn, 'lags' | 'complete'> {
  const lags: number[] = []
  let last = 0
  for (const [mark, at] of seen) {
    const sent = report.sent[answer.marks.get(mark) ?? -1]
    if (sent === undefined) continue
    lags.push(at - report.began - sent)
    last = Math.max(last, at - report.began)
  }
  return { lags, complete: last }
}

/** The figures of every answer, compared with the raw writer. */
export function answerFigures(turn: Turn, raw: Turn, ui: Ui): Figure[] {
  const { sourceBytes } = turn
  return [
    { name: 'bytes / source', unit: 'ratio', value: turn.bytes / sourceBytes, floor: raw.bytes / sourceBytes },
    { name: 'frames', unit: 'count', value: turn.frames },
    { name: 'CPU, with agent', unit: 's', value: turn.cpu + turn.report.cpu, floor: raw.cpu },
    { name: 'CPU, agent alone', unit: 's', value: turn.report.cpu, floor: raw.cpu },
    peakMemory(ui, raw.report.peakMemory),
    ...timeFigures('lag', turn.lags, raw.lags),
    ...timeFigures('echo', turn.echoes, raw.echoes),
  ]
}

export function peakMemory(ui: Ui, floor?: number): Figure {
  const value = ui.usage().peakMemory / MEGABYTE
  return { name: 'peak memory', unit: 'MB', value, floor: floor === undefined ? undefined : floor / MEGABYTE }
}

/** Counts faults of the screen. `plays` are all answers of this run. */
export function damageFigures(terminal: Terminal, plays: readonly Play[]): Figure[] {
  const { lost, repeatedLines } = countMarks(terminal, plays)
  return [
    { name: 'marks lost', unit: 'count', value: lost },
    { name: 'lines repeated', unit: 'count', value: repeatedLines },
    { name: 'wipes', unit: 'count', value: terminal.wipes },
    { name: 'flashes', unit: 'count', value: terminal.flashes },
  ]
}

/** Counts the marks that are missing, and the lines of scrollback and screen that repeat a mark. */
function countMarks(terminal: Terminal, plays: readonly Play[]): { lost: number; repeatedLines: number } {
  const found = new Set<string>()
  let repeatedLines = 0
  for (const line of terminal.history()) {
    const marks = [...line.matchAll(markPattern)].map(([mark]) => mark)
    if (marks.some(mark => found.has(mark))) repeatedLines += 1
    for (const mark of marks) found.add(mark)
  }
  const marks = plays.flatMap(({ count, turn }) => [...makeAnswer(count, turn).marks.keys()])
  return { lost: marks.filter(mark => !found.has(mark)).length, repeatedLines }
}
