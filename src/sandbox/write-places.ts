/** Looks at this machine for what a box shows, hides and holds in which a folder can be written. */
import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { makeFolder, readableNamesIn } from '../platform/folders.ts'
import { realPath } from '../platform/real-path.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import { isWithin } from '../platform/within.ts'
import { type BoxMount, type ClosedPlace, holdsOwn, isOfSystem } from './box-mounts.ts'
import { homesOf, kindOf, ofNix, programs, secretsHere } from './places.ts'
import { isHeldName } from './protected-names.ts'
import { placesWhileOpen } from './open-boxes.ts'
import { entryKind, joined, nothing, repositoryAround, type RepositoryPlaces } from './repositories.ts'
import { gitSettings, namedFiles, toolPlaces, withoutSecrets } from './tool-places.ts'
import { mountPoints, type WritePolicy, writeMounts } from './write-policy.ts'

export type WritePlace = {
  folder: string
  env: NodeJS.ProcessEnv
  /** Other folders and files that commands may write. Absolute, as the person wrote them. */
  write: readonly string[]
  /** Other folders and files that they must not see. */
  hide: readonly string[]
  /**
   * A folder of zotui for what the commands of this project keep between them: a home folder and temporary files, which only they use. It is
   * made if it is missing.
   */
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
  apart: readonly { path: string; from: string }[]
  /** Files in the home folder that it may replace: it gets copies. */
  copied: readonly string[]
  /** Other folders that it reads. */
  seen: readonly string[]
  /** Its variables, in addition to those of every command. */
  env: Readonly<Record<string, string>>
}

const noAgent: AgentPlaces = { own: [], held: [], apart: [], copied: [], seen: [], env: {} }

/** Names of a home folder, besides those with a dot, that a login or a desktop looks into. */
const ofHome = new Set(['bin', 'Library', 'AppData'])

/** The home folders of Windows, as its Linux shows them. */
const WINDOWS = '/mnt/c/Users'

/** Folders of caches, which are others in the box where the project is the home folder. */
const ofCaches = ['.cache', '.npm']

/** Protected files and folders of a project that are held at most: each takes time. */
const MOST_HELD = 300

/** Bytes of settings of git and of an agent that are copied, and of the list of sockets. */
const SETTINGS = 64 * 1024
const OF_AGENT = 16 * 1024 * 1024
const SOCKETS = 4 * 1024 * 1024

/** Files that settings of git name, and sockets that are closed, at most. */
const MOST_FILES = 12
const MOST_SOCKETS = 100

/** @throws an error with a line for the person where a folder is none that a box could hold. */
export function writePolicy(place: WritePlace): WritePolicy {
  const { folder, env, write, hide, caches, agent = noAgent } = place
  const project = realPath(folder)
  const others = write.map(path => realPath(path))
  const roots = [project, ...others]
  const accounts = homesOf(env)
  for (const root of roots) assertFit(root, accounts)
  for (const other of others) if (kindOf(other) === null) makeFolder(other)
  const [home = null, ...otherHomes] = [...new Set(accounts.map(each => realPath(each)))]
  const homes = [...(home === null ? [] : [home]), ...otherHomes, WINDOWS].filter(each => kindOf(each) === 'folder')
  const own = ownFolders(home !== null && homes.includes(home) ? home : null, roots, caches)
  const isTooMuch = (path: string): boolean => holdsOwn(path) || homes.some(home => isWithin(path, home))
  const closed = secretsHere(accounts, env, [...hide]).filter(({ path }) => !agent.own.includes(path))
  const isOpen = (path: string): boolean => !isTooMuch(path) && !isOfSystem(path) && !isClosed(closed, path)
  const places = new Map(
    roots.map(root => [
      root,
      placesWhileOpen(root, () => {
        const held = heldIn(root, homes.includes(root))
        return root === project ? joined([held, repositoryAround(root, path => !isTooMuch(path))]) : held
      }),
    ]),
  )
  const found = joined([...places.values()])
  const shown = [...programs(env), ...toolPlaces(homes), ...ofNix].filter(path => kindOf(path) !== null && isOpen(path))
  const writable = [...new Set([...roots, ...found.writable, ...agent.own])]
  const isFree = (path: string): boolean => !isClosedIn(roots, closed, path) && !own.some(each => each.path === path)
  const hidden = homes.filter(home => !roots.includes(home) && !own.some(({ path }) => path === home))
  const seen = [...new Set([...found.seen, ...shown, ...agent.seen])].filter(path => !writable.includes(path))
  const policy: WritePolicy = {
    folder: project,
    places,
    own: [...own, ...agent.apart],
    hidden,
    seen,
    writable,
    held: [...[...new Set(found.held)].filter(path => isFree(path)), ...agent.held],
    absent: found.absent.filter(({ path }) => isFree(path)),
    closed,
    sockets: socketsSeen({
      hidden: [...hidden, ...own.map(({ path }) => path)],
      seen,
      writable,
      own: agent.own,
    }).filter(path => isFree(path)),
    empty: join(caches, 'empty'),
    copies: hidden.length < homes.length || own.length > 1 ? copiesOf(accounts, env, homes, caches) : [],
  }
  prepare(policy)
  for (const path of agent.copied) copyInto(path, own)
  return policy
}

