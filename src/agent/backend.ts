import type { AttachedFile } from './attached-file.ts'
import type { AgentEvent, EventOf, MemoryFacts } from './event.ts'
import type { Judge, PermissionAnswer, PermissionMode, RunningCommand } from './permission.ts'
import type { FormValues, LoginMethod } from './session-events.ts'
import type { StartupContext, Skill } from './startup-context.ts'

/** A user's request. The text goes to the agent unchanged; `images` are base64 of the file's bytes. */
export type Prompt = {
  text: string
  /** The words that the user typed, if the text was made of them: people see these. They go into the event, not to the agent. */
  typed?: string
  /** Set if zotui wrote it, not the user. It goes into the event, not to the agent. */
  by?: 'zotui'
  images: readonly PromptImage[]
  /** Texts sent before the prompt that are not the user's words: the output of commands that they ran, and files. */
  before?: readonly string[]
  /** The files that it mentions. They go into the event, not to the agent: `before` and `images` have what is sent of them. */
  files?: readonly AttachedFile[]
  /** The conversation so far, sent first, for an agent that does not know it. */
  memory?: Memory
  /**
   * The prompt is announced at once, and sent when this has settled, because the checkpoint before it is being made. Never
   * rejects.
   */
  ready?: Promise<unknown>
}

export type Memory = { text: string; facts: MemoryFacts }

/** `path` is the source file and `sha256` the hash of its content in hex. Both go into events, not to the agent. */
export type PromptImage = { mimeType: string; data: string; path?: string; sha256?: string }

/** A model that the agent can switch to. Sizes are in tokens, null where unknown. */
export type Model = {
  id: string
  provider: string
  /** The agent's name of it for people, unsanitised; absent, '' or the id if it has none. */
  name?: string
  contextWindow: number | null
  maxOutput: number | null
  /** Whether it supports reasoning levels. */
  reasoning: boolean
  /** Whether a key for its provider was found; absent if that was not checked. */
  hasKey?: boolean
}

/**
 * Options to start an agent with. An absent option stays as it was; '' unsets it. The address stays with another provider, too. The key
 * stays with the address that it was given with, or with its provider: no other server gets it.
 */
export type StartOptions = { provider?: string; model?: string; baseUrl?: string; apiKey?: string; reasoning?: string }

/** The agent's answer to a request. A refusal says why, in words meant for the user. */
export type Reply<Value = void> = { ok: true; value: Value } | { ok: false; message: string }

/** A session that the agent keeps itself. `folder` is an absolute path, '' if unknown; `updatedAt` is in milliseconds since the Unix epoch. */
export type AgentSession = { id: string; folder: string; title: string; updatedAt: number | null }

/**
 * The agent's own session of a stored conversation, and its cost by then, if known. With `copy` the agent continues in a copy,
 * because another program has the session, or `cut` leaves out its end. `mode` is the agent's own mode that the user chose in it: the
 * session begins in it again if it is stricter than the one of `startIn`.
 */
export type OwnSession = { id: string; costUsd?: number; copy?: boolean; cut?: SessionCut; mode?: string }

/** Keeps the first `kept` prompts of a conversation and their turns. `prompts` are the texts of all prompts. */
export type SessionCut = { prompts: readonly string[]; kept: number }

/** Another process that runs the agent instead of this one. */
export type Holding = {
  /** Whether the connection to it is lost. `open` takes the conversation up again. */
  isLost: () => boolean
  /**
   * Calls `listener` with all events of the conversation when it is replaced: because it was resumed, or because another program
   * went back in it. These events are not emitted.
   */
  onRetold: (listener: (events: readonly AgentEvent[]) => void) => void
  /** The ID of the session in which the conversation is stored; null if it is not stored. */
  session: () => string | null
  /** The prompts so far that one can go back to, oldest first. */
  points: () => Promise<readonly RewindPoint[]>
  /** Continues after this many turns, in a new session. `words` is announced to all attached programs. */
  goBack: (turns: number, words: string) => Promise<Reply>
  /** Names the session. */
  rename: (title: string) => Promise<Reply>
  /** Records that files were restored, or that a checkpoint was made before the next prompt. */
  note: (event: FilesEvent) => void
}

