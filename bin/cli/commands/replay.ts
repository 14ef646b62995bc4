/** `zotui replay FILE` plays a recording in the UI, or prints its transcript without a terminal. */
import { homedir } from 'node:os'
import { basename } from 'node:path'
import process from 'node:process'
import { codeOf, UserError } from '../../../src/platform/errors.ts'
import { openLog } from '../../../src/storage/log.ts'
import { createReplayClock, type ReplayClockOptions } from '../../../src/agents/replay/clock.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { readTextSync, UnreadableFile } from '../../../src/platform/regular-file.ts'
import { timers } from '../../../src/platform/timers.ts'
import { startWatchdog } from '../../../src/platform/watchdog.ts'
import { apartFromPrompt, isPrompt, parseRecording, type Recording } from '../../../src/agents/replay/recording.ts'
import { createReplayBackend } from '../../../src/agents/replay/backend.ts'
import { chosenTheme } from '../../wiring/start/chosen-theme.ts'
import type { RunCommand } from '../command.ts'
import type { CommandCall } from '../commands.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import { transcriptOf } from '../../wiring/transcript.ts'
import { version } from '../version.ts'

export const run: RunCommand = async call => {
  const file = call.words[0] ?? ''
  const { unread, lines: recorded } = readFile(file)
  const { lines, ready } = apartFromPrompt(recorded)
  const recording = { lines, unread }
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const wished = paceOf(call)
  const pace = createReplayClock({ ...(isTerminal ? wished : atOnce), timers: clock, startedAt: startOf(recording) })
  // A paused replay begins with the agent ready for its first prompt.
  if (pace.isPaused()) pace.skipTo(ready)
  const backend = createReplayBackend(lines, pace)
  if (isTerminal) await show(file, recording, { pace, backend })
  else {
    for (const words of remarksOn(recording)) writeMessage(words)
    print(await transcriptOf(backend, process.stdout.columns || 80))
  }
  return 0
}

/** Remarks on lines that could not be read. */
function remarksOn({ unread }: Recording): string[] {
  if (unread.length === 0) return []
  const named = unread.slice(0, MOST_NAMED).join(', ')
  const more = unread.length > MOST_NAMED ? ` and ${unread.length - MOST_NAMED} more` : ''
  return [`${unread.length === 1 ? 'Line' : 'Lines'} ${named}${more} of the recording could not be read.`]
}

/** The most line numbers that a remark lists. */
const MOST_NAMED = 5
/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

const atOnce = { speed: Infinity, paused: false }

const clock: ReplayClockOptions['timers'] = {
  now: () => performance.now(),
  after: (ms, run) => timers.after(Math.min(ms, LONGEST), run),
}

function paceOf(call: CommandCall): typeof atOnce {
  const speed = call.value('speed')
  const paused = call.has('paused')
  if (call.has('atOnce')) return { speed: Infinity, paused }
  if (speed !== null && !(Number(speed) > 0)) {
    throw new UserError(`--speed needs a number such as 2 or 0.5, not "${speed}".`, '', 2)
  }
  return { speed: speed === null ? 1 : Number(speed), paused }
}

function readFile(file: string): Recording {
  let text: string
  try {
    text = readTextSync(file)
  } catch (error) {
    const why = error instanceof UnreadableFile ? error.reason : `cannot be read (${codeOf(error)})`
    throw new UserError(`The file ${file} ${why}.`, 'Choose a file made with `zotui --record`.')
  }
  const recording = parseRecording(text)
  if (recording.lines.length === 0) {
    throw new UserError(`The file ${file} is not a recording.`, 'Choose a file made with `zotui --record`.')
  }
  return recording
}

/** The start time of the recording, from zot's frames; the current time if they have none. */
function startOf({ lines }: Recording): number {
  for (const { t, frame } of lines) {
    const time = Date.parse(String(frame?.['time']))
    if (!Number.isNaN(time)) return time - t
  }
  return Date.now()
}

async function show(
  file: string,
  recording: Recording,
  replay: { pace: ReturnType<typeof createReplayClock>; backend: ReturnType<typeof createReplayBackend> },
): Promise<void> {
  const { lines } = recording
  const home = homedir()
  const folder = process.cwd()
  const { settings, remarks } = await loadSettingsFor(folder, { values: {}, names: new Map() })
  const [{ drawFirstFrame }, { openUi }] = await Promise.all([import('../../first-frame.ts'), import('../../ui.ts')])
  const watchdog = startWatchdog()
  const look = chosenTheme(settings, home)
  const place = { remote: null, version, folder, home, demo: false, toolLimit: null }
  const { now } = replay.pace
  await openUi({
    ...place,
    frame: drawFirstFrame({ ...place, isReplay: true, now, look, settings, watchdog }),
    backend: replay.backend,
    agents: undefined,
    argv: [],
    replay: {
      pace: replay.pace,
      finished: replay.backend.finished,
      length: lines.at(-1)?.t ?? 0,
      prompts: lines.filter(isPrompt).map(({ t }) => t),
    },
    recording: null,
    notice: `Replaying ${basename(file)}: no agent runs, and nothing is changed.`,
    prompt: null,
    session: null,
    secrets: [],
    watchdog,
    look,
    settings,
    permissions: null,
    warnings: [...remarks, ...remarksOn(recording).map(text => ({ text }))],
    log: openLog(() => new Date()),
  })
}
