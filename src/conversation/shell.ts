/** Commands that the user runs, in the form of calls of the agent's own tool. */
import type { EventOf } from '../agent/event.ts'
import type { Shell } from './part.ts'
import { newTool, progress } from './calls/tool-calls.ts'
import { withoutEnd } from '../text/without-end.ts'

/** The id of every such command; their start times distinguish them. */
export const SHELL_ID = 'shell'

export function startedShell({ command, shared, at }: EventOf<'shell_started'>): Shell {
  return {
    kind: 'shell',
    withdrawn: false,
    tool: { ...newTool(SHELL_ID, 'bash', 'running', at), arguments: { command }, called: true, startedAt: at },
    shared,
    stopping: false,
  }
}

export function printed(shell: Shell, { text, at }: EventOf<'shell_printed'>): Shell {
  return { ...shell, tool: progress(shell.tool, text, at) }
}

export function endedShell(shell: Shell, event: EventOf<'shell_ended'>): Shell {
  const { exitCode, stopped, problem, at, omittedBytes = 0, onTerminal } = event
  const state = stopped ? 'aborted' : exitCode === 0 ? 'ok' : 'failed'
  const tool = {
    ...shell.tool,
    state,
    endedAt: at,
    progress: '',
    progressDropped: 0,
    result: [{ type: 'text', text: problem ?? worded(shell, event) }],
  } as const
  const facts = { ...(omittedBytes > 0 && { omittedBytes }), ...(onTerminal && { onTerminal }) }
  return { ...shell, tool, stopping: false, shared: shell.shared && problem === null, ...facts }
}

/** The result in the format of the agent's own tool (docs/zot-protocol.md, 21), so that one parser is enough. */
function worded({ tool }: Shell, { exitCode, output, durationMs }: EventOf<'shell_ended'>): string {
  const { command } = tool.arguments as { command: string }
  return `$ ${command}\n\n${withoutEnd(output, /\n/)}\n\n[exit ${exitCode ?? -1}]  Took ${(durationMs / 1000).toFixed(1)}s`
}
