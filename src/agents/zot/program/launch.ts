/** Starts zot as a process. */
import { resolve } from 'node:path'
import { createProcessTransport, type ProcessOptions } from '../../transport/process.ts'
import type { Transport } from '../../transport/transport.ts'
import { zotArguments } from './options.ts'
import type { ZotOptions } from './options.ts'

export type Launch = {
  /** Path of the binary: see `locateZot`. */
  path: string
  options: ZotOptions
  /** The environment that zot inherits. Its tools, and so the model, can read all of it. */
  env: NodeJS.ProcessEnv
  /** Asks zot to talk only to who knows it; to be given to `createZotBackend` as well. */
  token?: string | undefined
  /** Sees to it that nothing of zot outlives us: see `ProcessOptions`. */
  guard?: ProcessOptions['guard']
}

const TOKEN = 'ZOTCORE_RPC_TOKEN'

/** Starts `zot rpc`. Never throws: what keeps it from starting is told by the transport's `ended`. */
export function launchZot({ path, options, env, token, guard }: Launch): Transport {
  const { cwd, ext } = options
  // zot runs in its folder, so that a missing one is an error at once; paths are still meant from where we are.
  const folder = cwd === undefined ? {} : { cwd: resolve(cwd) }
  const absolute = { ...options, ...folder, ext: ext?.map(path => resolve(path)) }
  return createProcessTransport({
    file: path,
    args: zotArguments(absolute),
    env: zotEnvironment(env, token),
    guard,
    ...folder,
  })
}

/**
 * zot's environment: ours, with the token that was asked for or none. One that we inherited, as when we run in a shell
 * that a zot started, is meant for that zot and would make the new one refuse us.
 */
export function zotEnvironment(env: NodeJS.ProcessEnv, token: string | undefined): NodeJS.ProcessEnv {
  const { [TOKEN]: _inherited, ...rest } = env
  return token === undefined ? rest : { ...rest, [TOKEN]: token }
}
