/** Looks at this machine for what a box shows, hides and holds in which a folder can be written. */
import { lstatSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { makeFolder } from '../platform/folders.ts'
import { realPath } from '../platform/real-path.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import { isWithin } from '../platform/within.ts'
import { type ClosedPlace, holdsOwn, isOfSystem } from './box-mounts.ts'
import { homesOf, kindOf, ofNix, programs, secretsHere } from './places.ts'
import { protectedBelow } from './protected-below.ts'
import { entryKind, hooksFolder, joined, partsOf, repositoryAround, repositoryAt } from './repositories.ts'
import { gitSettings, toolPlaces, withoutSecrets } from './tool-places.ts'
import type { WritePolicy } from './write-policy.ts'

export type WritePlace = {
  folder: string
  env: NodeJS.ProcessEnv
  /** Other folders and files that commands may write. Absolute, as the person wrote them. */
  write: readonly string[]
  /** Other folders and files that they must not see. */
  hide: readonly string[]
  /** A folder of zotui for what the commands of this project keep between them: caches, and temporary files. It is made if it is missing. */
  caches: string
  /** What it holds if it is a whole agent, and no command of one. */
  agent?: AgentPlaces
}

/** What an agent has of its own. All paths are absolute, with their links resolved, and exist. */
export type AgentPlaces = {
  /** Folders that it writes, although they are closed to commands. */
  own: readonly string[]
  /** Parts of these that stay as they are. */
  held: readonly string[]
  /** Folders in these, and the folder that it has instead of each. */
  apart: readonly { path: string; instead: string }[]
  /** Files in the home folder that it gets copies of. */
  copied: readonly string[]
  /** Other folders that it reads. */
  seen: readonly string[]
  /** Its variables, in addition to those of every command. */
  env: Readonly<Record<string, string>>
}

const noAgent: AgentPlaces = { own: [], held: [], apart: [], copied: [], seen: [], env: {} }

/** Names of a home folder, besides those with a dot, that a login or a desktop looks into. */
const ofHome = new Set(['bin', 'Library', 'AppData'])

/** Bytes of settings of git and of an agent that are copied, and of the list of sockets. */
const SETTINGS = 64 * 1024
const OF_AGENT = 16 * 1024 * 1024
const SOCKETS = 4 * 1024 * 1024

/** Sockets that are closed at most. */
const MOST_SOCKETS = 100

/** @throws an error with a line for the person where a folder is none that a box could hold. */
export function writePolicy(place: WritePlace): WritePolicy {
  const { folder, env, write, hide, caches, agent = noAgent } = place
  const [project, ...others] = [folder, ...write].map(path => realPath(path))
  const roots = [project ?? folder, ...others]
  const accounts = homesOf(env)
  for (const root of roots) assertFit(root, accounts)
  const homes = [...new Set(accounts.map(home => realPath(home)))].filter(home => !roots.includes(home))
  const isTooMuch = (path: string): boolean => holdsOwn(path) || homes.some(home => isWithin(path, home))
  const kept = join(caches, 'kept')
  const temporary = join(caches, 'temporary')
  const empty = join(caches, 'empty')
  for (const each of [kept, temporary, ...others]) if (kindOf(each) === null) makeFolder(each)
  if (kindOf(empty) === null) writeFileSync(empty, '')
  const closed = secretsHere(accounts, env, [...hide])
  const isOpen = (path: string): boolean => !isTooMuch(path) && !isOfSystem(path) && !isClosed(closed, path)
  const git = repositoryAround(roots[0] ?? folder, root => !isTooMuch(root))
  const below = roots.map(root => heldBelow(root, accounts.includes(root)))
  const places = joined([git, ...below])
  const shown = [...programs(env), ...toolPlaces(homes), ...ofNix].filter(path => kindOf(path) !== null && isOpen(path))
  const writable = [...new Set([...roots, kept, ...places.writable, ...agent.own])]
  const seen = [...new Set([...places.seen, ...shown, ...agent.seen])]
  const isFree = (path: string): boolean => !isClosedIn(roots, closed, path)
  const shut = closed.filter(({ path }) => !agent.own.includes(path))
  const policy = { folder: roots[0] ?? folder, homes, seen, writable, closed: shut, temporary, kept, empty }
  return {
    ...policy,
    held: [...new Set(places.held)].filter(path => isFree(path)).concat(agent.held),
    apart: agent.apart,
    absent: unique(places.absent).filter(({ path }) => isFree(path)),
    sockets: socketsSeen(policy).filter(path => isFree(path)),
    files: homes.length > 0 ? [...settingsOfGit(accounts, env, homes), ...copies(agent.copied, homes)] : [],
  }
}

const unique = (places: readonly ClosedPlace[]): ClosedPlace[] => [
  ...new Map(places.map(place => [place.path, place])).values(),
]

const isClosed = (closed: readonly ClosedPlace[], path: string): boolean =>
  closed.some(place => isWithin(place.path, path))

/** Whether a part of a folder that can be written lies in a place that is closed there. */
function isClosedIn(roots: readonly string[], closed: readonly ClosedPlace[], path: string): boolean {
  const inside = closed.filter(place => roots.some(root => place.path !== root && isWithin(root, place.path)))
  return isClosed(inside, path)
}

const ofSystem = new Set([
  '/bin',
  '/boot',
  '/etc',
  '/home',
  '/lib',
  '/lib64',
  '/opt',
  '/root',
  '/sbin',
  '/srv',
  '/usr',
  '/usr/local',
])

/** The box would hold nothing where the folder is one of the system's, and such a folder belongs to others, too. */
function assertFit(root: string, homes: readonly string[]): void {
  const isFit = !holdsOwn(root) && !isOfSystem(root) && (!ofSystem.has(root) || homes.includes(root))
  if (!isFit) throw new Error(`a box cannot hold commands that may write in ${root}: work in a folder of your own`)
}

/** Whether a folder may be opened to commands besides the project: none of the system's, no secret place, and none that holds a home folder. */
export function isOpenable(folder: string, env: NodeJS.ProcessEnv): boolean {
  const homes = homesOf(env)
  const isOfAll = holdsOwn(folder) || isOfSystem(folder) || ofSystem.has(folder)
  const holdsHome = homes.some(home => isWithin(folder, realPath(home)))
  return !isOfAll && !holdsHome && !isClosed(secretsHere(homes, env), folder)
}

/** What is held in a folder that can be written. */
function heldBelow(root: string, isHome: boolean) {
  const { held, repositories } = protectedBelow(root, isHome ? ofHome : undefined)
  const found = repositories.map(({ path, isBare }) => (isBare ? partsOf(path) : repositoryAt(path)))
  const hooks = repositories.flatMap(({ path, isBare }) => (isBare ? [] : (hooksFolder(path, join(path, '..')) ?? [])))
  const ofHooks = hooks.filter(path => path !== root && isWithin(root, path) && entryKind(path) === 'folder')
  return joined([...found, { seen: [], writable: [], held: [...held, ...ofHooks], absent: [] }])
}

/** Sockets by which a command could reach programs outside: they are closed where the box shows their folder. */
function socketsSeen({ homes, seen, writable }: Pick<WritePolicy, 'homes' | 'seen' | 'writable'>): string[] {
  const list = readRegularFileSync('/proc/net/unix', SOCKETS)?.toString() ?? ''
  const paths = [...list.matchAll(/ (\/.+)$/gm)].map(([, path = '']) => path)
  const isShown = (path: string): boolean => {
    const hidden = [...homes, '/run', '/tmp', '/var/tmp', '/dev', '/proc'].some(place => isWithin(place, path))
    return !hidden || [...seen, ...writable].some(place => isWithin(place, path))
  }
  const reached = [...new Set(paths.map(path => realPath(path)))].filter(path => isShown(path) && isSocket(path))
  return reached.slice(0, MOST_SOCKETS)
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket()
  } catch {
    // It is gone.
    return false
  }
}

/** In a home folder that is not hidden, a file would be written itself. */
function copies(paths: readonly string[], homes: readonly string[]): { path: string; text: string }[] {
  return paths.flatMap(path => {
    if (!homes.some(home => isWithin(home, path))) return []
    const text = readRegularFileSync(path, OF_AGENT)?.toString()
    return text === undefined ? [] : [{ path, text }]
  })
}

/** Copies of the person's settings of git, without secrets. */
function settingsOfGit(accounts: readonly string[], env: NodeJS.ProcessEnv, homes: readonly string[]) {
  const [home = ''] = accounts
  const { XDG_CONFIG_HOME: configHome = '', GIT_CONFIG_GLOBAL: named = '' } = env
  const paths = [...gitSettings(home, isAbsolute(configHome) ? configHome : join(home, '.config')), named]
  return paths.flatMap(path => {
    if (!homes.some(each => isWithin(each, path))) return []
    const text = readRegularFileSync(path, SETTINGS)?.toString()
    return text === undefined ? [] : [{ path, text: withoutSecrets(text) }]
  })
}
