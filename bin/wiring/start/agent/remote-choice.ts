/** The agent to start on another machine: zot behind its guard, or one that is found there. */
import process from 'node:process'
import {
  findRemoteAgent,
  findRemotePrograms,
  remoteVariables,
  type RemotePlace,
} from '../../../../src/agents/acp/remote-agent.ts'
import { installHint, knownAgents, type KnownAgent } from '../../../../src/agents/acp/known-agents.ts'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { isMeerkat, MEERKAT, MEERKAT_INSTALL } from '../../../../src/agents/meerkat/program.ts'
import { isRoz, ROZ, ROZ_HINT } from '../../../../src/agents/roz/name.ts'
import { OLDEST_NODE_OF_TOOLS } from '../../../../src/agents/remote-tools/launch.ts'
import type { OfferedAgent } from '../../../../src/app/context/agents.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import { sentence } from '../../../../src/text/sentence.ts'
import type { Remote } from '../remote.ts'
import type { AgentStart } from './agent-start.ts'
import { readMeerkat } from './meerkat-words.ts'

type RemoteAgentStart = Omit<AgentStart, 'remote'> & { remote: Remote }

/** The guard needs no newer Node than this. */
const OLDEST_NODE = 18

/** The agent with this name or command line there; null is zot. @throws UserError if it is not there, or cannot ask. */
export async function remoteChoice(words: string | null, start: RemoteAgentStart): Promise<AgentChoice> {
  const { remote } = start
  const name = words?.trim() ?? 'zot'
  if (name === 'zot') return remoteZot(start)
  if (isMeerkat(name)) return remoteMeerkat(name, start)
  if (isRoz(name)) return remoteRoz(name, start)
  const place = remotePlace(remote)
  const found = await findRemoteAgent(name, place)
  if (found.ok) {
    const { variables = [] } = found.agent.known?.keyLogin ?? {}
    return { agent: 'remote-acp', found, place, remoteKeys: await remoteVariables(variables, place) }
  }
  if (found.command === null) throw new UserError(`The agent "${name}" is not a command.`, 'Check its quotes.', 2)
  if (found.isLost) throw new UserError(`The connection to ${remote.name} was lost.`, 'Try again.')
  const known = knownAgents.find(each => each.name === name) ?? null
  throw new UserError(
    `The agent cannot be started: there is no ${found.command} on ${remote.name}.`,
    known ? sentence(howToGet(known, remote)) : 'Name its path there.',
    known ? 1 : 2,
  )
}

/** The agents that are known by name, and how to get those that are not there. */
export async function remoteOffers({
  remote,
  options,
}: Pick<RemoteAgentStart, 'remote' | 'options'>): Promise<OfferedAgent[]> {
  const found = await findRemotePrograms([...knownAgents.map(({ command }) => command), MEERKAT.command], remote)
  const { zot } = remote.survey
  const others = knownAgents.map(known => ({
    name: known.name,
    title: known.title,
    missing: found?.has(known.command) ? null : howToGet(known, remote),
  }))
  const node = nodeForTools(remote) === null ? `install Node ${OLDEST_NODE_OF_TOOLS} or newer on ${remote.name}` : null
  const meerkat = found?.has(MEERKAT.command) ? node : `on ${remote.name}, ${MEERKAT_INSTALL}`
  const hasServer = process.env[ROZ.key] !== undefined && (options.baseUrl ?? process.env[ROZ.address]) !== undefined
  return [
    { name: 'zot', title: 'zot', missing: zot === null ? `install zot on ${remote.name}` : null },
    ...others,
    { name: MEERKAT.name, title: MEERKAT.title, missing: meerkat },
    { name: ROZ.name, title: ROZ.title, missing: hasServer ? node : ROZ_HINT },
  ]
}

/** Without a full stop. */
function howToGet(known: KnownAgent, { name, machine }: Remote): string {
  const { terminal, file } = machine.target
  const login = known.login && [known.login.file, ...known.login.args].join(' ')
  const how = terminal && login !== null ? `\`${[file, ...terminal.args, login].join(' ')}\`` : '/login'
  return `on ${name}, ${installHint(known)}; log in there with ${how}`
}

