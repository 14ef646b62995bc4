/** The JSON input of the user's own status line (docs/appearance.md). */
import { stateOf } from './conversations/conversation-row.ts'
import { modelTitle } from '../conversation/queries/model-title.ts'
import type { AppState } from './state.ts'

/** The facts about a conversation that are not in its state. */
export type StatusPlace = {
  /** The absolute folder in which the agent works. */
  folder: string
  /** The machine of that folder, such as `ssh:build`; null for this one. */
  machine: string | null
  /** The id of the stored session; null if none is stored. */
  session: string | null
}

/** Fields have the names that status lines of Claude Code read, if there is one for the fact. */
export function statusReport(state: AppState, { folder, machine, session }: StatusPlace) {
  const { chat, startup } = state
  const { agent, usage } = chat
  const size = agent.contextWindow
  return {
    hook_event_name: 'Status',
    version: startup.version,
    session_id: session,
    cwd: folder,
    workspace: { current_dir: folder, project_dir: folder },
    machine,
    branch: startup.branch,
    agent: { name: agent.name, version: agent.version },
    model: {
      id: agent.model,
      display_name: agent.provider === '' ? modelTitle(chat) : agent.model,
      provider: agent.provider,
      reasoning: agent.reasoning,
    },
    context_window: {
      context_window_size: size,
      used_tokens: chat.context,
      used_percentage: size && chat.context !== null ? Math.round((chat.context / size) * 100) : null,
      total_input_tokens: usage.input + usage.cacheRead + usage.cacheWrite,
      total_output_tokens: usage.output,
    },
    cost: { total_cost_usd: usage.costUsd },
    permission_mode: chat.permissionMode,
    state: agent.phase === 'ended' ? ('ended' as const) : stateOf(state, { isSeen: true, isSuspended: false }),
    queued: state.queue.entries.length,
  }
}
