import type { AgentEvent, MemoryFacts } from './event.ts'
import type { StartupContext, Skill } from './startup-context.ts'

/** What a person asks for. The text goes to the agent as it is; `images` are base64 of the file's bytes. */
export type Prompt = {
  text: string
  images: readonly PromptImage[]
  /** What goes before the text and is not the person's words: the output of commands that they ran. */
  before?: readonly string[]
  /** What goes before all else: the conversation so far, for an agent that has not heard it. */
  memory?: Memory
}

export type Memory = { text: string; facts: MemoryFacts }

/** `path` is the file that it is from, `sha256` the hash of what is in it, in hex: what is told of it, and not to the agent. */
export type PromptImage = { mimeType: string; data: string; path?: string; sha256?: string }

/** A model that the agent can switch to. Sizes are in tokens, null where unknown. */
export type Model = {
  id: string
  provider: string
  contextWindow: number | null
  maxOutput: number | null
  /** Whether a reasoning level means anything to it. */
  reasoning: boolean
  /** Whether a key for its provider was found; left out where nobody looked. */
  hasKey?: boolean
}

/** What an agent is started with. What is left out stays as it was, and '' is without it. */
export type StartOptions = { provider?: string; model?: string; baseUrl?: string; apiKey?: string; reasoning?: string }

/** The agent's answer to a wish: it can refuse, and then says why in words meant for the person. */
export type Reply<Value = void> = { ok: true; value: Value } | { ok: false; message: string }

/**
 * An agent that zotui can talk to.
 *
 * What happens is told as events; nothing here throws for what an agent does or fails to do. One operation (a prompt or a
 * compaction) is in flight at a time: callers start the next one only after the promise of the last has resolved.
 * An absent optional method is an absent ability, and its command is then not offered.
 */
export interface Backend {
  /** The agent's name as shown: `zot`, `demo`. */
  readonly name: string

  /** Calls `listener` for each event, in order; returns how to stop that. */
  subscribe(listener: (event: AgentEvent) => void): () => void

  /**
   * Starts the agent. Resolves after `agent_started`, or after the `agent_ended` that says why not. May be called again
   * once the agent has ended: it starts a fresh one, which remembers nothing.
   */
  open(): Promise<void>

  /** Sends a prompt. Resolves when the turn is over: after `turn_ended`, `prompt_refused` or `agent_ended`. */
  prompt(prompt: Prompt): Promise<void>

  /**
   * Asks the operation in flight to stop: `abort_requested` at once, `turn_ended` when it did. Safe at any time; early, it
   * is kept until the agent can hear it; twice, the second does nothing.
   */
  abort(): void

  /** Ends the agent in good order, in a few seconds at most; resolves when it is gone. */
  close(): Promise<void>

  /** Ends the agent at once, and what it started as far as that can be reached. Resolves when it is gone. */
  kill(): Promise<void>

  /** Whether the agent still answers, within `timeout` milliseconds. */
  ping?(timeout: number): Promise<boolean>

  /** Replaces the conversation by a summary of it. Resolves after `compaction_finished`, `_failed` or `_aborted`. */
  compact?(): Promise<void>
  /** Makes the agent forget the conversation. */
  clear?(): Promise<Reply>
  listModels?(): Promise<Reply<readonly Model[]>>
  /** The models of every provider that the agent knows of, whether or not it could use them now. */
  listEveryModel?(): Promise<Reply<readonly Model[]>>
  /**
   * What the agent reads by itself of the files as they are now: it read them when it was started. Resolves in about a second
   * at most, and, unless it is wanted `at once`, not before an agent that is being started has answered: only then is it known
   * what that reads.
   */
  reading?(when?: 'started' | 'at once'): Promise<StartupContext>
  /** The instructions of a skill, as the agent would load them. A refusal ends a sentence that begins with the skill. */
  skillText?(skill: Skill): Promise<Reply<string>>
  /** What the next `open` starts it with instead; returns what brings it back. */
  startWith?(options: StartOptions): StartOptions
  /**
   * Starts a fresh agent beside the one that runs, with what is given and else as that one was. Once it has answered, as what
   * was asked for, it takes over: the end of the former is told, and its own start. Where it does not, it is refused, nothing
   * is told, and nothing has changed.
   */
  replace?(options: StartOptions): Promise<Reply>
  /** The agent's own program in which a person logs in and out; it needs the terminal. */
  readonly login?: { file: string; args: readonly string[]; env: NodeJS.ProcessEnv }
  setModel?(id: string): Promise<Reply>
  /** `level` is one of `reasoningLevels`, or '' for off. */
  setReasoning?(level: string): Promise<Reply>
}
