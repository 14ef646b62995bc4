/**
 * The box for a command that runs without a question because it only reads: no file can be changed, and there is no network, no socket,
 * no other process and no secret of the person. The permissions read the command line; the system holds it to what they read.
 */
import type { CommandBox } from '../platform/shell/command-box.ts'
import { runShell } from '../platform/shell/run.ts'
import { type BoxMaker, findBoxMaker, type NoBox } from './box-maker.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { readPolicy } from './places.ts'
import { readArguments } from './read-policy.ts'
import { readProfile } from './seatbelt.ts'
import { seccompFilter } from './seccomp.ts'

/** The place of a command. `env` is the environment that it would have outside. */
export type ReadPlace = { folder: string; env: NodeJS.ProcessEnv; runsGit: boolean }

/** Each folder is tried once: what the kernel refuses once it refuses again. */
const tried = new Map<string, Promise<BoxMaker | NoBox>>()
const reported = new Set<string>()

/** Makes the box for one command, or says why there is none. `isNew`: for the first time in this run of zotui. Never rejects. */
export async function readBox(place: ReadPlace): Promise<CommandBox | (NoBox & { isNew: boolean })> {
  const maker = await workingBoxMaker(place)
  if ('kind' in maker) return boxOf(maker, place)
  const isNew = !reported.has(maker.why)
  reported.add(maker.why)
  return { ...maker, isNew }
}

/** What makes boxes in this folder, after one was made and looked at. Never rejects. */
export function workingBoxMaker(place: ReadPlace): Promise<BoxMaker | NoBox> {
  const key = `${place.folder}\0${place.env['PATH'] ?? ''}`
  const known = tried.get(key) ?? tryBox(place)
  tried.set(key, known)
  return known
}

async function tryBox(place: ReadPlace): Promise<BoxMaker | NoBox> {
  const maker = await findBoxMaker(place.folder, place.env)
  if (!('kind' in maker)) return maker
  const { exitCode, problem, output } = await runShell({
    command: maker.kind === 'bubblewrap' ? `${NO_WRITING}\n${NO_NETWORK}` : NO_WRITING,
    cwd: place.folder,
    env: place.env,
    shell: '/bin/sh',
    box: boxOf(maker, place),
    limitBytes: 4096,
    onOutput() {},
  }).done
  if (exitCode === 0) return maker
  const [words = 'it does not hold'] = (problem ?? output).trim().split('\n')
  return { why: words, so: maker.kind === 'bubblewrap' ? FIX : '' }
}

const NO_WRITING = `[ ! -w . ] && [ ! -w "$HOME" ] || { echo 'files can be written in the box'; exit 1; }`
const NO_NETWORK =
  'while read -r name rest; do case $name in lo:*|Inter-*|face*) ;; *) echo "the box has the network $name"; exit 1; esac; done </proc/net/dev'

const FIX =
  'user namespaces may be off: look at the sysctls kernel.unprivileged_userns_clone and user.max_user_namespaces, or for an AppArmor profile for bwrap (Ubuntu 24.04)'

function boxOf(maker: BoxMaker, { folder, env, runsGit }: ReadPlace): CommandBox {
  const policy = readPolicy(folder, env)
  const clean = cleanEnvironment(env, { runsGit })
  if (maker.kind === 'seatbelt') return { file: maker.file, args: ['-p', readProfile(policy)], inputs: [], env: clean }
  const filter = seccompFilter(maker.processor, { sockets: false })
  return {
    file: maker.file,
    args: ['--args', '3', '--seccomp', '4', '--'],
    inputs: [
      Buffer.from(
        readArguments(policy)
          .map(each => `${each}\0`)
          .join(''),
      ),
      filter,
    ],
    env: clean,
  }
}
