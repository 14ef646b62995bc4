/** The built-in commands that make sense in this program, with this agent. */
import { modeOption } from '../../../state/agent-options.ts'
import { offeredCommands, type BuiltInCommand, type CommandNeed } from '../../../state/slash.ts'
import type { ConversationStore } from '../../../state/app-store.ts'
import type { AgentPart, Kept, Surroundings, TerminalFacts } from '../parts.ts'

export type AvailableParts = AgentPart &
  Surroundings &
  Pick<Kept, 'sessions' | 'openSessionFinder'> &
  Pick<TerminalFacts, 'useTheme'> & {
    store: Pick<ConversationStore, 'get'>
    /** Without it, there is no /btw. */
    startSide?: unknown
    /** Without it, there is no /board. */
    openBoard?: unknown
  }

export function availableCommands(
  commands: readonly BuiltInCommand[],
  options: AvailableParts,
): () => readonly BuiltInCommand[] {
  const { store, backend, host, sessions, conversations, worktrees } = options
  const has: Readonly<Record<CommandNeed, () => boolean>> = {
    agents: () => options.agents !== undefined,
    board: () => options.openBoard !== undefined,
    conversations: () => conversations !== undefined,
    find: () => sessions !== undefined && options.openSessionFinder !== undefined,
    doctor: () => host?.examine !== undefined,
    hooks: () => options.hooks !== undefined,
    host: () => host !== undefined,
    modes: () => modeOption(store.get().chat.options) !== undefined,
    // The demo makes one up.
    races: () => conversations !== undefined && (worktrees !== undefined || store.get().startup.demo),
    sandbox: () => host?.reportSandbox !== undefined,
    serving: () => options.openLocalServer !== undefined,
    session: () => sessions !== undefined || (backend.holder?.session() ?? null) !== null,
    sessions: () => sessions !== undefined,
    side: () => options.startSide !== undefined,
    themes: () => options.useTheme !== undefined,
    worktrees: () => worktrees !== undefined && conversations !== undefined,
  }
  return () => offeredCommands(commands, backend.abilities).filter(({ needs }) => needs.every(need => has[need]()))
}
