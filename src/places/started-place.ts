/** A place to work in that zotui has started itself: a container, or a Job of Kubernetes. */
import type { Target } from '../platform/remote/target.ts'

export type StartedPlace = {
  /** For the person, such as `job:big/zotui-7f3a`. Not sanitised. */
  name: string
  /** How a shell is started in it. It changes when the cluster has replaced a pod. */
  target: () => Target
  /** The value of `--on` that comes back to this place, instead of starting another one. */
  again: string
  /** After a lost connection: waits until a shell can be started there again. Resolves to why it cannot, as a sentence; null if it can. */
  comeBack: (signal: AbortSignal) => Promise<string | null>
  /** Ends it for good, as the template says. Never rejects; resolves to what was left running, as a sentence; null for nothing. */
  end: () => Promise<string | null>
  /** Called at the exit of the process: what can be asked for without waiting. */
  leave: () => void
}

export type PlaceStart = {
  /** The folder of the person, absolute. */
  folder: string
  /** What happens, in a few words: `pulling the image`, `waiting for a node`. Not sanitised. */
  progress: (words: string) => void
  signal: AbortSignal
  env: NodeJS.ProcessEnv
  /** The folder of the person's own settings, with the templates. */
  configFolder: string
  stateFolder: string
}

/** Starts a place, or finds the one that `--on` names. @throws UserError with exit code 2 for what the person can mend. */
export type OpenStartedPlace = (words: string, start: PlaceStart) => Promise<StartedPlace>
