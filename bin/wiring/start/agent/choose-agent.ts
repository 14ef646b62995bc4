/** The agent to start: from the command line and the settings, or the one that the user names while zotui runs. */
import { join } from 'node:path'
import process from 'node:process'
import type { StartOptions } from '../../../../src/agent/backend.ts'
import { findAgent } from '../../../../src/agents/acp/find-agent.ts'
import { knownAgents } from '../../../../src/agents/acp/known-agents.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { findMeerkat, isMeerkat, MEERKAT } from '../../../../src/agents/meerkat/program.ts'
import { isRoz, ROZ } from '../../../../src/agents/roz/name.ts'
import type { InstallWay } from '../../../../src/agents/zot/program/install.ts'
import { locateZot } from '../../../../src/agents/zot/program/locate.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { statePath } from '../../../../src/storage/log.ts'
import { sentence } from '../../../../src/text/sentence.ts'
import type { Arguments } from '../../../cli/argument-types.ts'
import { configuredZotPath } from '../load-settings.ts'
import type { AgentStart } from './agent-start.ts'
import { readMeerkat } from './meerkat-words.ts'

/** `notice` says why the demo was chosen; `installs` are the ways to install the missing zot. */
export type ChosenAgent = { choice: AgentChoice; notice: string | null; installs: readonly InstallWay[] }

const isZot = (words: string | null): boolean => words === null || words.trim() === 'zot'

/**
 * Chooses the agent. A bare start in a terminal without a zot opens the demo and says so. A real request never goes to
 * the demo. A resumed session continues with its own agent (`ofSession`), unless another one was requested or its own is
 * not installed.
 */
export async function chooseAgent(
  start: AgentStart,
  isTerminal: boolean,
  ofSession: string | undefined,
): Promise<ChosenAgent> {
  const { args, settings, folder, remote } = start
  if (args.demo) return { choice: { agent: 'demo', cwd: folder }, notice: null, installs: [] }
  const { agent } = settings.values()
  const isChosen =
    ['flag', 'environment'].includes(settings.sourceOf('agent').kind) || zotOnly(ofSession, args).length > 0
  // A session file must not choose a command to run: it can only name an agent of the table.
  const isKnown = ['zot', MEERKAT.name, ROZ.name, ...knownAgents.map(({ name }) => name)].some(
    name => name === ofSession,
  )
  if (!isChosen && ofSession !== undefined && isKnown && ofSession !== (agent ?? 'zot').trim()) {
    const found = await foundAgent(ofSession, start)
    if (found) return { choice: found, notice: null, installs: [] }
  }
  if (!isZot(agent)) refuseZotFlags(agent ?? '', args)
  if (!isZot(agent) || remote) return { choice: await namedAgent(agent ?? 'zot', start), notice: null, installs: [] }
  const found = zotChoice(start)
  if ('choice' in found) return { ...found, notice: null, installs: [] }
  const { reason, hint } = found
  const isForZot = (['zot', 'agent'] as const).some(name => settings.sourceOf(name).kind === 'flag')
  const isNeeded = args.prompt !== null || args.session !== null || isForZot || args.zotFlags.length > 0
  if (isNeeded || !isTerminal) throw new UserError(reason, hint)
  return {
    choice: { agent: 'demo', cwd: folder },
    notice: `${reason} Using the built-in demo agent instead.\n${hint}`,
    // A zot that the user named is not replaced by an installed one.
    installs:
      configuredZotPath(settings) === undefined && !process.env['ZOTUI_ZOT']
        ? (await import('../../../../src/agents/zot/program/install.ts')).installWays(process.env, folder)
        : [],
  }
}

