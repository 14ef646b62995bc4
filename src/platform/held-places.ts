/**
 * Places in projects that a command in the sandbox has left, and that the person has not looked at yet. While a project has some, no git of
 * ours runs there, and no command runs unasked. They are kept in the state folder, one small file each, so that several zotuis can add and
 * remove them at once, and a restart forgets none.
 */
import { createHash } from 'node:crypto'
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf, messageOf } from './errors.ts'
import { makeFolder, namesIn } from './folders.ts'
import { inFolderOf, type HeldFolder } from './held-folder.ts'
import { leftName, ownName } from './owner.ts'
import { isOwnerDead } from './owner-state.ts'
import { realPath } from './real-path.ts'
import { readTextSync } from './regular-file.ts'
import { unfinishedFolder } from './unfinished-folder.ts'
import { isWithin } from './within.ts'
import { parseJson } from '../text/json.ts'
import { memberAt, textAt } from '../text/member.ts'

const kinds = ['repository', 'protected', 'link', 'unknown'] as const

/** As `LeftPlace` in `src/agent/permission.ts`. */
export type HeldPlace = {
  path: string
  kind: (typeof kinds)[number]
  /** False if it was there before, and was changed. */
  isNew: boolean
}

type HeldPlaces = {
  /** Those without an answer, by path. What is gone by now is left out. @throws what the system throws: then it is unknown. */
  list: () => readonly HeldPlace[]
  /** Adds what has appeared. @throws what the system throws. */
  hold: (places: readonly HeldPlace[]) => void
  /**
   * A command begins that may leave something. If zotui ends before it says what became of that, nobody has looked, and the project counts as
   * unknown. @throws what the system throws.
   */
  begin: () => UnseenCommand
  /**
   * The person's answer about one of them. `remove` deletes what is there without following a link, and only what is new. Returns a
   * sentence without a full stop where that failed, and null otherwise. Never rejects.
   */
  answer: (path: string, answer: 'keep' | 'remove') => Promise<string | null>
}

export type UnseenCommand = {
  /** What it has left is held. Never throws. */
  end: () => void
  /** What it has left could not be held: the project counts as unknown from now on. Never throws. */
  lose: () => void
}

/** The places of one project. `folder` is absolute. Without a `state` folder nothing is kept. */
export function heldPlaces(folder: string, state = unfinishedFolder()): HeldPlaces {
  const project = realPath(folder)
  const own = state === null ? null : join(heldIn(state), nameOf(project))
  return {
    list: () => (own === null ? [] : placesIn(own).filter(isThere)),
    hold(places) {
      if (own === null || places.length === 0) return
      makeFolder(own)
      const known = new Set(placesIn(own).map(({ path }) => path))
      // One that is held already is as new as it was.
      for (const place of places) if (!known.has(place.path)) write(own, { folder: project, ...place })
    },
    begin() {
      return own === null ? { end() {}, lose() {} } : beginIn(own, project)
    },
    async answer(path, answer) {
      if (own === null) return null
      try {
        const place = placesIn(own).find(each => each.path === path)
        if (!place) return null
        if (answer === 'remove' && isThere(place)) {
          if (!place.isNew) return `${path} was there before: change it back, or keep it`
          await inFolderOf(path, remove)
        }
        rmSync(join(own, nameOf(path)), { force: true })
        if (place.kind === 'unknown') for (const file of lostIn(own)) rmSync(file, { force: true })
        return null
      } catch (error) {
        return `${path} could not be removed: ${messageOf(error)}`
      }
    },
  }
}

/** Why no git of ours runs in some folders: a sentence without a full stop that names the first place; null if it may run. */
export function whyNoGit(folders: readonly string[], state = unfinishedFolder()): string | null {
  const [place] = heldAround(folders, state)
  if (place) return `zotui runs no git here until you have looked at ${place.path} (/sandbox)`
  return isMakeable(folders, state) ? 'zotui runs no git here while a command runs that could make a repository' : null
}

/** Why a command in a folder needs an answer whatever the rules say: it completes a sentence. Null if it needs none. */
export function whyAskFirst(folder: string, state = unfinishedFolder()): string | null {
  const [place, ...others] = heldAround([folder], state)
  if (!place) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `an earlier command has left ${place.path}${more}, which you have not looked at yet (/sandbox)`
}