function remoteZot({ args, settings, options, remote }: RemoteAgentStart): AgentChoice {
  const { machine, survey, variables, name } = remote
  const { zot, node } = survey
  const named = settings.sourceOf('zot').kind === 'flag' ? settings.values().zot : null
  if (zot === null)
    throw new UserError(
      `There is no ${named ?? 'zot'} on ${name}.`,
      'Install zot there, or name its path there with --zot; --agent starts another agent.',
      2,
    )
  const isGuarded = !args.noGuard && node !== null && node.major >= OLDEST_NODE
  const isAllowed = settings.sourceOf('permissions').kind === 'flag' && settings.values().permissions === 'allow'
  if (!isGuarded && !isAllowed) throw unguarded(remote, args.noGuard)
  return { agent: 'remote-zot', zot: { machine, survey: { ...survey, zot }, variables }, options, isGuarded }
}

function unguarded({ name, survey: { node } }: Remote, noGuard: boolean): UserError {
  const hint = 'With --permissions allow zot runs everything there without asking.'
  if (noGuard) return new UserError('Without the guard zot never asks.', hint, 2)
  const what = node === null ? 'no Node' : `only Node ${node.major}`
  return new UserError(
    `There is ${what} on ${name}, so zotui cannot ask before calls run.`,
    `Install Node 18 or newer there. ${hint}`,
    2,
  )
}

/** Its program and its sessions are there, and zotui's tools, which it calls. */
async function remoteMeerkat(words: string, { args, settings, remote }: RemoteAgentStart): Promise<AgentChoice> {
  const read = readMeerkat(words, args)
  const place = remotePlace(remote)
  const found = await findRemotePrograms([MEERKAT.command], place)
  if (found === null) throw new UserError(`The connection to ${remote.name} was lost.`, 'Try again.')
  const program = found.get(MEERKAT.command)
  if (!program)
    throw new UserError(
      `The agent cannot be started: there is no ${MEERKAT.command} on ${remote.name}.`,
      sentence(`on ${remote.name}, ${MEERKAT_INSTALL}`),
    )
  const { prices, archiveCleared: archivesCleared } = settings.values()
  const { survey } = remote
  return {
    agent: MEERKAT.name,
    program: { ...read, file: program.path },
    folder: survey.folder,
    env: {},
    stateFolder: `${survey.home.replace(/\/+$/, '')}/.local/state/zotui/${MEERKAT.name}`,
    prices,
    archivesCleared,
    // Without the guard it has none of zotui's tools.
    remote: {
      place,
      program,
      node: args.noGuard ? (nodeForTools(remote) ?? 'node') : toolsNode(MEERKAT.title, remote),
    },
  }
}

/** Its server is where the settings say. Only its tools are there. */
async function remoteRoz(words: string, start: RemoteAgentStart): Promise<AgentChoice> {
  const { remote } = start
  const { rozChoice } = await import('./roz-choice.ts')
  const choice = await rozChoice(words, { ...start, folder: remote.survey.folder })
  return { ...choice, remote: { place: remotePlace(remote), node: toolsNode(ROZ.title, remote) } }
}

const remotePlace = ({ machine, survey, variables }: Remote): RemotePlace => ({ machine, survey, variables })

function nodeForTools({ survey: { node } }: Remote): string | null {
  return node !== null && node.major >= OLDEST_NODE_OF_TOOLS ? node.path : null
}

/** @throws UserError if zotui's tools cannot run there. */
function toolsNode(title: string, remote: Remote): string {
  const path = nodeForTools(remote)
  if (path !== null) return path
  const { node } = remote.survey
  const what = node === null ? 'no Node' : `only Node ${node.major}`
  throw new UserError(
    `There is ${what} on ${remote.name}, so zotui cannot run the tools of ${title} there.`,
    `Install Node ${OLDEST_NODE_OF_TOOLS} or newer there.`,
    2,
  )
}
