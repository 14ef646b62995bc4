/** The machine that a conversation is to move to: its words, the connection, and what must be there. */
import { isAbsolute, posix } from 'node:path'
import { installHint, knownAgents } from '../agents/acp/known-agents.ts'
import { MEERKAT, MEERKAT_INSTALL } from '../agents/meerkat/program.ts'
import { ROZ } from '../agents/roz/name.ts'
import { OLDEST_NODE_OF_TOOLS } from '../agents/remote-tools/launch.ts'
import { withoutKeys } from '../agents/zot/program/credentials.ts'
import { createMachine, WITH_MORE_PATHS, type RemoteMachine } from '../platform/remote/machine.ts'
import { createRemoteFiles } from '../platform/remote/remote-files.ts'
import { placeOf, readOn, type Target } from '../platform/remote/target.ts'
import { quoted } from '../platform/shell/quoting.ts'
import { pathWithin } from '../platform/within.ts'
import { sentence } from '../text/sentence.ts'
import { MoveProblem } from './problem.ts'
import { sideThere, type MoveSide } from './side.ts'

/** Milliseconds for the first connection. */
const CONNECT_LIMIT = 30_000

export type MoveTarget = {
  target: Target
  /** The beginning of a value of `--on`: a folder follows it. */
  on: string
}

/** Reads the argument of /move: as `--on`, or a host of ssh alone. @throws MoveProblem */
export function readDestination(words: string): MoveTarget {
  const isWay = /^(?:ssh|docker|kubectl|via|job|container):/.test(words)
  const on = isWay ? words : `ssh:${words}`
  if (/^(?:job|container|via):/.test(on))
    throw new MoveProblem(
      'a conversation moves to a place that runs already: ssh:HOST, docker:CONTAINER or kubectl:POD',
      /^(?:job|container):/.test(on)
        ? `/spawn --on ${on} starts it, and begins a conversation there. Then it has a name: /move ${on.startsWith('job:') ? 'kubectl:POD:DIR' : 'docker:NAME:DIR'}.`
        : '',
    )
  const read = readOn(on)
  if (!read.ok) throw new MoveProblem(read.reason.replaceAll('--on', '/move'), read.hint)
  return { target: read.target, on: `${placeOf(on)}:` }
}

export type MoveConnection = { machine: RemoteMachine; side: MoveSide; folder: string }

/**
 * Connects, and finds the folder there for the repository `top` of this machine: the one that was named, or the same one below the home
 * folder. @throws MoveProblem
 */
export async function connectTo(
  { target }: MoveTarget,
  {
    top,
    home,
    agent,
    env,
    signal,
  }: { top: string; home: string; agent: string; env: NodeJS.ProcessEnv; signal: () => AbortSignal },
): Promise<MoveConnection> {
  // docker and kubectl do not pass variables on, and may need a key themselves.
  const machine = createMachine(target, target.file === 'ssh' ? withoutKeys(env) : env)
  const stop = (): void => machine.close()
  signal().addEventListener('abort', stop, { once: true })
  try {
    const trouble = await machine.connect(CONNECT_LIMIT)
    if (signal().aborted) throw new MoveProblem('it was stopped')
    if (trouble) throw new MoveProblem(trouble.reason, trouble.hint)
    const homeThere = await homeOn(machine)
    await requireAgent(machine, agent)
    const folder = folderThere(target.folder, { top, home, homeThere })
    const files = createRemoteFiles(machine, target.name)
    return { machine, side: sideThere({ machine, files, home: homeThere, signal }), folder }
  } catch (error) {
    machine.close()
    throw error
  } finally {
    signal().removeEventListener('abort', stop)
  }
}

/** The home folder there, without links. @throws MoveProblem */
export async function homeOn(machine: RemoteMachine): Promise<string> {
  return askedOf(machine, 'cd && pwd -P')
}

/** The folder there, absolute. Pure. */
export function folderThere(
  named: string | null,
  { top, home, homeThere }: { top: string; home: string; homeThere: string },
): string {
  if (named !== null) {
    const path = named === '~' ? '' : named.startsWith('~/') ? named.slice(2) : named
    return isAbsolute(path)
      ? posix.normalize(path).replace(/(?<=.)\/$/, '')
      : posix.join(homeThere, path).replace(/\/$/, '')
  }
  const below = pathWithin(home, top)
  return posix.join(homeThere, below === null || below === '' ? posix.basename(top) : below)
}

/** The agent to start, by a name that means the same on both machines; without one it is that of the command line. */
export function agentOf(name: string): { agent?: string } {
  const isKnown = ['zot', MEERKAT.name, ROZ.name].includes(name) || knownAgents.some(known => known.name === name)
  return isKnown ? { agent: name } : {}
}

async function requireAgent(machine: RemoteMachine, agent: string): Promise<void> {
  const { name } = machine.target
  const known = knownAgents.find(each => each.name === agent)
  const own = new Map([
    ['zot', 'zot'],
    [MEERKAT.name, MEERKAT.command],
  ])
  const command = known?.command ?? own.get(agent)
  const missing =
    command === undefined
      ? ''
      : await askedOf(machine, `${WITH_MORE_PATHS}\ncommand -v ${quoted(command)} >/dev/null || echo no`)
  const how = known ? installHint(known) : agent === MEERKAT.name ? MEERKAT_INSTALL : 'install it'
  if (missing !== '') throw new MoveProblem(`there is no ${command} on ${name}`, sentence(`there, ${how}`))
  if (agent === MEERKAT.name || agent === ROZ.name) await requireNode(machine, agent)
}

/** zotui's own tools run there for these agents. @throws MoveProblem */
async function requireNode(machine: RemoteMachine, agent: string): Promise<void> {
  const version = await askedOf(machine, `${WITH_MORE_PATHS}\nnode --version </dev/null 2>/dev/null || echo none`)
  const [, major] = /^v(\d+)\./.exec(version) ?? []
  if (Number(major) >= OLDEST_NODE_OF_TOOLS) return
  const what = major === undefined ? 'no Node' : `only Node ${major}`
  throw new MoveProblem(
    `there is ${what} on ${machine.target.name}, and the tools of ${agent} run there`,
    `Install Node ${OLDEST_NODE_OF_TOOLS} or newer there.`,
  )
}

async function askedOf(machine: RemoteMachine, script: string): Promise<string> {
  const answer = await machine.ask(script)
  if (!answer.ok) throw new MoveProblem(`the connection to ${machine.target.name} was lost`)
  return answer.bytes.toString('utf8').replace(/\n$/, '')
}
