/**
 * The box for a command of the agent that may do more than read: it can write the project, and nothing else of the person. It has a home
 * folder of its own, in which the person's tool chains are seen, and the network that the conversation allows, or none.
 */
import { statSync } from 'node:fs'
import process from 'node:process'
import type { CommandBox } from '../platform/shell/run.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { bubblewrapBox, seatbeltBox } from './command-box.ts'
import { writeProfile } from './seatbelt.ts'
import { opensBox } from './open-boxes.ts'
import { boxMakerHere } from './working-box.ts'
import { writePolicy, type WritePlace } from './write-places.ts'
import { writeArguments, type WritePolicy } from './write-policy.ts'

/**
 * `enter` is a program, with its arguments, that runs another one in the network of a conversation; `env` is what leads to it. `port` is that of
 * its proxy where the network is the machine's own.
 */
type EnteredNetwork = { enter: readonly string[]; env: Record<string, string>; port?: number }

/**
 * Makes the box for one command. Without a network nothing can be reached.
 *
 * @throws an error of one line, with the reason and what to do, where there is none: then nothing may run.
 */
export async function writeBox(place: WritePlace, network: EnteredNetwork | null): Promise<CommandBox> {
  const maker = await boxMakerHere(place)
  assertReachable(place.folder)
  const policy = writePolicy(place)
  const env = {
    ...cleanEnvironment(place.env, { isWriting: true }),
    ...(network?.env ?? NO_RETRIES),
    ...place.agent?.env,
  }
  const box =
    maker.kind === 'seatbelt'
      ? seatbeltBox(maker, writeProfile(policy, network?.port ?? null), { ...env, ...foldersOf(policy) })
      : bubblewrapBox(maker, {
          policy: writeArguments(policy, { hasNetwork: network !== null }),
          sockets: true,
          env,
          enter: network?.enter ?? [],
        })
  return { ...box, opens: () => opensBox(policy.places) }
}

/** Without a network package managers need not try again: npm does so for a minute. */
const NO_RETRIES = { npm_config_fetch_retries: '0', PIP_RETRIES: '0', CARGO_NET_RETRY: '0' }

/** Without mounts, variables lead to the folders of the box. */
function foldersOf({ own, copies }: WritePolicy): NodeJS.ProcessEnv {
  const temporary = own.find(({ path }) => path === '/tmp')
  const home = own.find(({ path }) => path !== '/tmp' && !path.endsWith('/.cache') && !path.endsWith('/.npm'))
  const [settings] = copies
  return {
    ...(temporary && { TMPDIR: temporary.from }),
    ...(home && { HOME: home.from }),
    ...(settings && { GIT_CONFIG_GLOBAL: settings.from }),
  }
}

/** In a box root has no rights over the files of others. */
function assertReachable(folder: string): void {
  const stats = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  if (stats && stats.uid !== 0 && (stats.mode & 0o007) !== 0o007)
    throw new Error('root cannot write in this folder of another user in a box; run zotui as that user')
}
