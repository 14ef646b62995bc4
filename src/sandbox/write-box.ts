/**
 * The box for a command of the agent that may do more than read: it can write the project and its own caches, and nothing else. The home folder
 * is empty but for tool chains, and the network is none, or what the conversation allows.
 */
import { statSync } from 'node:fs'
import process from 'node:process'
import type { CommandBox } from '../platform/shell/run.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { bubblewrapBox, seatbeltBox } from './command-box.ts'
import { writeProfile } from './seatbelt.ts'
import { workingBoxMaker } from './working-box.ts'
import { writePolicy, type WritePlace } from './write-places.ts'
import { writeArguments } from './write-policy.ts'

/** `enter` is a program, with its arguments, that runs another one in the network of a conversation; `env` is what leads to it. */
export type EnteredNetwork = { enter: readonly string[]; env: Record<string, string> }

/**
 * Makes the box for one command. Without a network nothing can be reached.
 *
 * @throws an error of one line, with the reason and what to do, where there is none: then nothing may run.
 */
export async function writeBox(place: WritePlace, network: EnteredNetwork | null): Promise<CommandBox> {
  const maker = await workingBoxMaker(place)
  if ('unknown' in maker) throw new Error(maker.unknown)
  if (!('kind' in maker)) throw new Error(maker.so === '' ? maker.why : `${maker.why}; ${maker.so}`)
  assertReachable(place.folder)
  const policy = writePolicy(place)
  const env = {
    ...cleanEnvironment(place.env, { isWriting: true }),
    ...cacheVariables(policy.kept),
    ...network?.env,
    ...place.agent?.env,
  }
  if (maker.kind === 'seatbelt') return seatbeltBox(maker, writeProfile(policy), env)
  return bubblewrapBox(maker, {
    policy: writeArguments(policy, { hasNetwork: network !== null }),
    sockets: true,
    env,
    files: policy.files,
    enter: network?.enter ?? [],
  })
}

/** In a box root has no rights over the files of others. */
function assertReachable(folder: string): void {
  const stats = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  if (stats && stats.uid !== 0 && (stats.mode & 0o007) !== 0o007)
    throw new Error('root cannot write in this folder of another user in a box; run zotui as that user')
}

/** Where programs keep what they have fetched or built. */
function cacheVariables(folder: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: `${folder}/cache`,
    npm_config_cache: `${folder}/npm`,
    npm_config_store_dir: `${folder}/pnpm`,
    YARN_CACHE_FOLDER: `${folder}/yarn`,
    BUN_INSTALL_CACHE_DIR: `${folder}/bun`,
    GOCACHE: `${folder}/go-build`,
    GOMODCACHE: `${folder}/go-mod`,
    CARGO_HOME: `${folder}/cargo`,
    PIP_CACHE_DIR: `${folder}/pip`,
    UV_CACHE_DIR: `${folder}/uv`,
    GRADLE_USER_HOME: `${folder}/gradle`,
    NUGET_PACKAGES: `${folder}/nuget`,
  }
}
