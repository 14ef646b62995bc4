/**
 * Finds what a command has left in a folder that can run something later: files that the permission mode `edits` protects, repositories, and
 * links that lead out. A box holds those that are there, and cannot keep a command from making others.
 *
 * All folders are looked at, since any could have a repository. A folder is read again only if its time of change is another one: no
 * program can set that time.
 */
import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { codeOf, isMissing } from '../platform/errors.ts'
import type { HeldPlace } from '../platform/held-places.ts'
import { createPace } from '../platform/pace.ts'
import { realPath } from '../platform/real-path.ts'
import { isWithin } from '../platform/within.ts'
import { plainName } from '../permissions/plain-name.ts'
import { isFilledByOthers, isHeldName } from './protected-names.ts'

/** `isComplete` is false where a folder is too large to be looked at, or could not be: then anything may have appeared. */
export type Appeared = { places: readonly HeldPlace[]; isComplete: boolean }

export type ProtectedWatch = {
  /** A command begins. `after` says what has appeared or changed since then. Neither rejects. */
  begin: () => Promise<{ after: () => Promise<Appeared> }>
}

export type WatchLimits = {
  folders: number
  /** Milliseconds. */
  time: number
  /** Milliseconds after which another change certainly gives a folder another time. */
  settled: number
}

/** A look at 2,000 folders takes about 3 ms, and the first one 20 ms. */
const LIMITS: WatchLimits = {
  folders: 100_000,
  time: 3000,
  // Some file systems count in steps of two seconds.
  settled: 2500,
}

/** `folder` is absolute. Of one conversation: what it knows makes the next look faster. `closed` are folders that no box shows. */
export function watchProtected(folder: string, limits = LIMITS, closed: readonly string[] = []): ProtectedWatch {
  const root = realPath(folder)
  const others = new Set(closed.map(path => Buffer.from(realPath(path)).toString('latin1')))
  let known: ReadonlyMap<string, FolderFacts> = new Map()
  const look = async (): Promise<TreeLook> => {
    const seen = await lookThrough({ root, others, known, limits })
    known = seen.known
    return seen
  }
  return {
    async begin() {
      const before = await look()
      return { after: async () => compared(root, before, await look()) }
    },
  }
}

/** Names are in Latin-1, in which every byte is a character: a name need not be UTF-8. */
type FolderFacts = {
  stats: Stats
  /** Whether a later change would show in the time. */
  isSettled: boolean
  folders: readonly { name: string; inside: Inside }[]
  found: readonly { name: string; kind: HeldPlace['kind'] }[]
}

/**
 * What counts in a folder. `usual`: protected names, repositories and links. `filled`, by others, who bring thousands of such files: only
 * repositories, which git finds by itself. `protected`: everything. `git`: what says which programs git runs. `modules`: the repositories of
 * submodules.
 */
type Inside = 'usual' | 'filled' | 'protected' | 'git' | 'modules'

/** By path. `mark` is another one if it has changed. */
type PlacesFound = ReadonlyMap<string, { kind: HeldPlace['kind']; mark: string }>

type TreeLook = { known: ReadonlyMap<string, FolderFacts>; found: PlacesFound; isComplete: boolean }

type LookedTree = {
  root: string
  /** Folders that are left out. */
  others: ReadonlySet<string>
  known: ReadonlyMap<string, FolderFacts>
  limits: WatchLimits
}

async function lookThrough({ root, others, known, limits }: LookedTree): Promise<TreeLook> {
  const [pace, started] = [createPace(8), performance.now()]
  const next = new Map<string, FolderFacts>()
  const found = new Map<string, { kind: HeldPlace['kind']; mark: string }>()
  const waiting: { path: string; inside: Inside }[] = [{ path: Buffer.from(root).toString('latin1'), inside: 'usual' }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (next.size >= limits.folders || performance.now() - started > limits.time)
      return { known: next, found, isComplete: false }
    if (pace.isDue()) await pace.rest()
    const { path } = at
    if (others.has(path)) continue
    const facts = factsOf(at, known.get(path), limits.settled)
    if (facts === 'unknown') return { known: next, found, isComplete: false }
    if (facts === null) continue
    next.set(path, facts)
    for (const { name, kind } of facts.found) {
      const mark = markOf(`${path}/${name}`)
      if (mark !== null) found.set(`${path}/${name}`, { kind, mark })
    }
    for (const folder of facts.folders) waiting.push({ path: `${path}/${folder.name}`, inside: folder.inside })
  }
  return { known: next, found, isComplete: true }
}

