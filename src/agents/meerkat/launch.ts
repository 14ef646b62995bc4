/** Starts Meerkat as a process. */
import { mkdirSync } from 'node:fs'
import { createProcessTransport, type ProcessOptions } from '../transport/process.ts'
import type { Transport } from '../transport/transport.ts'
import { meerkatArguments, type MeerkatProgram } from './program.ts'

export type MeerkatLaunch = {
  program: Pick<MeerkatProgram, 'file' | 'args'>
  env: NodeJS.ProcessEnv
  /** The absolute folder to run in. */
  folder: string
  /** The folder with the sessions of Meerkat. */
  stateFolder: string
  /** Ensures that no process of the agent outlives zotui: see `ProcessOptions`. */
  watch?: ProcessOptions['watch']
}

/** Starts the agent. Never throws: the transport's `ended` says why it did not start. */
export function launchMeerkat({ program, env, folder, stateFolder, watch }: MeerkatLaunch): Transport {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  } catch {
    // The program then says that it cannot write there.
  }
  return createProcessTransport({
    file: program.file,
    args: meerkatArguments(program.args, { stateFolder, folder }),
    env,
    cwd: folder,
    watch,
    shortens: isEvent,
  })
}

/** Whether a line is an event, which may be shortened when it is very long. A request to run a tool may not. */
export function isEvent(beginning: string): boolean {
  return /"method"\s*:\s*"session\/(?:event|stream_event)"/.test(beginning) && !/"id"\s*:\s*"srv-/.test(beginning)
}
