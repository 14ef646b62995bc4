/**
 * The form of a script: pure data about what a model writes and what its tools print, with the pauses between. All times
 * are in milliseconds at natural speed, counted from the step before.
 *
 * In texts `{model}` and `{reasoning}` stand for those in use when the script is played.
 */
import type { EventOf, PlainEvent } from '../../../agent/event.ts'
import type { BoxWant } from '../../../agent/permission.ts'

export type Script = {
  /** The word to type for it. */
  name: string
  /** Other words and phrases that ask for it. */
  words: readonly string[]
  /** One line for the list of things to try. */
  about: string
  calls: readonly Call[]
  /** It ignores an abort: only a kill ends it. */
  ignoresAbort?: true
  /** It answers its own questions: what it shows continues without the user. */
  answersItself?: true
  /** `help` does not list it. */
  unlisted?: true
  /** What works beside its turn, each by its own steps. zot's protocol has no words for that: the demo reports it itself. */
  beside?: readonly { id: string; steps: readonly BesideStep[] }[]
}

/** A step of a task, counted from the one before. A question holds the next ones until it is answered. */
export type BesideStep = { after: number } & (
  | { reports: Omit<EventOf<'task_reported'>, 'type' | 'at' | 'id'> }
  | { does: Untimed<PlainEvent> }
  | { asks: Pick<EventOf<'question_asked'>, 'message' | 'fields'> }
)

type Untimed<Event> = Event extends { at: number } ? Omit<Event, 'at'> : never

/** One call of the model and the tools it asked for. A list is an answer with nothing else to say of it. */
export type Call = readonly ScriptedWrite[] | ScriptedAnswer | Refusal

export type ScriptedAnswer = {
  /** Until the first byte; 400 if absent. */
  wait?: number
  writes: readonly ScriptedWrite[]
  /** The answer is cut at the maximum length. */
  length?: true
  /** The stream breaks with this error. With `retry`, the next call retries this one after that time. */
  breaks?: { error: string; retry?: number }
}

/** The request fails before any answer. */
export type Refusal = { wait?: number; refused: string }

export type ScriptedWrite =
  | string
  /** `pace` is the time between two pieces, 28 if absent; `size` their greatest length in code points. */
  | { text: string; pace?: number; size?: number }
  | { tool: ToolUse }
  | { pause: number }
  /** A pause of the same length at every speed: it is there to be interrupted. */
  | { hold: number }
  /** An extension says or shows something. */
  | { extension: ExtensionFrame }
  /** The agent's process ends here. */
  | { crash: { code: number; lastWord: string } }

export type ExtensionFrame =
  | { type: 'ext_notify'; extension: string; level: 'info' | 'warn'; message: string }
  | { type: 'ext_display'; extension: string; text: string }

export type ToolUse = {
  name: string
  args: Readonly<Record<string, unknown>>
  /** The text of the arguments, if it is not their JSON: a model that writes invalid JSON. */
  argsText?: string
  /** Between two pieces of the arguments; 18 if absent. */
  pace?: number
  /** The events while it runs. */
  runs?: readonly ScriptedRun[]
  /** What the command wants beyond the sandbox in which it runs. */
  wants?: BoxWant
  result: Result
}

export type ScriptedRun = { after: number } & (
  | { progress: string }
  /** `after` is the same at every speed: it is there to be interrupted. */
  | { hold: true }
  | { inner: InnerRun }
)

/** A call that the tool makes, numbered from 1 within its parent. */
export type InnerRun = { call: number } & (
  | { name: string; args: Readonly<Record<string, unknown>> }
  | { progress: string }
  | { text: string; failed?: true; spends?: { input: number; output: number } }
)

/** A bash result is made from its command, output and time; other results are written out. */
export type Result = { exit: number } | { text: string; failed?: true; after?: number }
