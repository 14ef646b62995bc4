/** Opens the agents of conversations. Each can be replaced by another one, and have a second one for side questions. */
import process from 'node:process'
import type { Backend, OwnSession, Reply } from '../../../../src/agent/backend.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { createAgentSwitch } from '../../../../src/agents/switching.ts'
import type { OpenAgent, OpenedAgent } from '../../ui/options.ts'
import type { AgentStart } from './agent-start.ts'
import { inFolder, namedAgent, startedWith } from './choose-agent.ts'
import type { Connection } from './connection.ts'
import type { Remote } from '../remote.ts'
import { orReason } from '../or-reason.ts'
import { READING } from './zot-options.ts'
import { findAgent } from '../../../../src/agents/acp/find-agent.ts'
import { installHint, knownAgents } from '../../../../src/agents/acp/known-agents.ts'
import { findMeerkat, MEERKAT, MEERKAT_HINT } from '../../../../src/agents/meerkat/program.ts'
import { ROZ, ROZ_HINT } from '../../../../src/agents/roz/name.ts'
import { locateZot } from '../../../../src/agents/zot/program/locate.ts'
import type { OfferedAgent } from '../../../../src/app/context/agents.ts'
import { configuredZotPath } from '../load-settings.ts'
import { remoteWords } from './remote-words.ts'

export type AgentOpener = {
  /**
   * Makes the parts of a conversation with this agent, which is not started. `isRecorded`: see `Connection`. `remote` is its machine, by default
   * that of the command line.
   */
  opened: (choice: AgentChoice, agent: Backend, how?: { isRecorded?: boolean; remote?: Remote | null }) => OpenedAgent
  /** @throws UserError if there is no such agent. */
  openAgent: OpenAgent
}

/** `first` is the agent of the first conversation, and of others that name none. */
export function createAgentOpener(
  start: AgentStart,
  first: AgentChoice,
  { make }: Pick<Connection, 'make'>,
): AgentOpener {
  return { opened, openAgent }

  function opened(
    choice: AgentChoice,
    agent: Backend,
    { isRecorded = false, remote = start.remote }: Parameters<AgentOpener['opened']>[2] = {},
  ): OpenedAgent {
    const place = { ...start, remote }
    const how = { isRecorded }
    let current = choice
    const { backend, switchTo } = createAgentSwitch(agent)
    const use = async (words: string, onStart: (name: string) => OwnSession | undefined): Promise<Reply> =>
      orReason(async () => {
        const named = await namedAgent(words, place)
        const next = await make(named, how)
        const reply = await switchTo(next, onStart(next.name))
        if (reply.ok) current = named
        return reply
      })
    return {
      backend,
      agents: choice.agent === 'demo' ? undefined : { list: async () => listed(remote), use },
      async startSide() {
        if (current.agent === 'remote-zot' && !current.isGuarded)
          return { ok: false, message: `there is no guard on ${remote?.name ?? ''}` }
        const { readingChoice } = await import('../../../../src/agents/reading.ts')
        const startChoice = readingChoice(startedWith(current, backend.startOptions()), READING)
        if (!startChoice.ok) return startChoice
        const { choice: reading, mode } = startChoice.value
        return { ok: true, value: { backend: await make(reading, { isGuarded: true }), mode } }
      },
      remoteWords: () => remoteWords(current),
    }
  }

  async function openAgent({ agent, folder, start: options, remote }: Parameters<OpenAgent>[0]): Promise<OpenedAgent> {
    const isWhereFirst = remote === start.remote
    // The first agent has another program on another machine, and here all of its own words.
    const isFirst = agent === undefined || agent === remoteWords(first)
    const words = !isFirst ? agent : isWhereFirst ? undefined : nameOf(first)
    const chosen = words === undefined ? first : await namedAgent(words, { ...start, folder, remote })
    const named = options === undefined ? chosen : startedWith(chosen, options)
    const choice = folder === start.folder ? named : inFolder(named, folder)
    return opened(choice, await make(choice), { remote })
  }

  async function listed(remote: Remote | null): Promise<OfferedAgent[]> {
    return remote ? (await import('./remote-choice.ts')).remoteOffers({ ...start, remote }) : offeredAgents(start)
  }

  /** The words for the first agent: those of the setting, which may be a command. */
  function nameOf(choice: AgentChoice): string {
    const { agent } = start.settings.values()
    switch (choice.agent) {
      case 'acp':
        return choice.program.known?.name ?? agent ?? choice.program.name
      case 'remote-acp':
        return choice.found.agent.known?.name ?? agent ?? choice.found.agent.name
      case 'remote-zot':
        return 'zot'
      case 'demo':
      case 'zot':
        return choice.agent
      case 'meerkat':
      case 'roz':
        return remoteWords(choice) ?? choice.agent
    }
  }
}

/** The agents that are known by name, and how to get the missing ones. */
function offeredAgents({
  settings,
  folder,
  options: { baseUrl },
}: Pick<AgentStart, 'settings' | 'folder' | 'options'>): OfferedAgent[] {
  const { env } = process
  const located = locateZot(configuredZotPath(settings), env, folder)
  const zot = { name: 'zot', title: 'zot', missing: located.ok ? null : located.hint }
  const others = knownAgents.map(known => {
    const found = findAgent(known.name, env, folder)
    return { name: known.name, title: known.title, missing: found.ok ? null : installHint(known) }
  })
  const meerkat = findMeerkat(settings.pathOf('rkatRpc'), env, folder)
  const { name, title } = MEERKAT
  const hasRoz = env[ROZ.key] !== undefined && (baseUrl ?? env[ROZ.address]) !== undefined
  const roz = { name: ROZ.name, title: ROZ.title, missing: hasRoz ? null : ROZ_HINT }
  return [zot, ...others, { name, title, missing: meerkat.ok ? null : MEERKAT_HINT }, roz]
}
