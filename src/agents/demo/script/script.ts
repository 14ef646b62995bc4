/**
 * The form of a script: pure data, what a model would write and what its tools would tell, with the pauses between. All
 * times are in milliseconds at natural speed, counted from what came before.
 *
 * In texts `{model}` and `{reasoning}` stand for what is in use when the script is played.
 */
export type Script = {
  /** What to type for it. */
  name: string
  /** Other words that ask for it. */
  words: readonly string[]
  /** One line for the list of things to try. */
  about: string
  calls: readonly Call[]
  /** It does not hear an abort: only a kill ends it. */
  deaf?: true
  /** It is played, but not listed by `help`. */
  unlisted?: true
}

/** One call of the model and the tools it asked for. */
export type Call = ScriptedAnswer | Refusal

export type ScriptedAnswer = {
  /** Until the first byte; 400 if absent. */
  wait?: number
  writes: readonly Write[]
  /** The answer was cut at the longest length. */
  length?: true
  /** The stream broke with this error. With `retry`, the next call follows after that long as a new try of this one. */
  breaks?: { error: string; retry?: number }
}

/** The request failed before any answer. */
export type Refusal = { wait?: number; refused: string }

export type Write =
  /** `pace` is the time between two pieces, 28 if absent; `size` their greatest length in code points. */
  | { text: string; pace?: number; size?: number }
  | { tool: ToolUse }
  | { pause: number }
  /** A pause that lasts as long at every speed: it is there to be interrupted. */
  | { hold: number }
  /** The agent's process ends here. */
  | { crash: { code: number; lastWord: string } }

export type ToolUse = {
  name: string
  args: Readonly<Record<string, unknown>>
  /** The text of the arguments where it is not their JSON: a model that writes rubbish. */
  argsText?: string
  /** Between two pieces of the arguments; 18 if absent. */
  pace?: number
  /** What happens while it runs. */
  runs?: readonly ScriptedRun[]
  result: Result
}

export type ScriptedRun = { after: number } & (
  | { progress: string }
  /** As `hold` of a write. */
  | { hold: true }
  | { inner: InnerRun }
)

/** A call made by the tool itself, numbered from 1 within its parent. */
export type InnerRun = { call: number } & (
  | { name: string; args: Readonly<Record<string, unknown>> }
  | { progress: string }
  | { text: string; failed?: true; spends?: { input: number; output: number } }
)

/** A bash result is made of the command, of what it printed and of the time it took; the others say theirs. */
export type Result = { exit: number } | { text: string; failed?: true; after?: number }