/** The same agent in another folder. One on another machine stays in its own. */
export function inFolder(choice: AgentChoice, folder: string): AgentChoice {
  if (choice.agent === 'demo') return { ...choice, cwd: folder }
  if (choice.agent === 'remote-zot' || choice.agent === 'remote-acp') return choice
  if ((choice.agent === 'meerkat' || choice.agent === 'roz') && choice.remote) return choice
  return choice.agent === 'zot' ? { ...choice, options: { ...choice.options, cwd: folder } } : { ...choice, folder }
}

/** The same agent, started with these options if it is zot. */
export function startedWith(choice: AgentChoice, start: StartOptions): AgentChoice {
  const set = Object.entries(start).map(([name, value]) => [name, value === '' ? undefined : value] as const)
  const options = Object.fromEntries(set)
  return choice.agent === 'zot' || choice.agent === 'remote-zot'
    ? { ...choice, options: { ...choice.options, ...options } }
    : choice
}

/** The agent with this name or command line. @throws UserError if it cannot be found. */
export async function namedAgent(words: string, start: AgentStart): Promise<AgentChoice> {
  const { env } = process
  const { remote } = start
  if (remote) return (await import('./remote-choice.ts')).remoteChoice(words, { ...start, remote })
  if (isZot(words)) {
    const found = zotChoice(start)
    if ('choice' in found) return found.choice
    throw new UserError(found.reason, found.hint)
  }
  const { settings, folder } = start
  if (isMeerkat(words)) return meerkatChoice(words, start)
  if (isRoz(words)) return (await import('./roz-choice.ts')).rozChoice(words, start)
  const own = settings.values().agent === words ? settings.sourceOf('agent').folder : null
  const found = findAgent(words, env, folder, { from: own ?? process.cwd(), others: [MEERKAT.name, ROZ.name] })
  if (found.ok) return { agent: 'acp', program: found.agent, folder, env }
  const isKnown = knownAgents.some(({ name }) => name === words.trim())
  throw new UserError(`The agent cannot be started: ${found.reason}.`, sentence(found.hint), isKnown ? 1 : 2)
}

/** @throws UserError for words that cannot be read, and if the program cannot be found. */
async function meerkatChoice(words: string, { args, settings, folder }: AgentStart): Promise<AgentChoice> {
  const { env } = process
  const read = readMeerkat(words, args)
  const found = findMeerkat(settings.pathOf('rkatRpc'), env, folder)
  if (!found.ok) throw new UserError(`The agent cannot be started: ${found.reason}.`, sentence(found.hint))
  const program = { ...read, file: found.value }
  const { prices, archiveCleared: archivesCleared } = settings.values()
  const stateFolder = join(statePath(), MEERKAT.name)
  return { agent: 'meerkat', program, folder, env, stateFolder, prices, archivesCleared }
}

async function foundAgent(words: string, start: AgentStart): Promise<AgentChoice | null> {
  try {
    return await namedAgent(words, start)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function zotChoice({
  settings,
  options,
  folder,
}: AgentStart): { choice: AgentChoice } | { reason: string; hint: string } {
  const { env } = process
  const located = locateZot(configuredZotPath(settings), env, folder)
  if (!located.ok) return { reason: sentence(located.reason), hint: sentence(located.hint) }
  return { choice: { agent: 'zot', path: located.path, options, env, version: undefined } }
}

/** Rejects zot's flags with another agent, which would ignore them, even those that limit it. */
function refuseZotFlags(agent: string, args: Arguments): void {
  const used = zotOnly(agent, args)
  if (used.length === 0) return
  const flags = used.join(', ')
  throw new UserError(
    `The agent ${agent} is not zot, so ${flags} has no effect.`,
    'Omit one of them, or use --agent zot.',
    2,
  )
}

/** The flags on the command line that only zot knows. roz knows --base-url too, and Meerkat --no-guard. */
function zotOnly(agent: string | undefined, { zotFlags }: Arguments): readonly string[] {
  const shared = agent === undefined ? null : isRoz(agent) ? '--base-url' : isMeerkat(agent) ? '--no-guard' : null
  return zotFlags.filter(flag => flag !== shared)
}
