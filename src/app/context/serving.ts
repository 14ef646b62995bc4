/** What this zotui lets servers for browsers do. */
import type { Device } from '../../published/outside-call.ts'

export type Serving = {
  /** Makes the secret of a server that this zotui starts: it is trusted from its first line on. The secret before is void. */
  newSecret: () => string
  /** Answers one of `AppState.serveAsks`. */
  answer: (ask: string, isYes: boolean) => void
  /**
   * True if the person has said yes to prompts of this device here, in this mode. Otherwise the person is asked, unless the answer was no
   * too often. `conversation` is `Startup.conversation`.
   */
  mayPrompt: (asked: { device: Device; conversation: number; title: string; mode: string }) => boolean
}
