/**
 * Prompts, the queue, and what follows a turn. One operation is in flight at a time; later prompts wait in zotui's queue,
 * never in the agent's own.
 */
import type { Prompt, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { sessionEntries } from '../../conversation/session.ts'
import type { Turn } from '../../conversation/state.ts'
import { createAfterTurn } from './after-turn.ts'
import { createAgentLifecycle, type AgentLifecycle } from './agent-lifecycle.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import { expand, withPaths } from '../../state/chips.ts'
import type { AppContext } from '../context/context.ts'
import { createCostLimit } from './cost-limit.ts'
import { createQueuedInput } from './queued-input.ts'
import type { EventBatcher } from '../events/batcher.ts'
import { createModels, type Models } from './models.ts'
import { createQueue, type PromptQueue } from './queue.ts'
import { createReasoning, type Reasoning } from './reasoning.ts'
import type { ShellCommand } from './shell-command.ts'
import { sentence } from '../../text/sentence.ts'
import type { CommandName } from '../../state/slash.ts'
import { commandEntry, entryOf, entryText, promptEntry, type QueueEntry } from '../../state/queue-entry.ts'
import { isBusy } from '../../state/state.ts'

export type Turns = {
  /** Starts the agent, and sends `prompt` as soon as it is ready. */
  begin: (prompt: string | null) => void
  /** Sends a prompt, or queues it while the agent works. */
  say: (entry: QueueEntry) => void
  /** Runs a slash command, or queues it if it needs an idle agent. */
  command: (name: CommandName, argument?: string) => void
  queue: PromptQueue
  /** Stops the open turn, and shows that at once: a second press then does nothing. */
  abort: () => void
  nextReasoning: () => void
  help: () => void
  killAndRestart: () => void
  /**
   * Starts a fresh agent, which gets a summary of the conversation with the next prompt. `onTaken` is called when it has taken over,
   * or when no agent runs that it could replace; not if it did not start, and nothing changed.
   */
  restart: (onTaken?: () => void) => Promise<void>
  /** Makes the agent forget the conversation; false if it does not. Prompts wait meanwhile. */
  forget: () => Promise<boolean>
  /** One line on how much of the conversation the agent will get; empty if it knows all of it. */
  memoryLine: () => string
  /** Whether the agent is being replaced by another, which gets the prompts that are sent meanwhile. */
  isExchanged: () => boolean
  /** Called with the events that were just folded. */
  told: (events: readonly AgentEvent[]) => void
}

/** The last prompt as it was sent, which is more than the screen shows. */
type Sent = {
  text: string
  before: readonly string[]
  images: Prompt['images']
  /** The number of its conversation: see `AppState.restored`. */
  conversation: number
}

/** The parts of a turn that slash commands work with. */
export type CommandWork = {
  life: AgentLifecycle
  models: Models
  queue: PromptQueue
  reasoning: Reasoning
  /** Runs a command as if it had been typed. */
  command: (name: CommandName, argument?: string) => void
  retry: () => void
  say: (entry: QueueEntry) => void
  restart: (options: StartOptions) => Promise<void>
  forget: () => Promise<boolean>
  compact: () => Promise<void> | undefined
}

export type CommandRunner = {
  run: (name: CommandName, argument: string) => Promise<void>
  help: () => void
}

export type TurnsParts = {
  context: AppContext
  batcher: EventBatcher
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  choicePrompt: ChoicePrompt
  /** Creates the runner of slash commands. */
  createCommands: (work: CommandWork) => CommandRunner
  /** Puts a text into the composer, which is empty. */
  writeDraft: (text: string) => void
}

/** Milliseconds: an agent that ends sooner after a restart is not restarted by itself. */
const RESTART_PAUSE = 30_000

export function createTurns(parts: TurnsParts): Turns {
  const { context, batcher, shell, choicePrompt } = parts
  const { backend, state, dispatch, announce, hint, commands } = context
  let sent: Sent | null = null
  let operating = false
  /** Prompts that are being made from files. */
  let making = 0
  let restartedAt = Number.NEGATIVE_INFINITY

  const life = createAgentLifecycle(context, batcher)
  const models = createModels({ context, batcher, life, choicePrompt })
  const queue = createQueue(context, {
    send: entry => entries.run(entry),
    abort,
    mustAsk: () => limit.asksFirst(),
  })
  const limit = createCostLimit({
    context,
    queue,
    choicePrompt,
    abort,
    resume: () => say(promptEntry('Go on where you stopped.')),
  })
  const reasoning = createReasoning(context, batcher, queue)
  const { run, help } = parts.createCommands({
    life,
    models,
    queue,
    reasoning,
    command,
    retry,
    say,
    restart: options => models.withKey(options.provider, () => heldFor(() => life.exchange(options))),
    forget,
    compact: () => backend.compact && operate(backend.compact()),
  })
  const entries = createQueuedInput({
    context,
    queue,
    isFree,
    alone,
    send,
    runCommand: (name, argument) => void runAndDrain(name, argument),
  })
  const after = createAfterTurn({
    context,
    queue,
    choicePrompt,
    limit,
    ways: {
      compact: () => perform(backend.compact?.()),
      resend: async () => (sent ? perform(backend.prompt(whole(sent))) : undefined),
      retry,
      pickModel: () => command('model'),
      pickProvider: () => void models.pickElsewhere(),
      login: () => command('login'),
      editPrompt: () => parts.writeDraft(sent?.text ?? ''),
      restart: () => restart(),
    },
  })

  return {
    begin,
    say,
    command,
    queue,
    abort,
    nextReasoning: reasoning.next,
    help,
    killAndRestart: () => void heldFor(() => life.killAndStart()),
    restart,
    forget,
    memoryLine: life.memoryLine,
    told,
    isExchanged: life.isExchanged,
  }

  function begin(prompt: string | null): void {
    void open()
    batcher.flush()
    // It goes before the queue of an earlier program.
    if (prompt !== null) queue.sendNow(prompt.trim() === '' ? null : entryOf(prompt, commands()))
  }

  function say(entry: QueueEntry): void {
    // A prompt that is sent while the agent is replaced is for the new one.
    if (!isFree()) return queue.add(entry)
    if (limit.wasReached()) {
      queue.add(entry)
      return limit.ask()
    }
    entries.run(entry)
    context.drafts.flush()
  }

  function abort(): void {
    backend.abort()
    batcher.flush()
  }

  function send(text: string): void {
    const conversation = state().restored.times
    void deliver({ ...expand(text, state().chips), before: shell.takeOutputs(), conversation })
  }

  async function deliver(prompt: Sent): Promise<void> {
    sent = prompt
    await operate(backend.prompt(whole(prompt)))
  }

  /** The prompt, with a summary of the conversation if the agent needs one. */
  function whole(prompt: Sent): Prompt {
    const memory = life.memory()
    return memory ? { ...prompt, memory } : prompt
  }

  /** Runs an operation, and then what follows it: the next in the queue, unless something went wrong. */
  async function operate(operation: Promise<void>): Promise<void> {
    await perform(operation)
    takeBackOutputs()
    await after.next()
  }

  async function perform(operation: Promise<void> | undefined): Promise<void> {
    // Flushed, so that the state shows at once that it has begun, and no second one begins.
    operating = true
    batcher.flush()
    await operation
    batcher.flush()
    operating = false
  }

  async function forget(): Promise<boolean> {
    operating = true
    const reply = await backend.clear?.()
    batcher.flush()
    operating = false
    if (reply?.ok === false) announce('error', sentence(reply.message))
    if (state().chat.agent.phase === 'ended') after.offerRestart(false)
    return reply?.ok === true
  }

  /** Shell outputs of a prompt that was refused go with the next prompt. */
  function takeBackOutputs(): void {
    const last = state().chat.entries.findLast(entry => entry.kind === 'turn')
    if (last?.kind !== 'turn' || last.outcome !== 'refused' || !sent) return
    shell.giveBack(sent.before)
    sent = { ...sent, before: [] }
  }

  async function open(): Promise<void> {
    await life.open()
    queue.drain(state().chat.agent.phase === 'ready')
  }

  async function alone<Value>(work: Promise<Value>): Promise<Value> {
    making += 1
    try {
      return await work
    } finally {
      making -= 1
    }
  }

  function isFree(): boolean {
    return !isBusy(state()) && !operating && making === 0 && !life.isExchanged() && state().leaving === null
  }

  async function runAndDrain(name: CommandName, argument: string): Promise<void> {
    const line = withPaths(entryText(commandEntry(name, argument)), state().chips)
    await context.naming.during(line, () => run(name, argument))
    // A command that was an operation of the agent has drained the queue already.
    if (isFree()) queue.drain(true)
  }

  function command(name: CommandName, argument = ''): void {
    const row = commands().find(each => each.name === name)
    if (row?.kind !== 'built-in') return hint(`This agent cannot do /${name}.`)
    if (!row.needsIdle || !isBusy(state())) return void runAndDrain(name, argument)
    // The list opens now, since later it would open while one types. The choice can wait.
    if (name === 'model' && argument === '') return void models.pick()
    queue.add(commandEntry(name, argument))
  }

  function retry(): void {
    const { chat } = state()
    const turn = lastTurn()
    if (!turn) return announce('info', 'There is no prompt to send again yet.')
    if (chat.agent.phase !== 'ready') return announce('warn', 'The agent is not running.', '/restart starts it again.')
    const { times } = state().restored
    if (sent?.conversation !== times) sent = { text: turn.prompt, before: [], images: [], conversation: times }
    if (sent.images.length < turn.images.length)
      return announce('warn', 'That prompt had images, which are not stored: attach them again.')
    if (!limit.asksFirst()) void deliver({ ...sent, before: [...sent.before, ...shell.takeOutputs()] })
  }

  /** The last turn of this session; turns before /clear are not sent again. */
  function lastTurn(): Turn | undefined {
    return sessionEntries(state().chat).findLast(entry => entry.kind === 'turn')
  }

  function restart(onTaken?: () => void): Promise<void> {
    return heldFor(() => life.exchange({}, onTaken))
  }

  /** Holds the queue, which was meant for the agent that is replaced. */
  async function heldFor(change: () => Promise<void>): Promise<void> {
    queue.pause()
    dispatch({ type: 'hinted', hint: null })
    await change()
    queue.drain(state().chat.agent.phase === 'ready')
  }

  function told(events: readonly AgentEvent[]): void {
    limit.watch(events)
    models.told(events)
    // Shell outputs belong to the conversation that was cleared.
    if (events.some(event => event.type === 'conversation_cleared')) shell.takeOutputs()
    const fell = events.findLast(event => event.type === 'agent_ended')
    if (fell?.type !== 'agent_ended' || fell.expected || operating || life.isChanging()) return
    if (fell.at - restartedAt < RESTART_PAUSE) return after.offerRestart(false)
    // An idle agent that ended is restarted, so that it is ready before the next prompt.
    restartedAt = fell.at
    void restart()
  }
}