/** A prompt that was sent, as it was typed, the first one with turn 1, and the checkpoint of the files before it. */
export type RewindPoint = { turn: number; text: string; at: number; checkpoint: string | null }

export type FilesEvent = EventOf<'checkpoint_made' | 'files_restored'>

/** A provider whose key the agent can store. The environment variable `variable` does the same. */
export type KeyProvider = { name: string; title: string; variable: string }

/** `words` say what it is and how to return from it, in a line that is shown with it. `logsOut`: it logs out, too. */
export type LoginProgram = {
  file: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  words: string
  logsOut?: true
}

/** Stores keys of providers in the agent's own store. */
export type KeyStore = {
  /** All providers whose keys it can store, the most used ones first. */
  providers: () => Promise<readonly KeyProvider[]>
  /**
   * Tries the key with the provider, and keeps it unless the provider rejects it. `file` is where it was put; `untried` says why
   * the provider could not be asked, null if it accepted the key.
   */
  keep: (provider: string, key: string) => Promise<Reply<{ file: string; untried: string | null }>>
}

/**
 * `isChosen` if the user chose it; otherwise it is the default, and a stricter one is as good. `isNow` if the user named it for this
 * start: it comes before the mode of an earlier session.
 */
export type ModeChoice = { mode: PermissionMode; isChosen: boolean; isNow?: boolean }

/** `words` begin a sentence, without its full stop. `isKnown` if zotui knows the modes of the agent. */
export type Unasked = { isKnown: boolean; words: string }

/**
 * An agent that zotui can talk to.
 *
 * Everything that happens is reported as events; nothing here throws for what an agent does or fails to do. One operation (a
 * prompt or a compaction) is in flight at a time: callers start the next one only after the promise of the last has resolved. If
 * an optional method is absent, the agent does not support it; its command is then not offered.
 */
export interface Backend {
  /** The agent's name as shown: `zot`, `demo`. */
  readonly name: string

  /** Calls `listener` for each event, in order. Returns a function that unsubscribes. */
  subscribe(listener: (event: AgentEvent) => void): () => void

  /**
   * Starts the agent. Resolves after `agent_started`, or after the `agent_ended` that says why it did not start. May be
   * called again once the agent has ended: it starts a fresh one, which remembers nothing but `session`, as with `resumeSession`.
   */
  open(session?: OwnSession): Promise<void>

  /** Sends a prompt. Resolves when the turn is over: after `turn_ended`, `prompt_refused` or `agent_ended`. */
  prompt(prompt: Prompt): Promise<void>

  /**
   * Asks the operation in flight to stop: emits `abort_requested` at once and `turn_ended` when it has stopped. Safe at any
   * time. An early abort is kept until the agent can act on it; a second one does nothing.
   */
  abort(): void

  /** Ends the agent cleanly, within a few seconds. Resolves when it is gone. */
  close(): Promise<void>

  /** Kills the agent and the processes that it started, as far as they can be reached. Resolves when it is gone. */
  kill(): Promise<void>

  /** Detaches from an agent that continues without this program, as at its exit. Absent if the agent ends with the program. */
  leave?(): Promise<void>

  /** Present where another process runs the agent, and keeps the conversation. */
  readonly holder?: Holding

  /** Whether the agent still answers, within `timeout` milliseconds. */
  ping?(timeout: number): Promise<boolean>

