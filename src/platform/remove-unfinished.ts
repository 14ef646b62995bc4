import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { readableNamesIn } from './folders.ts'
import { isOwnerDead } from './owner-state.ts'
import { processIds } from './processes.ts'
import { readTextSync } from './regular-file.ts'
import { listsIn, type ListedFolder } from './unfinished.ts'
import { memberAt, textAt } from '../text/member.ts'

/** The folder with the claims of the programs that change a settings file just now. A kill leaves one behind. */
export const claimsOfWriters = (state: string): string => join(state, 'writing')

/** The names of an unfinished file, and of a folder for a while. */
const NAME = /^\.zotui-[\da-f]{12}\.tmp$/
const FOLDER = /^zotui-[\da-f]{12}$/
/** Milliseconds after which another program has certainly ended, where that cannot be seen. */
const DAY = 86_400_000

/** Removes the unfinished files and folders of programs that ended. What cannot be removed stays listed. `now` is in milliseconds. Never throws. */
export function removeUnfinished(folder: string, now: number): void {
  for (const name of readableNamesIn(listsIn(folder))) {
    const path = join(listsIn(folder), name)
    try {
      if (!isOwnerDead(name, () => statSync(path).mtimeMs, now)) continue
      const { files, folders } = listed(path)
      files.forEach(removeFile)
      const isDone = [...folders.values()].map(each => removeFolder(each, now))
      if (isDone.every(Boolean)) rmSync(path, { force: true })
    } catch {
      // Another program was faster, or the disk is read-only now.
    }
  }
  for (const claims of [claimsOfWriters(folder), join(folder, 'checkpoints', 'in-use')]) removeClaims(claims, now)
}

/** Removes the claims of programs that ended. */
function removeClaims(folder: string, now: number): void {
  for (const name of readableNamesIn(folder)) {
    const path = join(folder, name)
    try {
      if (isOwnerDead(name.slice(name.lastIndexOf('.') + 1), () => statSync(path).mtimeMs, now)) rmSync(path)
    } catch {
      // Another program was faster, or the disk is read-only now.
    }
  }
}

/** Those of these files that are unfinished, or were: they are listed, or gone. Never throws. */
export function unfinishedAmong(files: readonly string[], folder: string): ReadonlySet<string> {
  const named = files.filter(file => NAME.test(basename(file)))
  if (named.length === 0) return new Set()
  const lists = new Set(readableNamesIn(listsIn(folder)).flatMap(name => listedIn(join(listsIn(folder), name))))
  return new Set(named.filter(file => lists.has(file) || !existsSync(file)))
}

function listedIn(path: string): readonly string[] {
  try {
    return listed(path).files
  } catch {
    // Its program has ended meanwhile.
    return []
  }
}

function asFolder(said: unknown): ListedFolder | null {
  const folder = textAt(said, 'folder')
  if (folder === undefined) return null
  if (memberAt(said, 'isKept') !== undefined) return { folder, isKept: true }
  if (memberAt(said, 'lent') === undefined) return { folder }
  const [name, mtimeMs] = [textAt(said, 'lent', 'name'), memberAt(said, 'lent', 'mtimeMs')]
  return name === undefined || typeof mtimeMs !== 'number' ? null : { folder, lent: { name, mtimeMs } }
}

/** The files of a list, and the last word about each folder. */
function listed(path: string): { files: string[]; folders: ReadonlyMap<string, ListedFolder> } {
  const files: string[] = []
  const folders = new Map<string, ListedFolder>()
  for (const line of readTextSync(path).split('\n')) {
    const said = valueOf(line)
    const folder = asFolder(said)
    if (typeof said === 'string') files.push(said)
    else if (folder) folders.set(folder.folder, folder)
  }
  return { files, folders }
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // The end of a line that was cut off.
    return null
  }
}

/** Nothing but a file with such a name is removed, whatever the list says. */
function removeFile(path: string): void {
  if (!NAME.test(basename(path))) return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) rmSync(path, { force: true })
}

/** Nothing but a folder of the user's own with such a name is removed. False if it may be removed later. */
function removeFolder({ folder, lent, isKept }: ListedFolder, now: number): boolean {
  if (isKept === true || !FOLDER.test(basename(folder))) return true
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory() || (process.getuid?.() ?? found.uid) !== found.uid) return true
  if (lent) {
    if (isChanged(folder, lent)) return true
    if (isInUse(folder, found.mtimeMs, now)) return false
  }
  rmSync(folder, { recursive: true, force: true })
  return true
}

/** Whether somebody wrote something there: it is the only copy. */
function isChanged(folder: string, { name, mtimeMs }: NonNullable<ListedFolder['lent']>): boolean {
  const names = readdirSync(folder)
  return names.some(each => each !== name || statSync(join(folder, each)).mtimeMs !== mtimeMs)
}

/** Whether another program may still have a file there open: an editor, whose command names it. */
function isInUse(folder: string, since: number, now: number): boolean {
  const processes = processIds()
  if (processes.length === 0) return now - since < DAY
  return processes.some(pid => argumentsOf(pid).includes(folder))
}

function argumentsOf(pid: number): string {
  try {
    return readTextSync(`/proc/${pid}/cmdline`)
  } catch {
    // It has ended.
    return ''
  }
}
