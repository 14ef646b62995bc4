/** Starts an agent as a process. */
import { createProcessTransport, type ProcessOptions } from '../transport/process.ts'
import { boxStdio, type CommandBox } from '../../platform/shell/run.ts'
import type { Transport } from '../transport/transport.ts'
import type { AgentProgram } from './find-agent.ts'

export type AcpLaunch = {
  agent: AgentProgram
  /** The agent's environment. Its tools, and so the model, can read all of it. */
  env: NodeJS.ProcessEnv
  /** The absolute folder to run in. */
  folder: string
  /** The box that holds the whole agent; null for none. */
  box?: CommandBox | null
  /** Ensures that no process of the agent outlives zotui: see `ProcessOptions`. */
  watch?: ProcessOptions['watch']
}

/** Starts the agent. Never throws: the transport's `ended` says why it did not start. */
export function launchAcp({ agent, env, folder, watch, box = null }: AcpLaunch): Transport {
  const opened = box?.opens?.()
  const transport = createProcessTransport({
    file: agent.file,
    args: agent.args,
    env,
    cwd: folder,
    watch,
    wrapper: box && { ...box, stdio: boxStdio(box, []) },
    shortens: mayBeShortened,
  })
  if (opened) void transport.ended.then(opened)
  return transport
}

/** Whether a line is an update. Nothing of a request may be omitted, because the user decides by its content. */
export function mayBeShortened(beginning: string): boolean {
  return /"method"\s*:\s*"session\/update"/.test(beginning) && !/"id"\s*:/.test(beginning)
}