  /** Replaces the conversation with a summary. Resolves after `compaction_finished`, `_failed` or `_aborted`. */
  compact?(): Promise<void>
  /** Clears the agent's conversation, or begins a new session of the agent. */
  clear?(): Promise<Reply>
  listModels?(): Promise<Reply<readonly Model[]>>
  /** Lists the models of every provider that the agent knows, whether or not it could use them now. */
  listEveryModel?(): Promise<Reply<readonly Model[]>>
  /**
   * Finds the instructions and skills that the agent loads, from the files as they are now; the agent read them at its start.
   * Resolves within about a second. Without `at once` it first waits for an agent that is starting, because only its
   * answer tells which of them it loads.
   */
  reading?(when?: 'started' | 'at once'): Promise<StartupContext>
  /** Reads the instructions of a skill, as the agent would load them. A refusal completes a sentence that begins with the skill. */
  skillText?(skill: Skill): Promise<Reply<string>>
  /** Changes the options of the next `open`. Returns the options that undo the change. */
  startWith?(options: StartOptions): StartOptions
  /** The options of the next start; '' for one that is not set. */
  startOptions?(): Required<StartOptions>
  /**
   * Starts a fresh agent beside the running one, with these options and otherwise as the running one was started. Once it
   * has answered with the requested provider and model it takes over, and the end of the old one and its own start are
   * emitted. Otherwise the request is refused, nothing is emitted, and nothing changes. `session` is as in `open`.
   */
  replace?(options: StartOptions, session?: OwnSession): Promise<Reply>
  /** The agent's own program for logging in and out; it needs the terminal. */
  login?(): LoginProgram
  /** The ways to log in that the agent has told; none before it has introduced itself. Absent if there is no other than `login`. */
  loginMethods?(): readonly LoginMethod[]
  /** Lets the next start log in by one of these, with the key that it takes. The start may wait for a browser. */
  logInWith?(method: string, key: string | null): void
  /** Logs out through the protocol. The value names what will log in again by itself; '' for nothing. */
  logOut?(): Promise<Reply<string>>
  /** Absent if the agent has no store of keys, or runs on another machine. */
  readonly keys?: KeyStore
  setModel?(id: string): Promise<Reply>
  /** `level` is one of `reasoningLevels`, or '' for off. */
  setReasoning?(level: string): Promise<Reply>
  /** Sets an option of `options_changed`, which follows. A switch takes true or false. */
  setOption?(id: string, value: string | boolean): Promise<Reply>
  /** Answers a `question_asked`. `values` is null unless the answer is `given`. Emits `question_answered`. */
  answerQuestion?(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void
  /** Lists the sessions that the agent keeps itself, newest first. */
  listSessions?(): Promise<Reply<readonly AgentSession[]>>
  /** Continues one of them. The history that the agent repeats becomes events. */
  openSession?(id: string): Promise<Reply>
  /**
   * Continues in the agent's own session of this conversation, without repeated history. If the agent cannot or refuses, it
   * begins a new session. Emits `agent_session_opened`, which shows which of the two happened.
   */
  resumeSession?(session: OwnSession): Promise<Reply>
  /** Whether `resumeSession` can cut a copy. */
  readonly cutsSessions?: boolean

  /**
   * Holds every call until `judge` allows it, from the next `open` on. Absent if the agent cannot ask. Whatever the judge does
   * not decide becomes `permission_requested`, and waits for `answerPermission` without a limit of time.
   */
  judgeWith?(judge: Judge): void
  /**
   * Answers a `permission_requested`. An unknown or answered id does nothing. `by` tells whether the user or a rule answers, the
   * user by default. Emits `permission_decided`.
   */
  answerPermission?(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): void
  /**
   * Sets the mode for the agent, with the next prompt or at once. Needs no restart, and answers no pending request. Emits
   * `permission_mode_changed`.
   */
  setPermissionMode?(mode: PermissionMode): void
  /**
   * The mode to begin sessions in, for an agent with modes of its own: the one of them that does the same, from the next `open` on.
   * Without a call, one that asks. In another no prompt goes out until the user has agreed, by `startIn` or `setOption`.
   */
  startIn?(choice: ModeChoice): void
  /** Why the agent may run something without asking; null if it asks, or if the user agreed. Absent where zotui itself asks. */
  unasked?(): Unasked | null
  /** Lists the running commands and their background processes. Resolves within a second. */
  listRunning?(): Promise<readonly RunningCommand[]>
  /** Ends one of these without stopping the turn. */
  endRunning?(pid: number): Promise<Reply>
}
