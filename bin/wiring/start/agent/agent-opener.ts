/** Opens the agents of conversations. Each can be replaced by another one, and have a second one for side questions. */
import type { Backend, OwnSession, Reply } from '../../../../src/agent/backend.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { createAgentSwitch } from '../../../../src/agents/switching.ts'
import type { OpenAgent, OpenedAgent } from '../../ui/options.ts'
import type { AgentStart } from './agent-start.ts'
import { inFolder, namedAgent, startedWith } from './choose-agent.ts'
import { offeredAgents } from './offered-agents.ts'
import type { Connection } from './connection.ts'
import { orReason } from '../or-reason.ts'
import { READING } from './zot-options.ts'

export type AgentOpener = {
  /** Makes the parts of a conversation with this agent, which is not started. `how`: see `Connection`. */
  opened: (choice: AgentChoice, agent: Backend, how?: { isRecorded: boolean }) => OpenedAgent
  /** @throws UserError if there is no such agent. */
  openAgent: OpenAgent
}

/** `first` is the agent of the first conversation, and of others that name none. */
export function createAgentOpener(
  start: AgentStart,
  first: AgentChoice,
  { make }: Pick<Connection, 'make'>,
): AgentOpener {
  const { remote } = start
  return { opened, openAgent }

  function opened(choice: AgentChoice, agent: Backend, how = { isRecorded: false }): OpenedAgent {
    let current = choice
    const { backend, switchTo } = createAgentSwitch(agent)
    const use = async (words: string, onStart: (name: string) => OwnSession | undefined): Promise<Reply> =>
      orReason(async () => {
        const named = await namedAgent(words, start)
        const next = await make(named, how)
        const reply = await switchTo(next, onStart(next.name))
        if (reply.ok) current = named
        return reply
      })
    return {
      backend,
      agents: choice.agent === 'demo' || remote ? undefined : { list: async () => offeredAgents(start), use },
      async startSide() {
        if (remote?.isGuarded === false) return { ok: false, message: `there is no guard on ${remote.name}` }
        const { readingChoice } = await import('../../../../src/agents/reading.ts')
        const held = readingChoice(startedWith(current, backend.startOptions()), READING)
        if (!held.ok) return held
        const { choice: reading, mode } = held.value
        return { ok: true, value: { backend: await make(reading, { isGuarded: true }), mode } }
      },
    }
  }

  async function openAgent({ agent, folder, start: wish }: Parameters<OpenAgent>[0]): Promise<OpenedAgent> {
    const chosen = agent === undefined ? first : await namedAgent(agent, { ...start, folder })
    const named = wish === undefined ? chosen : startedWith(chosen, wish)
    const choice = folder === start.folder ? named : inFolder(named, folder)
    return opened(choice, await make(choice))
  }
}