/**
 * What is held and written in a folder, and around it: for a container, which is a box of another maker.
 *
 * @throws an error with a line for the person where a folder is none that a box could hold.
 */
export function partsHeld(folder: string, env: NodeJS.ProcessEnv): RepositoryPlaces {
  const project = realPath(folder)
  if (!isOpenable(project, env))
    throw new Error(`${project} holds more than a project: work in a folder of your own below it`)
  const homes = homesOf(env).map(each => realPath(each))
  const isTooMuch = (path: string): boolean => holdsOwn(path) || homes.some(home => isWithin(path, home))
  return placesWhileOpen(project, () =>
    joined([heldIn(project, false), repositoryAround(project, path => !isTooMuch(path))]),
  )
}

/** The folders that are others in the box, for all commands of the project. */
function ownFolders(home: string | null, roots: readonly string[], caches: string): WritePolicy['own'] {
  const temporary = { path: '/tmp', from: join(caches, 'temporary') }
  if (home === null) return [temporary]
  if (!roots.includes(home)) return [temporary, { path: home, from: join(caches, 'home') }]
  const known = ofCaches.filter(name => entryKind(join(home, name)) === 'folder')
  return [temporary, ...known.map(name => ({ path: join(home, name), from: join(caches, 'home', name) }))]
}

const isClosed = (closed: readonly ClosedPlace[], path: string): boolean =>
  closed.some(place => isWithin(place.path, path))

/** Whether a part of a folder that can be written lies in a place that is closed there. */
function isClosedIn(roots: readonly string[], closed: readonly ClosedPlace[], path: string): boolean {
  const inside = closed.filter(place => roots.some(root => place.path !== root && isWithin(root, place.path)))
  return isClosed(inside, path)
}

const ofSystem = new Set('/bin /boot /etc /home /lib /lib64 /opt /root /sbin /srv /usr /usr/local'.split(' '))

/** The box would hold nothing where the folder is one of the system's, and such a folder belongs to others, too. */
function assertFit(root: string, homes: readonly string[]): void {
  const isFit = !holdsOwn(root) && !isOfSystem(root) && (!ofSystem.has(root) || homes.includes(root))
  if (!isFit) throw new Error(`a box cannot hold commands that may write in ${root}: work in a folder of your own`)
}

/** All of them is the system's. */
const hasPrograms = ['/bin', '/boot', '/etc', '/lib', '/lib64', '/sbin', '/usr']

/** Whether a folder may be opened to commands besides the project: none of the system's, no secret place, and none that holds a home folder. */
export function isOpenable(folder: string, env: NodeJS.ProcessEnv): boolean {
  const homes = homesOf(env)
  const isOfAll =
    holdsOwn(folder) || isOfSystem(folder) || ofSystem.has(folder) || hasPrograms.some(each => isWithin(each, folder))
  const holdsHome = homes.some(home => isWithin(folder, realPath(home)))
  return !isOfAll && !holdsHome && !isClosed(secretsHere(homes, env), folder)
}

/**
 * The protected files and folders of a folder that can be written. Those of folders in it are not held: such a folder could be renamed.
 * What is new or changed there is found after the command.
 */
