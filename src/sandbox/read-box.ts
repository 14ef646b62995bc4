/**
 * The box for a command that runs without a question because it only reads: no file can be changed, and there is no network, no socket,
 * no other process and no secret of the person. The permissions read the command line; the system holds it to what they read.
 */
import { statSync } from 'node:fs'
import process from 'node:process'
import { messageOf } from '../platform/errors.ts'
import { type CommandBox, runShell } from '../platform/shell/run.ts'
import { type BoxMaker, findBoxMaker, type NoBox } from './box-maker.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { inheritedDescriptors } from './inherited.ts'
import { readPolicy } from './places.ts'
import { readArguments, type ReadPolicy } from './read-policy.ts'
import { readProfile } from './seatbelt.ts'
import { seccompFilter } from './seccomp.ts'

/** The place of a command. `env` is the environment that it would have outside. */
export type ReadPlace = { folder: string; env: NodeJS.ProcessEnv; runsGit: boolean }

/** Whether there are boxes could not be found out this time: nothing may run. */
type Unknown = { unknown: string }

/** By folder and PATH, which say where the programs are: what the system has refused once, it refuses again. */
const tried = new Map<string, Promise<BoxMaker | NoBox | Unknown>>()
const reported = new Set<string>()

/**
 * Makes the box for one command, or says why this machine has none. `isNew`: for the first time in this run of zotui.
 *
 * @throws an error with words for the model if that is not known: then nothing may run.
 */
export async function readBox(place: ReadPlace): Promise<CommandBox | (NoBox & { isNew: boolean })> {
  const maker = await workingBoxMaker(place)
  if ('unknown' in maker) throw new Error(maker.unknown)
  if (!('kind' in maker)) return reportedOnce(maker)
  const none = unreachable(place.folder)
  return none ? reportedOnce(none) : boxOf(maker, place)
}

function reportedOnce(none: NoBox): NoBox & { isNew: boolean } {
  const isNew = !reported.has(none.why)
  reported.add(none.why)
  return { ...none, isNew }
}

/** What makes boxes here, after one was made and looked at. Never rejects. */
export async function workingBoxMaker(place: ReadPlace): Promise<BoxMaker | NoBox | Unknown> {
  const key = `${place.folder}\0${place.env['PATH'] ?? ''}`
  const known =
    tried.get(key) ??
    tryBox(place).catch((error: unknown) => ({ unknown: `the box could not be made: ${messageOf(error)}` }))
  tried.set(key, known)
  const maker = await known
  // The next command tries again.
  if ('unknown' in maker) tried.delete(key)
  return maker
}

/** Milliseconds for a box, which takes about 15. */
const PATIENCE = 5000

/** In a box without a project: what fails there fails for every command. */
async function tryBox({ folder, env }: ReadPlace): Promise<BoxMaker | NoBox | Unknown> {
  const maker = await findBoxMaker(folder, env)
  if (!('kind' in maker)) return maker
  const run = runShell({
    command: maker.kind === 'bubblewrap' ? `${NO_WRITING}\n${NO_NETWORK}` : NO_WRITING,
    cwd: '/',
    env,
    shell: '/bin/sh',
    box: boxWith(maker, { folder: '/', seen: [], closed: [] }, cleanEnvironment(env, { runsGit: false })),
    limitBytes: 4096,
    onOutput() {},
  })
  const timer = setTimeout(() => run.stop(), PATIENCE)
  const { exitCode, problem, output, stopped } = await run.done
  clearTimeout(timer)
  if (exitCode === 0 && !stopped) return maker
  const [words = 'it does not hold'] = (problem ?? output).trim().split('\n')
  return !stopped && REFUSED.test(words)
    ? { why: words, so: maker.kind === 'bubblewrap' ? FIX : '' }
    : { unknown: words }
}

const NO_WRITING = `[ ! -w / ] || { echo 'files can be written in the box'; exit 1; }`
const NO_NETWORK =
  'while read -r name rest; do case $name in lo:*|Inter-*|face*) ;; *) echo "the box has the network $name"; exit 1; esac; done </proc/net/dev'

/** What a system says that does not allow boxes at all. Anything else, such as too many processes, may pass. */
const REFUSED =
  /Operation not permitted|Permission denied|No space left on device|Invalid argument|Function not implemented|Unknown option|unrecognized option|Can't mount proc/

const FIX =
  'user namespaces may be off: look at the sysctls kernel.unprivileged_userns_clone and user.max_user_namespaces, or for an AppArmor profile for bwrap (Ubuntu 24.04)'

/** In a box root has no rights over the files of others. */
function unreachable(folder: string): NoBox | null {
  const stats = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  const isOpen = stats === undefined || stats.uid === 0 || (stats.mode & 0o005) === 0o005
  return isOpen
    ? null
    : { why: 'root cannot look into this folder of another user in a box', so: 'run zotui as that user' }
}

function boxOf(maker: BoxMaker, { folder, env, runsGit }: ReadPlace): CommandBox {
  return boxWith(maker, readPolicy(folder, env), cleanEnvironment(env, { runsGit }))
}

function boxWith(maker: BoxMaker, policy: ReadPolicy, env: NodeJS.ProcessEnv): CommandBox {
  if (maker.kind === 'seatbelt')
    return { file: maker.file, args: ['-p', readProfile(policy)], inputs: [], withheld: [], env }
  const filter = seccompFilter(maker.processor, { sockets: false })
  return {
    file: maker.unshare,
    args: [...ALONE, maker.file, '--args', '3', '--seccomp', '4', '--'],
    withheld: inheritedDescriptors(),
    inputs: [
      Buffer.from(
        readArguments(policy)
          .map(each => `${each}\0`)
          .join(''),
      ),
      filter,
    ],
    env,
  }
}

/**
 * What the system mounts later does not appear in the box: bubblewrap alone takes over such mounts, and they could be written. Root needs no
 * namespace of users for that.
 */
const ALONE =
  process.getuid?.() === 0
    ? ['--mount', '--propagation', 'private', '--']
    : ['--user', '--map-current-user', '--mount', '--propagation', 'private', '--']
