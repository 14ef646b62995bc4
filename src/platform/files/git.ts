/** A project's files as git knows them: tracked and new ones, without the ignored. */
import { spawn, type ChildProcess } from 'node:child_process'
import { PassThrough, pipeline } from 'node:stream'
import type { Pace } from '../pace.ts'

/** A request for the paths of a folder. */
export type Listing = {
  folder: string
  /** Takes a path relative to the folder; false when it wants no more. */
  add: (path: string) => boolean
  pace: Pace
  signal: AbortSignal
}

/** Milliseconds that git may take; after that the folders are walked instead. */
const LONGEST = 10_000

/** A project's own settings may name a program that git would run when asked for files; none is run for a popup. */
const safely = ['-c', 'core.fsmonitor=false']

/**
 * Files that are tracked, and new ones that are not ignored. False where git is not there, or does not know the folder. Asked
 * for both at once git would first look through all folders for the new ones; the tracked ones it knows by heart.
 */
export async function listGit(listing: Listing): Promise<boolean> {
  const tracked = ask(listing, ['-c'])
  const others = ask(listing, ['-o', '--exclude-standard'])
  // Taken one after the other, so that the order is the same each time; git fills its pipe meanwhile.
  const answers = [await take(tracked, listing), await take(others, listing)]
  return answers.every(Boolean)
}

/** The tracked files that are not there any more. */
export async function listDeleted(listing: Omit<Listing, 'add'>): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>()
  const add = (path: string): boolean => {
    deleted.add(path)
    return true
  }
  await take(ask(listing, ['-d']), { ...listing, add })
  return deleted
}

type GitListing = { git: ChildProcess; output: PassThrough; ended: Promise<boolean> }

function ask({ folder, signal }: Pick<Listing, 'folder' | 'signal'>, flags: readonly string[]): GitListing {
  const git = spawn('git', [...safely, 'ls-files', '-z', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // Git itself waits where a pipe stands in place of a file of rules.
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<boolean>(resolve => {
    git.once('error', () => resolve(false))
    git.once('close', code => resolve(code === 0))
  })
  // A child's own stream discards unread output when the child ends.
  const output = pipeline(git.stdout, new PassThrough({ encoding: 'utf8' }), () => {
    // Whether it ended well is what git's exit code says.
  })
  return { git, output, ended }
}

async function take(
  { git, output, ended }: GitListing,
  { add, pace }: Pick<Listing, 'add' | 'pace'>,
): Promise<boolean> {
  let rest = ''
  try {
    for await (const chunk of output as AsyncIterable<string>) {
      const names = (rest + chunk).split('\0')
      rest = names.pop() ?? ''
      for (const name of names) {
        if (add(name)) continue
        git.kill()
        return true
      }
      if (pace.isDue()) await pace.rest()
    }
  } catch {
    // Stopped from outside: what was found so far stands.
    return false
  }
  return ended
}
