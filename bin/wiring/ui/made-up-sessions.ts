/** Writes the made-up sessions of the demo, as zotui would have stored them. */
import { join } from 'node:path'
import type { AgentEvent, AnswerContent } from '../../../src/agent/event.ts'
import { demoProvider } from '../../../src/agents/demo/models.ts'
import { pastSessions, type PastCall, type PastSession, type PastTurn } from '../../../src/agents/demo/past.ts'
import { storedFolderName } from '../../../src/storage/folder-name.ts'
import { jsonLine, openJsonlFile } from '../../../src/storage/jsonl-write.ts'
import { FORMAT, type SessionLine } from '../../../src/storage/sessions/session-format.ts'
import { sessionPath } from '../../../src/storage/sessions/session-path.ts'

/** In milliseconds: an hour, a turn, and what happens in a turn. */
const HOUR = 3_600_000
const TURN = 240_000
const MOMENT = 2000

/** @throws what the system throws. */
export function writeMadeUpSessions(stateFolder: string, projectFolder: string, now: number): void {
  for (const session of pastSessions) {
    const folder = session.folder ?? projectFolder
    const file = openJsonlFile(
      sessionPath(join(stateFolder, 'sessions', storedFolderName(folder)), session.id),
      () => undefined,
    )
    file.append(linesOf(session, folder, now).map(jsonLine).join(''))
    file.close()
  }
}

function linesOf(session: PastSession, folder: string, now: number): SessionLine[] {
  const { id, agent, model, parent = null, turns, side, spawned } = session
  const begun = now - session.hoursAgo * HOUR
  const after = begun + turns.length * TURN
  // Of the demo's provider: another one's would raise the question who may get the results of its tools.
  const from = { agent, provider: demoProvider, model }
  return [
    { type: 'session', format: FORMAT, id, folder, createdAt: begun, agentVersion: '', parent, ...from },
    { type: 'agent_starting', at: begun, agent },
    {
      type: 'agent_started',
      at: begun,
      version: '',
      contextWindow: 200_000,
      reasoning: null,
      reasoningLevels: [],
      ...from,
    },
    ...turns.flatMap((turn, index) => eventsOf(turn, begun + index * TURN, index)),
    ...(side ? [{ type: 'side_ended', at: after, outcome: 'done', ...side } as const] : []),
    ...(spawned === undefined ? [] : [{ type: 'session_spawned', at: after, id: spawned } as const]),
  ]
}

/** One step for each call, and one for the answer. */
function eventsOf({ prompt, calls, answer }: PastTurn, begun: number, turn: number): AgentEvent[] {
  let at = begun
  const next = (): number => (at += MOMENT)
  const step = (number: number, content: AnswerContent, stop: string): AgentEvent[] => [
    { type: 'step_started', at: next(), step: number },
    { type: 'answer_started', at },
    { type: 'answer_finished', at: next(), content: [content] },
    { type: 'usage_reported', at, usage: USAGE, auxiliary: false },
    { type: 'step_ended', at, stop },
  ]
  const called = ({ name, args, result, failed = false }: PastCall, index: number): AgentEvent[] => {
    const id = `t${turn}c${index}`
    const [started, ...rest] = step(index + 1, { type: 'tool_call', id, name, arguments: args }, 'tool_use')
    return [
      ...(started ? [started] : []),
      ...rest.slice(0, -1),
      { type: 'tool_called', at, id, name, arguments: args },
      ...rest.slice(-1),
      { type: 'tool_started', at, id },
      { type: 'tool_finished', at: next(), id, failed, content: [{ type: 'text', text: result }] },
    ]
  }
  return [
    { type: 'prompt_sent', at, text: prompt, images: [] },
    { type: 'prompt_accepted', at },
    ...calls.flatMap(called),
    ...step(calls.length + 1, { type: 'text', text: answer }, 'end'),
    { type: 'turn_ended', at: next() },
  ]
}

const USAGE = { input: 2400, output: 310, cacheRead: 9000, cacheWrite: 0, costUsd: 0.014, reasoning: null }