function heldIn(root: string, isHome: boolean): RepositoryPlaces {
  const isHeld = (name: string): boolean => name !== '.git' && (isHeldName(name) || (isHome && ofHome.has(name)))
  const paths = readableNamesIn(root)
    .filter(name => isHeld(name))
    .map(name => join(root, name))
  // A link could be replaced.
  const held = paths.filter(path => ['folder', 'file'].includes(entryKind(path) ?? ''))
  if (held.length > MOST_HELD)
    throw new Error(`a box cannot hold the ${held.length} protected files in ${root}: remove those that are not needed`)
  return { ...nothing, held }
}

type ShownPlaces = Record<'hidden' | 'seen' | 'writable' | 'own', readonly string[]>

/**
 * Sockets by which a command could reach programs outside. Those deep in a folder that can be written belong to the project, but not those in the
 * folders of an agent.
 */
function socketsSeen({ hidden, seen, writable, own }: ShownPlaces): string[] {
  const list = readRegularFileSync('/proc/net/unix', SOCKETS)?.toString() ?? ''
  const paths = [...list.matchAll(/ (\/.+)$/gm)].map(([, path = '']) => path)
  const isShown = (path: string): boolean => {
    if (own.some(place => isWithin(place, path))) return true
    if (writable.some(place => isWithin(place, path)))
      return writable.includes(dirname(path)) || writable.includes(path)
    const isHidden = [...hidden, '/run', '/tmp', '/var/tmp', '/dev', '/proc'].some(place => isWithin(place, path))
    return !isHidden || seen.some(place => isWithin(place, path))
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

/** Copies of the person's settings of git, without secrets, and of the files that they name. */
function copiesOf(accounts: readonly string[], env: NodeJS.ProcessEnv, homes: readonly string[], caches: string) {
  const [home = ''] = accounts
  const { XDG_CONFIG_HOME: configHome = '', GIT_CONFIG_GLOBAL: named = '' } = env
  const waiting = [named, ...gitSettings(home, isAbsolute(configHome) ? configHome : join(home, '.config'))]
  const copies = new Map<string, string>()
  for (const path of waiting) {
    const text =
      copies.has(path) || !homes.some(each => isWithin(each, path)) ? null : readRegularFileSync(path, SETTINGS)
    if (text === null || copies.size >= MOST_FILES) continue
    const settings = withoutSecrets(text.toString())
    copies.set(path, settings)
    waiting.push(...namedFiles(settings).map(file => resolve(dirname(path), file.replace(/^~(?=\/)/, home))))
  }
  return Array.from(copies, ([path, text], at) => {
    const from = join(caches, `settings-${at}`)
    if (readRegularFileSync(from, SETTINGS)?.toString() !== text) {
      makeFolder(caches)
      writeFileSync(from, text)
    }
    return { path, from }
  })
}

/** Commands may have left anything at its place, but a link in the place is not followed. In a home folder that is the project, it is the file itself. */
function copyInto(path: string, own: WritePolicy['own']): void {
  const around = own.find(each => dirname(path) === each.path)
  const bytes = around ? readRegularFileSync(path, OF_AGENT) : null
  if (!around || !bytes) return
  const copy = join(around.from, basename(path))
  rmSync(copy, { recursive: true, force: true })
  writeFileSync(copy, bytes, { flag: 'wx', mode: 0o600 })
}

/** Makes what the mounts of the box need. Commands of other boxes may have left anything there. */
function prepare(policy: WritePolicy): void {
  for (const { from } of policy.own) makeUsable(from)
  if (entryKind(policy.empty) === null) writeFileSync(policy.empty, '')
  for (const { mount, path } of mountPoints(writeMounts(policy))) {
    const isForFolder = isFolder(mount, path)
    const isOther = entryKind(path) === (isForFolder ? 'file' : 'folder') || entryKind(path) === 'link'
    // Nothing of it is followed, as it would be to remove a folder with what is in it.
    if (isOther) renameSync(path, `${path}.${randomUUID()}`)
    if (isForFolder) makeUsable(path)
    else if (entryKind(path) === null) writeFileSync(path, '', { flag: 'wx' })
  }
}

/** A folder that its owner can use. */
function makeUsable(folder: string): void {
  makeFolder(folder)
  if ((statSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700)
}

function isFolder(mount: BoxMount, point: string): boolean {
  if (mount.kind === 'closed file') return false
  if (mount.kind === 'own' || mount.kind.endsWith(' folder')) return true
  const source = ('from' in mount && mount.from) || mount.path
  // A folder on the way to another mount.
  return source === point || kindOf(source) === 'folder'
}
