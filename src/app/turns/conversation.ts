/**
 * Who says what next: prompts, the queue, and what follows each. One operation is in flight at a time; whatever comes
 * meanwhile waits in zotui's queue, never in the agent's own.
 */
import type { Prompt, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { sessionEntries } from '../../conversation/session.ts'
import type { Turn } from '../../conversation/state.ts'
import { createAfterTurn } from './after-turn.ts'
import { createAgentLifecycle, type AgentLifecycle } from './agent-lifecycle.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import { expand } from '../../state/chips.ts'
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
  /** Runs a slash command, or queues it while the agent works and it cannot do with that. */
  command: (name: CommandName, argument?: string) => void
  queue: PromptQueue
  /** Stops what goes on, and shows at once that it was asked for: a second press then does nothing. */
  abort: () => void
  nextReasoning: () => void
  help: () => void
  killAndRestart: () => void
  /** A fresh agent, which is told the conversation with the next prompt. */
  restart: () => Promise<void>
  /** Makes the agent forget what it was told; false where it does not. What is said meanwhile waits. */
  forget: () => Promise<boolean>
  /** In one line, what the agent will be told of the conversation and what not; empty where it has heard all. */
  memoryLine: () => string
  /** Whether the agent is being ended for another one, which gets what is said meanwhile. */
  isExchanged: () => boolean
  /** Called with what was just folded. */
  told: (events: readonly AgentEvent[]) => void
}

/** What was sent last: for those who send it again, it is more than the screen shows. */
type Sent = {
  text: string
  before: readonly string[]
  images: Prompt['images']
  /** Which conversation it belongs to: see `AppState.restored`. */
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
  /** Makes what runs slash commands. */
  createCommands: (work: CommandWork) => CommandRunner
  /** Puts a text into the composer, which is empty. */
  writeDraft: (text: string) => void
}

/** One that ends again as soon as it was started is not started again by itself. */
const RESTART_PAUSE = 30_000

export function createTurns(parts: TurnsParts): Turns {
  const { context, batcher, shell, choicePrompt } = parts
  const { backend, state, dispatch, announce, hint, commands } = context
  let sent: Sent | null = null
  let operating = false
  /** Prompts that are being made of files. */
  let making = 0
  let restartedAt = Number.NEGATIVE_INFINITY

  const life = createAgentLifecycle(context, batcher)
  const models = createModels(context, batcher, life)
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
    restart: options => heldFor(() => life.exchange(options)),
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
    killAndRestart: () => void heldFor(() => life.startAgain('kill')),
    restart,
    forget,
    memoryLine: life.memoryLine,
    told,
    isExchanged: life.isExchanged,
  }

  function begin(prompt: string | null): void {
    void open()
    batcher.flush()
    // It goes before what an earlier program left.
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

  /** With what the agent has to be told besides. */
  function whole(prompt: Sent): Prompt {
    const memory = life.memory()
    return memory ? { ...prompt, memory } : prompt
  }

  /** What follows an operation: the next in the queue, unless something went wrong. */
  async function operate(operation: Promise<void>): Promise<void> {
    await perform(operation)
    takeBackOutputs()
    await after.next()
  }

  async function perform(operation: Promise<void> | undefined): Promise<void> {
    // That it began must be known at once: a second one now would be one too many.
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

  /** What an agent did not take goes with the next prompt. */
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
    await context.naming.during(entryText(commandEntry(name, argument)), () => run(name, argument))
    // One that was an operation of the agent has gone on by itself.
    if (isFree()) queue.drain(true)
  }

  function command(name: CommandName, argument = ''): void {
    const row = commands().find(each => each.name === name)
    if (row?.kind !== 'built-in') return hint(`This agent cannot do /${name}.`)
    if (!row.needsIdle || !isBusy(state())) return void runAndDrain(name, argument)
    // A list that opens later would open in the middle of typing. What is chosen in it can wait.
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
      return announce('warn', 'That prompt had images, which are not kept: attach them again.')
    if (!limit.asksFirst()) void deliver({ ...sent, before: [...sent.before, ...shell.takeOutputs()] })
  }

  /** Of this session: what was cleared is not sent again. */
  function lastTurn(): Turn | undefined {
    return sessionEntries(state().chat).findLast(entry => entry.kind === 'turn')
  }

  /** An agent that has heard nothing, whatever becomes of it: what the one that was there remembers holds no more. */
  function restart(): Promise<void> {
    return heldFor(() => life.startAgain('close'))
  }

  /** What waits is held: it was meant for the agent that is no more. */
  async function heldFor(change: () => Promise<void>): Promise<void> {
    queue.pause()
    dispatch({ type: 'hinted', hint: null })
    await change()
    queue.drain(state().chat.agent.phase === 'ready')
  }

  function told(events: readonly AgentEvent[]): void {
    limit.watch(events)
    models.told(events)
    // What the person ran was for the conversation that is no more.
    if (events.some(event => event.type === 'conversation_cleared')) shell.takeOutputs()
    const fell = events.findLast(event => event.type === 'agent_ended')
    if (fell?.type !== 'agent_ended' || fell.expected || operating || life.isChanging()) return
    if (fell.at - restartedAt < RESTART_PAUSE) return after.offerRestart(false)
    // Nobody waits for it: it is there again before the next prompt.
    restartedAt = fell.at
    void restart()
  }
}