/** Null for a folder that is gone, or that nobody may read: git may not either. */
function factsOf(
  { path, inside }: { path: string; inside: Inside },
  known: FolderFacts | undefined,
  settled: number,
): FolderFacts | null | 'unknown' {
  try {
    const at = nameOf(path)
    const readAt = Date.now()
    const stats = lstatSync(at)
    if (!stats.isDirectory()) return null
    if (known?.isSettled === true && isSame(known.stats, stats)) return known
    const entries = readdirSync(at, { encoding: 'latin1', withFileTypes: true })
    return { stats, isSettled: stats.ctimeMs < readAt - settled, ...sorted(entries, inside) }
  } catch (error) {
    return isMissing(error) || ['EACCES', 'EPERM'].includes(codeOf(error)) ? null : 'unknown'
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ctimeMs === other.ctimeMs && one.ino === other.ino && one.dev === other.dev
}

/** Folders of a repository with such parts. A new worktree needs a new `.git`. */
const decisive: ReadonlyMap<string, Inside> = new Map([
  ['hooks', 'protected'],
  ['info', 'git'],
  ['objects', 'git'],
  ['modules', 'modules'],
])
const decisiveFiles = new Set(['config', 'config.worktree', 'attributes', 'commondir', 'gitdir', 'alternates'])

function sorted(entries: readonly Dirent[], where: Inside): Pick<FolderFacts, 'folders' | 'found'> {
  const inside = where === 'modules' && entries.some(({ name }) => name === 'HEAD') ? 'git' : where
  const folders: { name: string; inside: Inside }[] = []
  const found: { name: string; kind: HeldPlace['kind'] }[] = []
  for (const entry of entries) {
    const { name } = entry
    const kind = kindOf(entry, inside)
    if (kind !== null) found.push({ name, kind })
    if (!entry.isDirectory()) continue
    const within = insideOf(name, kind, inside)
    if (within !== null) folders.push({ name, inside: within })
  }
  if (inside !== 'git' && inside !== 'modules' && isBareRepository(entries)) {
    const head = entries.find(({ name }) => isSpelling(name, 'head'))
    if (head) found.push({ name: head.name, kind: 'repository' })
  }
  return { folders, found }
}

function kindOf(entry: Dirent, inside: Inside): HeldPlace['kind'] | null {
  const { name } = entry
  if (inside === 'modules') return null
  if (inside === 'git') return decisiveFiles.has(name) || name === 'hooks' ? 'protected' : null
  if (hasSpellings.test(name) && plainName(textOf(name)) === '.git') return 'repository'
  if (inside === 'filled') return null
  if (inside === 'protected' || isHeldName(textOf(name))) return 'protected'
  return entry.isSymbolicLink() ? 'link' : null
}

function insideOf(name: string, kind: HeldPlace['kind'] | null, inside: Inside): Inside | null {
  if (inside === 'modules') return 'modules'
  if (inside === 'git') return decisive.get(name) ?? null
  if (kind === 'repository') return 'git'
  if (kind === 'protected') return 'protected'
  return inside === 'filled' || isFilledByOthers(name) ? 'filled' : 'usual'
}

/** A name that some file system may take for one that begins with a dot. */
const hasSpellings = /^\.|[^\0-\u007f]/

/** git takes any folder with these names for a repository: see `permissions/repository-parts.ts`. */
function isBareRepository(entries: readonly Dirent[]): boolean {
  if (entries.length < 2) return false
  const has = (wanted: string): boolean => entries.some(({ name }) => isSpelling(name, wanted))
  return has('head') && (has('commondir') || (has('objects') && has('refs')))
}

const isSpelling = (name: string, wanted: string): boolean => {
  const isLike = name.length === wanted.length || hasOthers.test(name)
  return isLike && plainName(textOf(name)) === wanted
}
/** Characters that some file system leaves out, or takes for others. */
const hasOthers = /[^\w.~-]/

/** Null if it is gone. */
function markOf(path: string): string | null {
  const stats = lstatSync(nameOf(path), { throwIfNoEntry: false })
  if (!stats) return null
  return stats.isDirectory() ? `folder ${stats.ino}` : `${stats.ino} ${stats.ctimeMs} ${stats.size}`
}

/** The number by which the file system knows it, also under another name. */
const nodeOf = (mark: string): string | undefined => /\d+/.exec(mark)?.[0]

function compared(root: string, before: TreeLook, now: TreeLook): Appeared {
  const places: HeldPlace[] = []
  const fresh = new Set<string>()
  // What the person has had at another place is nothing to remove.
  const moved = new Set(Array.from(before.found.values(), ({ mark }) => nodeOf(mark)))
  for (const [path, { kind, mark }] of now.found) {
    const former = before.found.get(path)
    if (former?.mark === mark && former.kind === kind) continue
    const text = textOf(path)
    if (kind === 'link' && !leadsOut(root, text)) continue
    if (!former) fresh.add(path)
    places.push({ path: text, kind, isNew: !former && !moved.has(nodeOf(mark)) })
  }
  const isBelowFresh = (path: string): boolean => {
    for (let end = path.lastIndexOf('/'); end > root.length; end = path.lastIndexOf('/', end - 1))
      if (fresh.has(path.slice(0, end))) return true
    return false
  }
  const own = places.filter(({ path }) => !isBelowFresh(Buffer.from(path).toString('latin1')))
  return { places: own, isComplete: before.isComplete && now.isComplete }
}

const ofSystem = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix/store', '/dev/null']

/** To a place that a person may have something in. Links to programs of the system are in every environment of Python. */
function leadsOut(root: string, path: string): boolean {
  const target = realPath(path)
  return ![root, ...ofSystem].some(folder => isWithin(folder, target))
}

const isPlain = (text: string): boolean => !/[^\0-\u007f]/.test(text)

/** A path of Latin-1 as the system takes it. */
const nameOf = (path: string): string | Buffer => (isPlain(path) ? path : Buffer.from(path, 'latin1'))

/** A name or a path of Latin-1 as people read it. */
const textOf = (latin: string): string => (isPlain(latin) ? latin : Buffer.from(latin, 'latin1').toString())
