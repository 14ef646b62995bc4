/** A project with its state folder, and programs in it that keep sessions. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { SessionKind } from '../../../src/conversation/queries/session/session-kind.ts'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import { timed, type Told } from '../../conversation/events.ts'

export type Place = { stateFolder: string; projectFolder: string }

/** Gone when the test is. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-session-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const projectFolder = join(root, 'project')
  mkdirSync(projectFolder)
  return { stateFolder: join(root, 'state'), projectFolder }
}

export type Program = {
  sessions: Sessions
  /** Adds events, each as it happens. */
  tell: (...events: readonly Told[]) => void
  /** The delay for growing text is over. */
  wait: () => void
  problems: string[]
  clock: { now: number }
}

/** One that is told what to do; its clock stands still. */
export function openProgram(place: Place, kind?: SessionKind): Program {
  const problems: string[] = []
  const clock = { now: 1_750_000_000_000 }
  let due: (() => void) | null = null
  const after = (_ms: number, run: () => void): (() => void) => {
    due = run
    return () => {
      due = null
    }
  }
  const sessions = openSessions({
    ...place,
    now: () => clock.now,
    timers: { after },
    onProblem: words => problems.push(words),
    ...(kind && { kind }),
  })
  return {
    sessions,
    tell: (...events) => timed(events, clock.now).forEach(event => sessions.add([event])),
    wait: () => due?.(),
    problems,
    clock,
  }
}

/** The prompts of a session. */
export function promptsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap(event => (event.type === 'prompt_sent' ? [event.text] : []))
}
