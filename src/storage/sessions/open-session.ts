/** The session that this program is in. Its events are buffered until one that is worth storing, and then written. */
import { statSync } from 'node:fs'
import type { AgentEvent } from '../../agent/event.ts'
import type { Claim } from './claim.ts'
import { eventsOf } from './read-session.ts'
import { decodeLine, FORMAT, type NoteLine, type SessionHeader, type SessionLine } from './session-format.ts'
import { noteSummary } from './index-file.ts'
import { sessionPath } from './session-path.ts'
import { openJsonlFile } from '../jsonl-write.ts'
import type { Timers } from '../../platform/timers.ts'
import { createSessionWriter, type SessionWriter } from './session-writer.ts'
import { emptySummary, summarise } from './summary.ts'
import type { SessionKind } from '../../conversation/queries/session/session-kind.ts'
import type { SessionParent, SessionSummary } from '../../conversation/queries/session/session-summary.ts'

export type OpenSession = {
  readonly id: string
  readonly parent: SessionParent | null
  /** Whether it is on disk, or would be if the disk could be written. */
  isStored: () => boolean
  /** Its lines, for as long as nothing of it is on disk. */
  unstored: () => readonly SessionLine[]
  /** Its events so far: in the file, and beside it. Writes what waits. */
  past: () => SessionPast
  title: () => string
  rename: (title: string) => void
  /** It has come on the user's screen, or left it. */
  shown: (isShown: boolean) => void
  add: (events: readonly AgentEvent[]) => void
  /** Adds what was begun beside it. */
  note: (line: NoteLine) => void
  /** Stores it, also if nothing in it is worth that. */
  keep: () => void
  flush: () => void
  /** Writes everything and releases the session. Nothing is written afterwards. */
  close: () => void
}

/** The events of a session: those in the first `bytes` of its file, if there is one, then `events`. */
export type SessionPast = { file: { path: string; bytes: number } | null; events: readonly AgentEvent[] }

export type OpenSessionOptions = {
  id: string
  /** The folder with the sessions of the project. */
  folder: string
  projectFolder: string
  now: () => number
  timers: Timers
  parent: SessionParent | null
  /** Undefined if it begins on the user's screen. */
  kind: SessionKind | undefined
  /** Its first lines, which are not on disk yet. */
  lines: readonly SessionLine[]
  /** The summary of its file; null where it has none yet. */
  stored: SessionSummary | null
  /** Claims the session for this program; null where that fails. */
  claim: () => Claim | null
  /** Called with what the system threw. */
  onProblem: (error: unknown) => void
  /** Called with the reason why an event cannot be encoded. */
  onUnwritable: (error: unknown) => void
  /** Called when the file was removed and has been restored. */
  onRemoved: () => void
}

/** Events that are worth storing: a start without one of them leaves no file. */
const OF_WORTH: ReadonlySet<AgentEvent['type']> = new Set([
  'prompt_sent',
  'turn_begun',
  'shell_started',
  'compaction_started',
])

/** Nothing here throws. */
export function openSession(options: OpenSessionOptions): OpenSession {
  const { id, folder, parent, now, stored } = options
  const path = sessionPath(folder, id)
  let claim: Claim | null = stored ? options.claim() : null
  let log: SessionWriter | null = stored ? openLog() : null
  let waiting: SessionLine[] = [...options.lines]
  let summary: SessionSummary = stored ?? emptySummary(id)
  let title = options.lines.findLast(line => line.type === 'session_titled')?.title ?? summary.title
  let begun = false

  return {
    id,
    parent,
    isStored: () => log !== null,
    unstored: () => (log === null ? waiting : []),
    past() {
      if (!log) return { file: null, events: eventsOf(waiting) }
      log.flush()
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      // The disk may have refused the last lines, or all of them.
      const lines = log
        .unwritten()
        .split('\n')
        .flatMap(line => decodeLine(line) ?? [])
      return { file: bytes === 0 ? null : { path, bytes }, events: eventsOf([...lines, ...waiting]) }
    },
    title: () => title,
    rename(next) {
      title = next
      note({ type: 'session_titled', at: now(), title })
    },
    note,
    shown: isShown => note({ type: 'session_shown', at: now(), isShown }),
    add(events) {
      for (const event of events) {
        begun ||= OF_WORTH.has(event.type)
        // Messages of zotui at its start are not part of the session, but what the user allowed is.
        if (begun || event.type !== 'remark_made' || event.sharesWith !== undefined) waiting.push(event)
      }
      if (begun) store()
    },
    keep() {
      begun = true
      store()
    },
    flush: () => log?.flush(),
    close() {
      log?.close()
      claim?.release()
      const size = statSync(path, { throwIfNoEntry: false })?.size
      if (log && size !== undefined) noteSummary(folder, { size, summary })
    },
  }

  function openLog(): SessionWriter {
    return createSessionWriter(openJsonlFile(path, options.onRemoved), options)
  }

  function note(line: SessionLine): void {
    if (log) write(log, [line])
    else waiting.push(line)
  }

  function store(): void {
    const lines = log ? waiting : [headerOf(options, waiting), ...waiting]
    waiting = []
    log ??= openLog()
    write(log, lines)
  }

  function write(to: SessionWriter, lines: readonly SessionLine[]): void {
    // Tried again where the claim failed before.
    claim ??= options.claim()
    summary = lines.reduce(summarise, summary)
    to.add(lines)
  }
}

/** The header names the agent that was started last. */
function headerOf(
  { id, projectFolder, now, parent, kind }: OpenSessionOptions,
  lines: readonly SessionLine[],
): SessionHeader {
  const started = lines.findLast(line => line.type === 'agent_started')
  return {
    type: 'session',
    format: FORMAT,
    id,
    folder: projectFolder,
    createdAt: now(),
    agent: started?.agent ?? '',
    agentVersion: started?.version ?? '',
    provider: started?.provider ?? '',
    model: started?.model ?? '',
    parent,
    ...(kind && { kind }),
  }
}
