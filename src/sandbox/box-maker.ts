/** What makes boxes on this machine: bubblewrap on Linux, sandbox-exec on macOS. */
import { statSync } from 'node:fs'
import { execa } from 'execa'
import { findProgram, helperEnvironment } from '../platform/programs.ts'
import { isProcessor, type Processor } from './seccomp.ts'

export type BoxMaker =
  | { kind: 'bubblewrap'; file: string; unshare: string; version: string; processor: Processor }
  | { kind: 'seatbelt'; file: string }

/** Why there is no box. `so` is what the person can do about it; '' for nothing. */
export type NoBox = { why: string; so: string }

/** The first version that can keep what runs in a box from making user namespaces. */
const LEAST = [0, 8] as const

const SETUID = 0o4000

/** Milliseconds for the version of bubblewrap. */
const PATIENCE = 5000

const SEATBELT = '/usr/bin/sandbox-exec'

/** Looks outside of the project. Whether the system lets it make a box is another question. @throws if it does not answer. */
export async function findBoxMaker(folder: string, env: NodeJS.ProcessEnv): Promise<BoxMaker | NoBox> {
  const processor: string = process.arch
  if (process.platform === 'darwin') return { kind: 'seatbelt', file: SEATBELT }
  if (process.platform !== 'linux') return { why: `zotui has no box for ${process.platform}`, so: '' }
  if (!isProcessor(processor)) return { why: `zotui has no box for the processor ${processor}`, so: '' }
  const file = findProgram('bwrap', env, folder)
  if (file === null) return { why: 'bubblewrap is not installed', so: 'install the package bubblewrap' }
  const unshare = findProgram('unshare', env, folder)
  if (unshare === null) return { why: 'unshare is not installed', so: 'install the package util-linux' }
  if ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & SETUID)
    return { why: `${file} is setuid`, so: `remove that: chmod u-s ${file}` }
  const own = { env: helperEnvironment(env, folder), extendEnv: false, stdin: 'ignore', reject: false } as const
  const { stdout, timedOut } = await execa(file, ['--version'], { ...own, timeout: PATIENCE })
  if (timedOut) throw new Error('bubblewrap does not answer')
  const [version = '', major = '', minor = ''] = /(\d+)\.(\d+)(?:\.\d+)*/.exec(stdout) ?? []
  if (version === '') return { why: `${file} does not say its version`, so: 'install bubblewrap again' }
  const isOld = Number(major) === LEAST[0] && Number(minor) < LEAST[1]
  if (isOld) return { why: `bubblewrap ${version} is too old`, so: `install ${LEAST.join('.')} or newer` }
  return { kind: 'bubblewrap', file, unshare, version, processor }
}
