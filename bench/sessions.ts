/** Earlier sessions, as zotui writes them. */
import { dirname, join } from 'node:path'
import type { AgentEvent } from '../src/agent/event.ts'
import { openSessions, type Sessions } from '../src/storage/sessions/sessions.ts'
import { makeAnswer } from './text.ts'

/** The folder with the state of a project, as the stage makes it: a folder in the home. */
export function stateFolderOf(folder: string): string {
  return join(dirname(folder), '.local/state/zotui')
}

export function sessionsOf(folder: string): Sessions {
  return openSessions({
    stateFolder: stateFolderOf(folder),
    projectFolder: folder,
    now: Date.now,
    timers: { after: () => () => undefined },
    onProblem(words) {
      throw new Error(words)
    },
  })
}

const model = { provider: 'bench', model: 'bench-model', contextWindow: 200_000 }
const started: AgentEvent = {
  type: 'agent_started',
  at: 0,
  agent: 'zot',
  version: '0.0.0',
  ...model,
  reasoning: null,
  reasoningLevels: [],
}

/** The number of events in a turn of `writeSession`. */
export const EVENTS_A_TURN = 19

/** Writes a session and returns its id. Each turn has a prompt, a text, a tool, and a text again. */
export function writeSession(sessions: Sessions, turns: number, deltas: number): string {
  // `--continue` opens what was on the screen.
  sessions.show(true)
  sessions.add([started])
  for (let turn = 0; turn < turns; turn += 1) sessions.add(turnEvents(turn, deltas))
  const { id } = sessions.current()
  sessions.begin()
  return id
}

function turnEvents(turn: number, deltas: number): AgentEvent[] {
  const at = Date.now()
  const { text } = makeAnswer(deltas, turn % 50)
  const id = `call_${turn}`
  const args = { command: `make part-${turn}` }
  const output = Array.from({ length: 20 }, (_, line) => `line ${line} of part ${turn}`).join('\n')
  const usage = { input: 1200, output: 300, cacheRead: 800, cacheWrite: 0, costUsd: 0.004, reasoning: null }
  return [
    { type: 'prompt_sent', at, text: `Prompt ${turn}: go on with part ${turn}`, images: [] },
    { type: 'prompt_accepted', at },
    { type: 'step_started', at, step: 1 },
    { type: 'answer_started', at },
    { type: 'text_received', at, text },
    { type: 'tool_drafted', at, id, name: 'bash' },
    { type: 'tool_arguments_received', at, id, text: JSON.stringify(args) },
    { type: 'tool_arguments_finished', at, id },
    { type: 'usage_reported', at, usage, auxiliary: false },
    {
      type: 'answer_finished',
      at,
      content: [
        { type: 'text', text },
        { type: 'tool_call', id, name: 'bash', arguments: args },
      ],
    },
    { type: 'tool_called', at, id, name: 'bash', arguments: args },
    { type: 'step_ended', at, stop: 'tool_use' },
    {
      type: 'tool_finished',
      at,
      id,
      failed: false,
      content: [{ type: 'text', text: `$ make\n\n${output}\n\n[exit 0]  Took 0.1s` }],
    },
    { type: 'step_started', at, step: 2 },
    { type: 'answer_started', at },
    { type: 'text_received', at, text: `Part ${turn} is done.` },
    { type: 'answer_finished', at, content: [{ type: 'text', text: `Part ${turn} is done.` }] },
    { type: 'step_ended', at, stop: 'end' },
    { type: 'turn_ended', at },
  ]
}
