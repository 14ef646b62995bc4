/** A project's files as git knows them: tracked and new ones, without the ignored. */
import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import { PassThrough, pipeline } from 'node:stream'
import type { Pace } from '../pace.ts'
import { whyNoGit } from '../held-places.ts'
import { ownGitEnvironment } from '../git/switches.ts'
import { findProgram, helperEnvironment } from '../programs.ts'

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

/**
 * Files that are tracked, and new ones that are not ignored. False where git is not there, or does not know the folder. If asked
 * for both at once, git would first search all folders for new files; the tracked ones are in its index.
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

/** Null where there is no git, or none may run. */
type GitListing = { git: ChildProcess; output: PassThrough; ended: Promise<boolean> } | null

function ask({ folder, signal }: Pick<Listing, 'folder' | 'signal'>, flags: readonly string[]): GitListing {
  const file = whyNoGit([folder]) === null ? findProgram('git', process.env, folder) : null
  if (file === null) return null
  const git = spawn(file, ['ls-files', '-z', ...flags], {
    cwd: folder,
    // A project's settings may name a program that git runs when it lists files. None may run for a popup.
    env: ownGitEnvironment(helperEnvironment(process.env, folder)),
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // Git itself blocks if an ignore file is a named pipe.
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<boolean>(resolve => {
    git.once('error', () => resolve(false))
    git.once('close', code => resolve(code === 0))
  })
  // A child's own stream discards unread output when the child ends.
  const output = pipeline(git.stdout, new PassThrough({ encoding: 'utf8' }), () => {
    // Git's exit code shows whether it succeeded.
  })
  return { git, output, ended }
}

async function take(listing: GitListing, { add, pace }: Pick<Listing, 'add' | 'pace'>): Promise<boolean> {
  if (listing === null) return false
  const { git, output, ended } = listing
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
    // The caller stopped it: the paths found so far are valid.
    return false
  }
  return ended
}
