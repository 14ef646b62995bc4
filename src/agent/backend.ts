import type { Ability } from './abilities.ts'
import type { AgentEvent, EventOf } from './event.ts'
import type { HeldEntry, HeldQueue, QueueChange, QueueReply } from './held-queue.ts'
import type { Judge, PermissionMode } from './permission.ts'
import type {
  Model,
  OwnSession,
  PermissionAnswer,
  Prompt,
  QuestionOutcome,
  RewindPoint,
  RunningCommand,
  Steer,
  SteerOutcome,
} from './requests.ts'
import type { FormValues, LoginMethod } from './session-events.ts'
import type { StartupContext, Skill } from './startup-context.ts'

export type {
  Memory,
  Model,
  OwnSession,
  Prompt,
  PromptImage,
  PromptResource,
  RewindPoint,
  SessionCut,
  Steer,
  SteerOutcome,
} from './requests.ts'

/**
 * Options to start an agent with. An absent option stays as it was; '' unsets it. The address stays with another provider, too. The key
 * stays with the address that it was set with, or with its provider: no other server gets it.
 */
export type StartOptions = { provider?: string; model?: string; baseUrl?: string; apiKey?: string; reasoning?: string }

/** The agent's answer to a request. A refusal says why, in words meant for the user. */
export type Reply<Value = void> = { ok: true; value: Value } | Refused
export type Refused = { ok: false; message: string }

/** A session that the agent keeps itself. `folder` is an absolute path, '' if unknown; `updatedAt` is in milliseconds since the Unix epoch. */
export type AgentSession = { id: string; folder: string; title: string; updatedAt: number | null }

/** Another process that runs the agent instead of this one. */
export type Holding = {
  /** Whether the connection to it is lost. `open` takes the conversation up again. */
  isLost: () => boolean
  /**
   * Calls `listener` with all events of the conversation when it is replaced: because it was resumed, or because another program
   * went back in it. These events are not emitted.
   */
  onResent: (listener: (events: readonly AgentEvent[]) => void) => void
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
  /** Calls the listener with the names of the devices that look at the conversation in a browser, whenever they change. */
  onWatchers: (listener: (names: readonly string[]) => void) => void
  queue: SharedQueue
}

/** The queue of the conversation, which all attached programs share. */
export type SharedQueue = {
  /** Calls the listener with the queue whenever it has changed, and first when the program attaches. */
  onChange: (listener: (queue: HeldQueue) => void) => void
  /** Calls the listener with a command that this program has to run. `change` says when it is done. */
  onRun: (listener: (entry: HeldEntry) => void) => void
  /** Null if the connection is lost. */
  change: (change: QueueChange) => Promise<QueueReply | null>
}

export type FilesEvent = EventOf<'checkpoint_made' | 'files_restored'>

/** A provider whose key the agent can store. The environment variable `variable` does the same. */
export type KeyProvider = { name: string; title: string; variable: string }

/** `words` say what it is and how to return from it, in a line that is shown with it. */
export type LoginProgram = {
  file: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  words: string
}

/** A login in the agent's own store: a key, or a subscription. `provider` and `kind` name it. */
export type StoredLogin = { provider: string; kind: 'key' | 'subscription'; title: string }

/** Stores keys of providers in the agent's own store, and removes them and other logins from it. */
export type KeyStore = {
  /** All providers whose keys it can store, the most used ones first. */
  providers: () => Promise<readonly KeyProvider[]>
  /**
   * Tries the key with the provider, and keeps it unless the provider rejects it. `file` is where it was put; `untried` says why
   * the provider could not be asked, null if it accepted the key.
   */
  keep: (provider: string, key: string) => Promise<Reply<{ file: string; untried: string | null }>>
  /** The logins in the store, and its file. */
  stored: () => Promise<Reply<{ file: string; logins: readonly StoredLogin[] }>>
  /** Removes one of them, and keeps everything else. The value is the variable that logs in to this provider anyway; '' for none. */
  forget: (login: StoredLogin) => Promise<Reply<string>>
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
 * prompt or a compaction) is in flight at a time: callers start the next one only after the promise of the last has resolved.
 * Every method is there for every agent. One that needs an ability which the agent lacks (`abilities`) changes nothing, and
 * answers that the agent does not support it, or with nothing.
 */
export interface Backend {
  /** The agent's name as shown: `zot`, `demo`. */
  readonly name: string

  /**
   * What the agent can do. Some agents report it only once they have started, so it may be another set after `agent_started`,
   * `options_changed` and `login_needed`.
   */
  readonly abilities: ReadonlySet<Ability>

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

  /**
   * Delivers words to the running turn at its next safe point. Emits `steer_delivered` there. Resolves, never rejects, once it is known what
   * became of them; at the latest with the end of the turn. Never answers a question that waits.
   */
  steer(steer: Steer): Promise<SteerOutcome>

  /** Takes a steer back. Its promise resolves as `withdrawn`, unless the agent has it already. */
  withdrawSteer(id: string): void

  /** Stops one task of `task_reported` without stopping the turn. */
  stopTask(id: string): Promise<Reply>

  /**
   * Lets the agent work in these folders, too, in this session and where it is continued: all of them, absolute. Emits `folders_changed`. Its
   * value is the reason why they hold only from the agent's next start on; null if they hold now.
   */
  setFolders(folders: readonly string[]): Promise<Reply<string | null>>

