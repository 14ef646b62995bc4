/** A project's files as git knows them: tracked and new ones, without the ignored. */
import { spawn } from 'node:child_process'
import type { Pace } from './pace.ts'

/** What a listing tells its caller, path by path. */
export type Listing = {
  folder: string
  /** Takes a path relative to the folder; false when it wants no more. */
  add: (path: string) => boolean
  pace: Pace
  signal: AbortSignal
}

/** A project's own settings may name a program that git would run when asked for files; none is run for a popup. */
const safely = ['-c', 'core.fsmonitor=false']

/**
 * Files that are tracked, and new ones that are not ignored. False where git is not there, or does not know the folder. Asked
 * for both at once git would first look through all folders for the new ones; the tracked ones it knows by heart.
 */
export async function listGit(listing: Listing): Promise<boolean> {
  const all = await Promise.all([list(listing, ['-c']), list(listing, ['-o', '--exclude-standard'])])
  return all.every(Boolean)
}

/** The tracked files that are not there any more. */
export async function listDeleted(listing: Omit<Listing, 'add'>): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>()
  const add = (path: string): boolean => {
    deleted.add(path)
    return true
  }
  await list({ ...listing, add }, ['-d'])
  return deleted
}

async function list({ folder, add, pace, signal }: Listing, flags: readonly string[]): Promise<boolean> {
  const git = spawn('git', [...safely, 'ls-files', '-z', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    signal,
  })
  const ended = new Promise<boolean>(resolve => {
    git.once('error', () => resolve(false))
    git.once('close', code => resolve(code === 0))
  })
  let rest = ''
  git.stdout.setEncoding('utf8')
  try {
    for await (const chunk of git.stdout as AsyncIterable<string>) {
      const names = (rest + chunk).split('\0')
      rest = names.pop() ?? ''
      for (const name of names) {
        if (!add(name)) {
          git.kill()
          return true
        }
      }
      if (pace.isDue()) await pace.rest()
    }
  } catch {
    // Stopped from outside: what was found so far stands.
    return false
  }
  return ended
}