/** The places of the projects that these folders are in, and of those in them: git goes both ways. Where they cannot be read, there is one. */
function heldAround(folders: readonly string[], state: string | null): readonly HeldPlace[] {
  if (state === null) return []
  try {
    return namesIn(heldIn(state)).flatMap(name => {
      const own = join(heldIn(state), name)
      const places = placesIn(own).filter(isThere)
      const project = places.length > 0 ? projectOf(own) : undefined
      if (project === undefined) return []
      return folders.some(folder => isWithin(project, folder) || isWithin(folder, project)) ? places : []
    })
  } catch {
    return [{ path: heldIn(state), kind: 'unknown', isNew: false }]
  }
}

/** Ends the name of the file of a command that runs; the rest of it says which zotui has begun it. */
const BEGUN = '.begun'

function orLater(change: () => void): void {
  try {
    change()
  } catch {
    // The file stays: the project counts as unknown when this zotui has ended.
  }
}

function beginIn(own: string, project: string): UnseenCommand {
  makeFolder(own)
  const name = ownName()
  const file = join(own, `${name}${BEGUN}`)
  // Where there is a repository, the box holds what says which programs git runs.
  const isHeld = lstatSync(join(project, '.git'), { throwIfNoEntry: false })?.isSymbolicLink() === false
  writeFileSync(file, JSON.stringify({ folder: project, isHeld }), { mode: 0o600, flag: 'wx' })
  return {
    end: () => orLater(() => rmSync(file, { force: true })),
    // The disk may be full: a new name needs no room.
    lose: () => orLater(() => renameSync(file, join(own, `${leftName(name)}${BEGUN}`))),
  }
}

/** Whether a command runs that could make the repository of a folder meanwhile, and change it while git reads it. */
function isMakeable(folders: readonly string[], state: string | null): boolean {
  if (state === null) return false
  try {
    const projects = namesIn(heldIn(state)).map(name => join(heldIn(state), name))
    const begun = projects.flatMap(own =>
      namesIn(own)
        .filter(name => name.endsWith(BEGUN))
        .map(name => join(own, name)),
    )
    return begun.map(read).some(said => {
      const project = memberAt(said, 'isHeld') === false ? textAt(said, 'folder') : undefined
      return project !== undefined && folders.some(folder => isWithin(project, folder))
    })
  } catch {
    return true
  }
}

/** The files of commands whose zotui has ended before them. */
function lostIn(own: string): string[] {
  return namesIn(own)
    .filter(name => name.endsWith(BEGUN))
    .filter(name => isOwnerDead(name.slice(0, -BEGUN.length), () => changedAt(join(own, name)), Date.now()))
    .map(name => join(own, name))
}

const changedAt = (file: string): number => lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** `held` itself has the conversations in the background (`src/background/record.ts`). */
const heldIn = (state: string): string => join(state, 'held-places')
const nameOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 32)

function isThere({ path, kind }: HeldPlace): boolean {
  return kind === 'unknown' || lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** @throws what the system throws, and for a file that is none of ours. */
function placesIn(own: string): HeldPlace[] {
  const found = namesIn(own)
    .filter(name => !name.endsWith('.tmp') && !name.endsWith(BEGUN))
    .flatMap(name => placeIn(join(own, name)) ?? [])
  const lost = lostIn(own).flatMap(file => textAt(read(file), 'folder') ?? [])
  for (const path of new Set(lost))
    if (!found.some(each => each.path === path)) found.push({ path, kind: 'unknown', isNew: false })
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Null if another zotui has just removed it. */
function placeIn(file: string): HeldPlace | null {
  const said = read(file)
  if (said === null) return null
  const [path, kind] = [textAt(said, 'path'), kinds.find(each => each === textAt(said, 'kind'))]
  if (path === undefined || kind === undefined) throw new Error(`${file} is damaged: remove it`)
  return { path, kind, isNew: memberAt(said, 'isNew') === true }
}

function projectOf(own: string): string | undefined {
  const [folder] = namesIn(own).flatMap(name => textAt(read(join(own, name)), 'folder') ?? [])
  return folder
}

function read(file: string): unknown {
  try {
    return parseJson(readTextSync(file))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** In one step. A killed program leaves a file that nobody reads. */
function write(own: string, place: HeldPlace & { folder: string }): void {
  const file = join(own, nameOf(place.path))
  const fresh = `${file}.${process.pid}.tmp`
  writeFileSync(fresh, JSON.stringify(place), { mode: 0o600 })
  renameSync(fresh, file)
}

/** Removes a file, a link, or a folder with all that is in it. No link is followed, also none that is put there meanwhile. */
async function remove(folder: HeldFolder, name: string): Promise<void> {
  const at = folder.at(name)
  if (!lstatSync(at).isDirectory()) return unlink(at)
  const inner = folder.below(name)
  try {
    for (const each of await readdir(inner.at(''))) await remove(inner, each)
  } finally {
    inner.close()
  }
  await rmdir(at)
}
