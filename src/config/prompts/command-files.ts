/** The Markdown files in a folder for commands and in the folders in it. */
import { readdir, realpath } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isMissing } from '../../platform/errors.ts'
import { isWithin } from '../../platform/within.ts'

/** The most commands in one folder, and the most entries that are read to find them. */
export const MOST_COMMANDS = 200
const MOST_ENTRIES = 2000
/** Levels of folders. */
const DEEPEST = 5

export type CommandFile = {
  /** `fix` for `fix.md`, `git:fix` for `git/fix.md`; in lower case. */
  name: string
  path: string
}

export type CommandFiles = {
  files: readonly CommandFile[]
  /** Files whose name cannot be typed as a command, by their path from the folder. */
  unnamed: readonly string[]
  /** Why the folder itself cannot be read; null where it can, or where there is none. */
  problem: string | null
  /** Whether there were more commands or entries than are read. */
  isCut: boolean
}

const nothing: CommandFiles = { files: [], unnamed: [], problem: null, isCut: false }

/**
 * Lists the command files by name. Links are followed, each folder once. Where `within` is set, links that lead out of that
 * folder are not followed: a stranger's project must not name other folders of the user. Never throws.
 */
export async function listCommandFiles(folder: string, within: string | null): Promise<CommandFiles> {
  const files: CommandFile[] = []
  const unnamed: string[] = []
  const looked = new Set<string>()
  let entriesLeft = MOST_ENTRIES
  let root: string | null = null

  /** `target` is a real path. */
  function isAllowed(target: string): boolean {
    return root === null || isWithin(root, target)
  }

  async function look(parts: readonly string[], entries: readonly Dirent[]): Promise<void> {
    for (const entry of entries) {
      entriesLeft -= 1
      if (entriesLeft < 0 || files.length > MOST_COMMANDS) return
      await take(parts, entry)
    }
  }

  async function take(parts: readonly string[], entry: Dirent): Promise<void> {
    const path = join(folder, ...parts, entry.name)
    if (entry.name.startsWith('.')) return
    // A link without `.md` usually leads to a folder.
    if (entry.isDirectory() || (entry.isSymbolicLink() && !isMarkdown(entry)))
      return lookInto([...parts, entry.name], path)
    if (!isMarkdown(entry)) return
    const names = [...parts, entry.name.slice(0, -'.md'.length)]
    if (names.every(isTypable)) files.push({ name: names.join(':').normalize('NFC').toLowerCase(), path })
    else unnamed.push([...parts, entry.name].join('/'))
  }

  async function lookInto(parts: readonly string[], path: string): Promise<void> {
    const target = await realpath(path).catch(() => path)
    // Circular links would never end.
    if (parts.length > DEEPEST || looked.has(target) || !isAllowed(target)) return
    looked.add(target)
    await look(parts, await entriesIn(target))
  }

  try {
    const target = await realpath(folder)
    root = within === null ? null : await realpath(within)
    if (!isAllowed(target)) return { ...nothing, problem: 'is a link that points outside the project' }
    looked.add(target)
    await look([], inOrder(await readdir(target, { withFileTypes: true })))
  } catch (error) {
    const code = codeOf(error) || String(error)
    return { ...nothing, problem: isMissing(error) ? null : `cannot be read (${code})` }
  }
  return {
    files: files.slice(0, MOST_COMMANDS),
    unnamed,
    problem: null,
    isCut: files.length > MOST_COMMANDS || entriesLeft < 0,
  }
}

function isMarkdown({ name }: Dirent): boolean {
  return /\.md$/i.test(name)
}

/** The entries of a folder; none where it cannot be read. */
async function entriesIn(path: string): Promise<Dirent[]> {
  return inOrder(await readdir(path, { withFileTypes: true }).catch(() => []))
}

function inOrder(entries: readonly Dirent[]): Dirent[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A typed command ends at a blank, and a second slash makes it a path. */
function isTypable(name: string): boolean {
  return name.length <= 60 && /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(name)
}
