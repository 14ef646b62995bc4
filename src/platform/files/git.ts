/** Lists a project's files with git: tracked and new files, without ignored ones. */
import { spawn, type ChildProcess } from 'node:child_process'
import { PassThrough, pipeline } from 'node:stream'
import type { WalkPace } from './pace.ts'

/** What a listing needs from its caller. */
export type Listing = {
  folder: string
  /** Takes a path relative to the folder; false when no more are wanted. */
  add: (path: string) => boolean
  pace: WalkPace
  signal: AbortSignal
}

/** How long git may take, in milliseconds. After that the folders are read without git. */
const LONGEST = 10_000

/** A project's git config may name a program that git runs when it lists files. It is not run for a popup. */
const safely = ['-c', 'core.fsmonitor=false']

/**
 * Lists tracked files, and new files that are not ignored. False where git is missing or does not know the folder. The two are
 * separate calls, since git lists tracked files at once but has to read all folders for new ones.
 */
export async function listGit(listing: Listing): Promise<boolean> {
  const tracked = ask(listing, ['-c'])
  const others = ask(listing, ['-o', '--exclude-standard'])
  // Read one after the other for a stable order. The second git fills its pipe meanwhile.
  const answers = [await take(tracked, listing), await take(others, listing)]
  return answers.every(Boolean)
}

/** The tracked files that were deleted. */
export async function listDeleted(listing: Omit<Listing, 'add'>): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>()
  const add = (path: string): boolean => {
    deleted.add(path)
    return true
  }
  await take(ask(listing, ['-d']), { ...listing, add })
  return deleted
}

type Answer = { git: ChildProcess; output: PassThrough; ended: Promise<boolean> }

function ask({ folder, signal }: Pick<Listing, 'folder' | 'signal'>, flags: readonly string[]): Answer {
  const git = spawn('git', [...safely, 'ls-files', '-z', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    // Git hangs where an ignore file is a pipe.
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<boolean>(resolve => {
    git.once('error', () => resolve(false))
    git.once('close', code => resolve(code === 0))
  })
  // A child's own stream drops unread data when the child ends.
  const output = pipeline(git.stdout, new PassThrough({ encoding: 'utf8' }), () => {
    // Git's exit code says whether it succeeded.
  })
  return { git, output, ended }
}

async function take({ git, output, ended }: Answer, { add, pace }: Pick<Listing, 'add' | 'pace'>): Promise<boolean> {
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
    // Stopped by the signal: the paths found so far are kept.
    return false
  }
  return ended
}
