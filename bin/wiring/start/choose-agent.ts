/** Which agent to start: from the command line and the settings, or the one that the user names while zotui runs. */
import process from 'node:process'
import { findAgent, installHint, knownAgents } from '../../../src/agents/acp/known-agents.ts'
import type { AgentChoice } from '../../../src/agents/index.ts'
import { locateZot } from '../../../src/agents/zot/program/locate.ts'
import type { ZotOptions } from '../../../src/agents/zot/program/options.ts'
import type { OfferedAgent } from '../../../src/app/context/agents.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { sentence } from '../../../src/text/sentence.ts'
import type { Arguments } from '../../cli/arguments.ts'
import { configuredZotPath } from './load-settings.ts'

/** The agent to start, and its options. */
export type AgentStart = {
  args: Arguments
  settings: SettingsStore
  folder: string
  /** The options for zot. */
  options: ZotOptions
}

const isZot = (words: string | null): boolean => words === null || words.trim() === 'zot'

/**
 * Chooses the agent. A bare start in a terminal without a zot opens the demo and says so. A real request never goes to the
 * demo. A session that is resumed goes on with its own agent (`ofSession`), unless another one is wanted or it is gone.
 */
export async function chooseAgent(
  start: AgentStart,
  isTerminal: boolean,
  ofSession?: string,
): Promise<{ choice: AgentChoice; notice: string | null }> {
  const { args, settings, folder } = start
  if (args.demo) return { choice: { agent: 'demo', cwd: folder }, notice: null }
  const { agent } = settings.values()
  const isChosen = ['flag', 'environment'].includes(settings.sourceOf('agent').kind) || args.zotFlags.length > 0
  // A file is not to name a command: only agents of the table are started because of it.
  const isKnown = ofSession === 'zot' || knownAgents.some(({ name }) => name === ofSession)
  if (!isChosen && ofSession !== undefined && isKnown && ofSession !== (agent ?? 'zot').trim()) {
    const found = await foundAgent(ofSession, start)
    if (found) return { choice: found, notice: null }
  }
  if (!isZot(agent)) {
    refuseZotFlags(agent ?? '', args)
    return { choice: await namedAgent(agent ?? '', start), notice: null }
  }
  const found = await zotChoice(start)
  if ('choice' in found) return { ...found, notice: null }
  const { reason, hint } = found
  const isForZot = ['zot', 'agent'].some(name => settings.sourceOf(name as 'zot').kind === 'flag')
  const isWanted = args.prompt !== null || args.session !== null || isForZot || args.zotFlags.length > 0
  if (isWanted || !isTerminal) throw new UserError(reason, hint)
  return {
    choice: { agent: 'demo', cwd: folder },
    notice: `${reason} Using the built-in demo agent instead.\n${hint}`,
  }
}

/** The agent with this name or command line. @throws UserError if it cannot be found. */
export async function namedAgent(words: string, start: AgentStart): Promise<AgentChoice> {
  const { env } = process
  if (isZot(words)) {
    const found = await zotChoice(start)
    if ('choice' in found) return found.choice
    throw new UserError(found.reason, found.hint)
  }
  const { settings, folder } = start
  const from = settings.values().agent === words ? settings.sourceOf('agent').folder : null
  const found = await findAgent(words, env, from ?? process.cwd())
  if (found.ok) return { agent: 'acp', program: found.agent, folder, env }
  const isKnown = knownAgents.some(({ name }) => name === words.trim())
  throw new UserError(`The agent cannot be started: ${found.reason}.`, sentence(found.hint), isKnown ? 1 : 2)
}

async function foundAgent(words: string, start: AgentStart): Promise<AgentChoice | null> {
  try {
    return await namedAgent(words, start)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** The agents that are known by name, and how to get those that are not here. */
export async function offeredAgents({ settings }: Pick<AgentStart, 'settings'>): Promise<OfferedAgent[]> {
  const { env } = process
  const located = await locateZot(configuredZotPath(settings), env)
  const zot = { name: 'zot', title: 'zot', missing: located.ok ? null : located.hint }
  const others = knownAgents.map(async known => {
    const found = await findAgent(known.name, env, process.cwd())
    return { name: known.name, title: known.title, missing: found.ok ? null : installHint(known) }
  })
  return [zot, ...(await Promise.all(others))]
}

async function zotChoice({
  settings,
  options,
}: AgentStart): Promise<{ choice: AgentChoice } | { reason: string; hint: string }> {
  const { env } = process
  const located = await locateZot(configuredZotPath(settings), env)
  if (!located.ok) return { reason: sentence(located.reason), hint: sentence(located.hint) }
  return { choice: { agent: 'zot', path: located.path, options, env, version: undefined } }
}

/** Another agent knows nothing of zot's flags, least of all of those that limit it. */
function refuseZotFlags(agent: string, { zotFlags }: Arguments): void {
  if (zotFlags.length === 0) return
  const flags = zotFlags.join(', ')
  throw new UserError(
    `The agent ${agent} is not zot, so ${flags} has no effect.`,
    'Omit one of them, or use --agent zot.',
    2,
  )
}
