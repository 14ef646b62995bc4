/** What makes boxes on this machine, after one was made and looked at. */
import { messageOf } from '../platform/errors.ts'
import { type CommandBox, runShell } from '../platform/shell/run.ts'
import { type BoxMaker, findBoxMaker, type NoBox } from './box-maker.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { bubblewrapBox, seatbeltBox } from './command-box.ts'
import { readArguments, type ReadPolicy } from './read-policy.ts'
import { readProfile } from './seatbelt.ts'

/** Whether there are boxes could not be found out this time: nothing may run. */
type Unknown = { unknown: string }

/** Where the programs are looked for. */
type LookedAt = { folder: string; env: NodeJS.ProcessEnv }

/** By folder and PATH, which say where the programs are: what the system has refused once, it refuses again. */
const tried = new Map<string, Promise<BoxMaker | NoBox | Unknown>>()

/** What makes boxes here, after one was made and looked at. Never rejects. */
export async function workingBoxMaker(place: LookedAt): Promise<BoxMaker | NoBox | Unknown> {
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

/** What makes boxes here. @throws an error of one line with the reason and what to do, where there are none, or where that is not known. */
export async function boxMakerHere(place: LookedAt): Promise<BoxMaker> {
  const maker = await workingBoxMaker(place)
  if ('kind' in maker) return maker
  if ('unknown' in maker) throw new Error(maker.unknown)
  throw new Error(maker.so === '' ? maker.why : `${maker.why}; ${maker.so}`)
}

/** Milliseconds for a box, which takes about 15. */
const PATIENCE = 5000

/** In a box without a project: what fails there fails for every command. */
async function tryBox({ folder, env }: LookedAt): Promise<BoxMaker | NoBox | Unknown> {
  const maker = await findBoxMaker(folder, env)
  if (!('kind' in maker)) return maker
  const run = runShell({
    command: maker.kind === 'bubblewrap' ? `${NO_WRITING}\n${NO_NETWORK}` : NO_WRITING,
    cwd: '/',
    env,
    shell: '/bin/sh',
    box: boxForReading(maker, { folder: '/', seen: [], closed: [] }, cleanEnvironment(env, { runsGit: false })),
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
    : { unknown: SPENT.test(words) ? `${words}; ${FIX}` : words }
}

const NO_WRITING = `[ ! -w / ] || { echo 'files can be written in the box'; exit 1; }`
const NO_NETWORK =
  'while read -r name rest; do case $name in lo:*|Inter-*|face*) ;; *) echo "the box has the network $name"; exit 1; esac; done </proc/net/dev'

/** What a system says that does not allow boxes at all. Anything else, such as too many processes, may pass. */
const REFUSED =
  /Operation not permitted|Permission denied|No space left on device|Invalid argument|Function not implemented|Unknown option|unrecognized option|Can't mount proc/

/** The namespaces that the system allows are in use, or it allows none: that may pass, or not. */
const SPENT = /ENOSPC/

const FIX =
  'user namespaces may be off: look at the sysctls kernel.unprivileged_userns_clone and user.max_user_namespaces, or for an AppArmor profile for bwrap (Ubuntu 24.04)'

export function boxForReading(maker: BoxMaker, policy: ReadPolicy, env: NodeJS.ProcessEnv): CommandBox {
  if (maker.kind === 'seatbelt') return seatbeltBox(maker, readProfile(policy), env)
  return bubblewrapBox(maker, { policy: readArguments(policy), sockets: false, env })
}
