/** The built-in commands that make sense in this program, with this agent. */
import { modeOption } from '../../../state/agent-options.ts'
import { offeredCommands, type BuiltInCommand } from '../../../state/slash.ts'
import type { ConversationStore } from '../../../state/app-store.ts'
import { lookup } from '../../../text/lookup.ts'
import type { AgentPart, Kept, Surroundings, TerminalFacts } from '../parts.ts'

export type AvailableParts = AgentPart &
  Surroundings &
  Pick<Kept, 'sessions'> &
  Pick<TerminalFacts, 'useTheme'> & {
    store: Pick<ConversationStore, 'get'>
    /** Without it, there is no /btw. */
    startSide?: unknown
  }

/** Commands that need sessions on disk. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['resume', 'rename', 'fork', 'rewind'])
/** Commands that need the host. */
const OF_HOST: ReadonlySet<string> = new Set(['editor', 'paste', 'export', 'copy', 'diff', 'login', 'logout', 'memory'])

/** Commands that need more than one conversation. */
const OF_CONVERSATIONS: ReadonlySet<string> = new Set(['conversations', 'another', 'spawn'])

export function availableCommands(options: AvailableParts): () => readonly BuiltInCommand[] {
  const { store, backend, host, sessions, conversations, worktrees } = options
  const rows: Record<string, () => boolean> = {
    theme: () => options.useTheme !== undefined,
    mode: () => modeOption(store.get().chat.options) !== undefined,
    agent: () => options.agents !== undefined,
    worktree: () => worktrees !== undefined && conversations !== undefined,
    worktrees: () => worktrees !== undefined && conversations !== undefined,
    btw: () => options.startSide !== undefined,
    hooks: () => options.hooks !== undefined,
    doctor: () => host?.examine !== undefined,
  }
  const hasSession = (name: string): boolean =>
    sessions !== undefined || (name !== 'resume' && (backend.holder?.session() ?? null) !== null)
  const isThere = (name: string): boolean => {
    const own = lookup(rows, name)
    if (own) return own()
    if (OF_CONVERSATIONS.has(name)) return conversations !== undefined
    return (!OF_HOST.has(name) || host !== undefined) && (!OF_SESSIONS.has(name) || hasSession(name))
  }
  return () => offeredCommands(backend.abilities).filter(({ name }) => isThere(name))
}
