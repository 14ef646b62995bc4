/** Events that a session needs about an agent that was running before it began, or about an interruption. */
import type { AgentEvent } from '../../agent/event.ts'
import type { ChatState } from '../../conversation/state.ts'

export type RunningFacts = Pick<
  ChatState,
  'agent' | 'agentSession' | 'options' | 'agentCommands' | 'login' | 'servers' | 'limits'
>

/** The events that describe a running agent, its own session, and all that it has reported about it. */
export function snapshotOf(
  { agent, agentSession, options, agentCommands, login, servers, limits }: RunningFacts,
  at: number,
): AgentEvent[] {
  const { phase, name, reasoningLevels, ...facts } = agent
  if (phase === 'closed') return []
  const starting = { type: 'agent_starting', at, agent: name } as const
  if (phase === 'starting') return [starting]
  const levels = [...reasoningLevels]
  const started: AgentEvent = { type: 'agent_started', at, agent: name, ...facts, reasoningLevels: levels }
  if (phase !== 'ready') return [starting, started, ended(at)]
  const events: AgentEvent[] = [starting, started]
  if (agentSession !== null) events.push({ type: 'agent_session_opened', at, id: agentSession })
  if (options.length > 0) events.push({ type: 'options_changed', at, options: [...options] })
  if (agentCommands.length > 0) events.push({ type: 'agent_commands_changed', at, commands: [...agentCommands] })
  if (servers.length > 0) events.push({ type: 'servers_reported', at, servers: [...servers] })
  if (limits.length > 0) events.push({ type: 'limits_reported', at, windows: [...limits] })
  if (login !== null) events.push({ type: 'login_needed', at, methods: [...login] })
  return events
}

/**
 * The events that end everything that was open when zotui and its agent ended. With `isForked` the conversation
 * continues as another one, of which no agent has a session.
 */
export function breakOff(chat: ChatState, at: number, isForked = false): AgentEvent[] {
  const { shell, agent, open } = chat
  const events: AgentEvent[] = []
  if (shell) {
    const durationMs = Math.max(0, at - (shell.tool.startedAt ?? at))
    const output = shell.tool.progress
    events.push({ type: 'shell_ended', at, exitCode: null, stopped: true, durationMs, output, problem: null })
  }
  if (open || agent.phase === 'ready' || agent.phase === 'starting') events.push({ ...ended(at), withZotui: true })
  if (isForked && chat.rememberedBy) events.push({ type: 'agent_sessions_left', at })
  return events
}

function ended(at: number): Extract<AgentEvent, { type: 'agent_ended' }> {
  return { type: 'agent_ended', at, code: null, signal: null, reason: '', hint: '', expected: true }
}

export function foldersChanged(
  folders: readonly string[],
  at: number,
): Extract<AgentEvent, { type: 'folders_changed' }> {
  return { type: 'folders_changed', at, folders: [...folders] }
}
