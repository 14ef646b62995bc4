/** `zotui replay SESSION|FILE` plays a session in the UI, or prints its transcript without a terminal. */
import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import process from 'node:process'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { isThere } from '../../../src/platform/regular-file.ts'
import { timers } from '../../../src/platform/timers.ts'
import { startWatchdog } from '../../../src/platform/watchdog.ts'
import type { ReplayClockOptions } from '../../../src/replay/clock.ts'
import { NoAgent } from '../../../src/replay/no-agent.ts'
import { createReplay, type Replay } from '../../../src/replay/player.ts'
import { LONGEST_WAIT } from '../../../src/replay/schedule.ts'
import { readSessionFile } from '../../../src/replay/session-file.ts'
import { openLog } from '../../../src/storage/log.ts'
import type { SessionContent } from '../../../src/storage/sessions/read-session.ts'
import { formatDuration } from '../../../src/text/format.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { chosenTheme } from '../../wiring/start/chosen-theme.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'
import { transcriptOf } from '../../wiring/transcript.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { version } from '../version.ts'
import { findStored, omittedNote, openStored } from '../stored.ts'

export const command: Subcommand = {
  name: 'replay',
  takes: ['SESSION|FILE'],
  summary: 'Play a session or its file; without a terminal, print the transcript.',
  flags: {
    speed: { type: 'string', value: 'N', text: 'play N times as fast' },
    paused: { type: 'boolean', text: 'start paused' },
    atOnce: { type: 'boolean', text: 'play without pauses' },
  },
  run: async call => {
    const pace = paceOf(call)
    const word = call.words[0] ?? ''
    const { name, content } = await contentOf(word)
    const notices = content.skipped > 0 ? [omittedNote(content.skipped)] : []
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      for (const words of notices) writeMessage(words)
      print(transcriptOf(content.events, process.stdout.columns || 80))
      return 0
    }
    const replay = createReplay(withAgent(content), { ...pace, timers: clock })
    // A paused replay begins with the agent ready for its first prompt.
    if (pace.paused) replay.clock.skipTo(replay.ready)
    await show(replay, { name, content, notices })
    return 0
  },
}

type NamedContent = { name: string; content: SessionContent }

/** A word that could be both is a session; a path is always a file. */
async function contentOf(word: string): Promise<NamedContent> {
  const sessions = openStored()
  const isPath = /^\.|[/\\]|\.jsonl$/.test(word)
  const isSession = !isPath && (word === 'last' || sessions.read(word) !== null)
  if (isPath || (!isSession && isThere(resolve(word)))) {
    const content = readSessionFile(word)
    return { name: content.title || basename(word), content }
  }
  const content = await findStored(sessions, word)
  if (content.events.length === 0) throw new UserError(`The session ${content.id} is empty.`, '', 2)
  return { name: content.title || content.id, content }
}

/** The screen says nothing before an agent has started, and the file of a session may be only a part of it. */
function withAgent({ header, events }: SessionContent): readonly AgentEvent[] {
  const begun = events.findIndex(
    ({ type }) => type === 'agent_started' || type === 'prompt_sent' || type === 'turn_begun',
  )
  const first = events[Math.max(0, begun)]
  if (!first || first.type === 'agent_started') return events
  const { agent = 'agent', agentVersion: version = '', provider = '', model = '' } = header ?? {}
  const known = { agent, version, provider, model, contextWindow: null, reasoning: null, reasoningLevels: [] }
  return [{ type: 'agent_started', at: first.at, ...known }, ...events]
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

const clock: ReplayClockOptions['timers'] = {
  now: () => performance.now(),
  after: (ms, run) => timers.after(Math.min(ms, LONGEST), run),
}

function paceOf(call: CommandCall): { speed: number; paused: boolean } {
  const speed = call.value('speed')
  const paused = call.has('paused')
  if (call.has('atOnce')) return { speed: Infinity, paused }
  if (speed !== null && !(Number(speed) > 0)) {
    throw new UserError(`--speed needs a number such as 2 or 0.5, not "${speed}".`, '', 2)
  }
  return { speed: speed === null ? 1 : Number(speed), paused }
}

async function show(
  replay: Replay,
  { name, content, notices: own }: NamedContent & { notices: readonly string[] },
): Promise<void> {
  const home = homedir()
  const folder = process.cwd()
  const { settings, notices } = await loadSettingsFor(folder, { values: {}, names: new Map() })
  const [{ drawFirstFrame }, { openUi }] = await Promise.all([
    import('../../boot/first-frame.ts'),
    import('../../ui.ts'),
  ])
  const watchdog = startWatchdog()
  const look = chosenTheme(settings, home)
  const place = { remote: null, version, folder, home, demo: false, toolLimit: null }
  const then = content.header?.folder ?? ''
  // The folder of then need not be here, and nothing in it is read.
  const remote = { label: folderLabel(then, home), survey: { folder: then, branch: null } }
  await openUi({
    ...place,
    frame: drawFirstFrame({ ...place, remote, isReplay: true, now: replay.now, look, settings, watchdog }),
    backend: new NoAgent(content.header?.agent ?? ''),
    agents: undefined,
    argv: [],
    replay,
    recording: null,
    notice: noticeOf(name, replay),
    prompt: null,
    session: null,
    secrets: [],
    watchdog,
    look,
    settings,
    permissions: null,
    warnings: [...notices, ...own.map(text => ({ text }))],
    log: openLog(() => new Date()),
  })
}

function noticeOf(name: string, { length, leftOut }: Replay): string {
  const begin = `Replaying ${oneLine(sanitize(name))}, ${formatDuration(length)}: no agent runs, and nothing is changed.`
  if (leftOut === 0) return begin
  return `${begin} Waits of more than ${formatDuration(LONGEST_WAIT)} are shortened; ${formatDuration(leftOut)} are left out.`
}