  /** Gives the agent's own session a title. */
  renameSession(title: string): Promise<Reply>

  /** Ends the agent cleanly, within a few seconds. Resolves when it is gone. */
  close(): Promise<void>

  /** Kills the agent and the processes that it started, as far as they can be reached. Resolves when it is gone. */
  kill(): Promise<void>

  /** Detaches from an agent that continues without this program, as at its exit. Ends an agent without this ability, as `kill`. */
  leave(): Promise<void>

  /** The other process that runs the agent, and keeps the conversation; null where this program runs it. */
  readonly holder: Holding | null

  /** Whether the agent still answers, within `timeout` milliseconds; null if it cannot be asked. */
  ping(timeout: number): Promise<boolean | null>

  /** Replaces the conversation with a summary. Resolves after `compaction_finished`, `_failed` or `_aborted`. */
  compact(): Promise<void>
  /** Clears the agent's conversation, or begins a new session of the agent. */
  clear(): Promise<Reply>
  listModels(): Promise<Reply<readonly Model[]>>
  /** Lists the models of every provider that the agent knows, whether or not it could use them now. */
  listEveryModel(): Promise<Reply<readonly Model[]>>
  /**
   * Finds the instructions and skills that the agent loads, from the files as they are now; the agent read them at its start.
   * Resolves within about a second. Without `at once` it first waits for an agent that is starting, because only its
   * answer says which of them it loads. Null without this ability.
   */
  reading(when?: 'started' | 'at once'): Promise<StartupContext | null>
  /**
   * Reads the instructions of a skill of `reading`, as the agent would load them. A refusal completes a sentence that begins with
   * the skill.
   */
  skillText(skill: Skill): Promise<Reply<string>>
  /** Changes the options of the next `open`. Returns the options that undo the change. */
  startWith(options: StartOptions): StartOptions
  /** The options of the next start, '' for one that is not set; none without the ability `startWith`. */
  startOptions(): StartOptions
  /**
   * Starts a fresh agent beside the running one, with these options and otherwise as the running one was started. Once it
   * has answered with the requested provider and model it takes over, and the end of the old one and its own start are
   * emitted. Otherwise the request is refused, nothing is emitted, and nothing changes. `session` is as in `open`.
   */
  replace(options: StartOptions, session?: OwnSession): Promise<Reply>
  /** The agent's own program for logging in, which needs the terminal; null without this ability. */
  login(): LoginProgram | null
  /** The ways to log in that the agent has reported; none before it has introduced itself. */
  loginMethods(): readonly LoginMethod[]
  /** Lets the next start log in by one of these, with the key that it takes. The start may wait for a browser. */
  logInWith(method: string, key: string | null): void
  /** Logs out through the protocol. The value names what will log in again by itself; '' for nothing. */
  logOut(): Promise<Reply<string>>
  /** Null if the agent has no store of keys, or runs on another machine. */
  readonly keys: KeyStore | null
  setModel(id: string): Promise<Reply>
  /** `level` is one of `reasoningLevels`, or '' for off. */
  setReasoning(level: string): Promise<Reply>
  /** Sets an option of `options_changed`, which follows. A switch takes true or false. */
  setOption(id: string, value: string | boolean): Promise<Reply>
  /** Answers a `question_asked`. `values` is null unless the answer is `given`. Emits `question_answered`. */
  answerQuestion(id: string, values: FormValues | null, how: QuestionOutcome): void
  /** Lists the sessions that the agent keeps itself, newest first. */
  listSessions(): Promise<Reply<readonly AgentSession[]>>
  /** Continues one of them. The history that the agent repeats becomes events. */
  openSession(id: string): Promise<Reply>
  /**
   * Continues in the agent's own session of this conversation, without repeated history. If the agent cannot or refuses, it
   * begins a new session. Emits `agent_session_opened`, which shows which of the two happened. An agent with the ability
   * `cutSessions` can continue in a copy without its end.
   */
  resumeSession(session: OwnSession): Promise<Reply>

  /**
   * Holds every call until `judge` allows it, from the next `open` on. Whatever the judge does not decide becomes
   * `permission_requested`, and waits for `answerPermission` without a limit of time.
   */
  judgeWith(judge: Judge): void
  /**
   * Answers a `permission_requested`. An unknown or answered id does nothing. `by` says whether the user or a rule answers, the
   * user by default. Emits `permission_decided`.
   */
  answerPermission(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): void
  /**
   * Sets the mode for the agent, with the next prompt or at once. Needs no restart, and answers no pending request. Emits
   * `permission_mode_changed`.
   */
  setPermissionMode(mode: PermissionMode): void
  /**
   * The mode to begin sessions in, for an agent with modes of its own: the one of them that does the same, from the next `open` on.
   * Without a call, one that asks. In another no prompt goes out until the user has agreed, by `startIn` or `setOption`.
   */
  startIn(choice: ModeChoice): void
  /** Why an agent with modes of its own (`startIn`) may run something without asking; null if it asks, or if the user agreed. */
  unasked(): Unasked | null
  /** Lists the running commands and their background processes. Resolves within a second. */
  listRunning(): Promise<readonly RunningCommand[]>
  /** Ends one of the commands of `listRunning` without stopping the turn. */
  endRunning(pid: number): Promise<Reply>
}
