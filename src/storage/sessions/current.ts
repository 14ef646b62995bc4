/** The session that this program is in: what was told is kept back until something of worth happened, and then written. */
import { statSync } from 'node:fs'
import type { AgentEvent } from '../../agent/event.ts'
import type { Claim } from './claim.ts'
import { FORMAT, type SessionHeader, type SessionLine } from './format.ts'
import { noteSummary, sessionPath } from './index-file.ts'
import { openJsonlFile } from '../jsonl-write.ts'
import { createSessionLog, type SessionLog, type Timers } from './log.ts'
import { emptySummary, summarise } from './summary.ts'
import type { SessionParent, SessionSummary } from '../../conversation/session-summary.ts'

export type Current = {
  readonly id: string
  readonly parent: SessionParent | null
  /** Whether there is something of it on disk, or would be if that could be written. */
  isStored: () => boolean
  /** What it begins with, as long as nothing of it is on disk. */
  unstored: () => readonly SessionLine[]
  title: () => string
  rename: (title: string) => void
  add: (events: readonly AgentEvent[]) => void
  flush: () => void
  /** Writes all, and lets go: nothing is written any more. */
  close: () => void
}

export type CurrentOptions = {
  id: string
  /** Where the sessions of the project are. */
  folder: string
  /** The project's folder. */
  projectFolder: string
  now: () => number
  timers: Timers
  parent: SessionParent | null
  /** What it begins with, and is not on disk yet. */
  lines: readonly SessionLine[]
  /** What its file says, where that is there already; else null. */
  stored: SessionSummary | null
  /** Says that the session is open here; null where that cannot be said. */
  claim: () => Claim | null
  /** What the system threw. */
  onProblem: (error: unknown) => void
  /** Why something that was told cannot be written in any form. */
  onUnwritable: (error: unknown) => void
  /** The file was removed, and put back. */
  onRemoved: () => void
}

/** With these a session begins to be one: whoever only looks in leaves no file. */
const OF_WORTH: ReadonlySet<AgentEvent['type']> = new Set(['prompt_sent', 'shell_started', 'compaction_started'])

/** Nothing here throws. */
export function openCurrent(options: CurrentOptions): Current {
  const { id, folder, parent, now, stored } = options
  const path = sessionPath(folder, id)
  let claim: Claim | null = stored ? options.claim() : null
  let log: SessionLog | null = stored ? openLog() : null
  let waiting: SessionLine[] = [...options.lines]
  let summary: SessionSummary = stored ?? emptySummary(id)
  let title = options.lines.findLast(line => line.type === 'session_titled')?.title ?? summary.title
  let begun = false

  return {
    id,
    parent,
    isStored: () => log !== null,
    unstored: () => (log === null ? waiting : []),
    title: () => title,
    rename(next) {
      title = next
      const line: SessionLine = { type: 'session_titled', at: now(), title }
      if (log) write(log, [line])
      else waiting.push(line)
    },
    add(events) {
      for (const event of events) {
        begun ||= OF_WORTH.has(event.type)
        // What zotui says at its start is no part of what is said here.
        if (begun || event.type !== 'remark_made') waiting.push(event)
      }
      if (begun) store()
    },
    flush: () => log?.flush(),
    close() {
      log?.close()
      claim?.release()
      const size = statSync(path, { throwIfNoEntry: false })?.size
      if (log && size !== undefined) noteSummary(folder, { size, summary })
    },
  }

  function openLog(): SessionLog {
    return createSessionLog(openJsonlFile(path, options.onRemoved), options)
  }

  function store(): void {
    const lines = log ? waiting : [headerOf(options, waiting), ...waiting]
    waiting = []
    log ??= openLog()
    write(log, lines)
  }

  function write(to: SessionLog, lines: readonly SessionLine[]): void {
    // Again where it could not be said: what is written now belongs to us.
    claim ??= options.claim()
    summary = lines.reduce(summarise, summary)
    to.add(lines)
  }
}

/** The agent is the one that was running last. */
function headerOf({ id, projectFolder, now, parent }: CurrentOptions, lines: readonly SessionLine[]): SessionHeader {
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
  }
}
