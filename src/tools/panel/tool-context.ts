import type { Theme } from '../../style/theme.ts'
import type { KeyNames } from '../../text/key-hints.ts'

/** The detail of a panel: `names` is only the title, `short` the important part, `full` everything within reason. */
export type Detail = 'names' | 'short' | 'full'

/** The display of a call: its width, its detail and its bounds. */
export type ToolContext = {
  theme: Theme
  width: number
  /** Milliseconds since the Unix epoch, for the elapsed time of what runs. */
  now: number
  /** Rows below the title while the call is open, and of a finished call that is not shown in full. */
  maxBody: number
  /** Default: `short`. */
  detail?: Detail
  /**
   * The rows of a user's own command: `all` of them if there are no more, otherwise `end` rows from its end. `isPartial` if some
   * of its output is gone.
   */
  asked?: { all: number; end: number; isPartial?: boolean }
  /** What the user typed before a command of their own: its title stands on a band, as all that the user said. */
  own?: '!' | '!!'
  /** The keys that hints name. */
  keyNames?: KeyNames
  /** With `full`, shows everything without a limit. */
  whole?: boolean
  /** The absolute path of the agent's folder: paths in it are shown without it. */
  folder?: string | undefined
  /** The state of output that is not in memory: it is being loaded, or is not stored. */
  rest?: 'reading' | 'missing'
}
