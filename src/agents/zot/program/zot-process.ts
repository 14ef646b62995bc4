/** Starts `zot rpc` as a process. */
import { resolve } from 'node:path'
import { createProcessTransport, type ProcessOptions } from '../../transport/process.ts'
import type { Transport } from '../../transport/transport.ts'
import { mayBeShortened } from '../long-results.ts'
import { zotArguments } from './options.ts'
import type { ZotOptions } from './options.ts'

export type Launch = {
  /** Path of the binary: see `locateZot`. */
  path: string
  options: ZotOptions
  /** zot's environment. Its tools, and so the model, can read all of it. */
  env: NodeJS.ProcessEnv
  /** A token that zot then demands in the handshake; give it to `createZotBackend` as well. */
  token?: string | undefined
  /** Ensures that no process of zot outlives zotui: see `ProcessOptions`. */
  watch?: ProcessOptions['watch']
}

const TOKEN = 'ZOTCORE_RPC_TOKEN'

/** Starts `zot rpc`. Never throws: the transport's `ended` says why it did not start. */
export function launchZot({ path, options, env, token, watch }: Launch): Transport {
  const { cwd, ext } = options
  // zot runs in its folder, so that a missing one is an error at once; other paths are relative to ours.
  const folder = cwd === undefined ? {} : { cwd: resolve(cwd) }
  const absolute = { ...options, ...folder, ext: ext?.map(path => resolve(path)) }
  return createProcessTransport({
    file: path,
    args: zotArguments(absolute),
    env: zotEnvironment(env, token),
    watch,
    shortens: mayBeShortened,
    ...folder,
  })
}

/**
 * Makes zot's environment: ours, with this token or none. A token that we inherited, in a shell that a zot started, belongs
 * to that zot and would make the new one refuse us.
 */
export function zotEnvironment(env: NodeJS.ProcessEnv, token: string | undefined): NodeJS.ProcessEnv {
  const { [TOKEN]: _inherited, ...rest } = env
  return token === undefined ? rest : { ...rest, [TOKEN]: token }
}
