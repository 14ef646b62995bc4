/** Builds the parts that send prompts and change the agent, around the one machine that decides what follows what. */
import type { AgentEvent } from '../../agent/event.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { unpromptedWords } from '../../conversation/queries/shown-prompt.ts'
import type { Composing } from '../composer/composing.ts'
import type { MentionReader } from '../mentions/mention-reader.ts'
import type { EventBatcher } from '../events/batcher.ts'
import { commandEntry } from '../../state/composer/queue-entry.ts'
import { entryOf } from '../../state/composer/typed-entry.ts'
import type { Ability } from '../../agent/abilities.ts'
import type { AfterPrompt } from '../../turn/machine.ts'
import { inputsOf } from '../../turn/seen.ts'
import { AgentLifecycle } from './agent/agent-lifecycle.ts'
import { AgentMemory } from './agent/agent-memory.ts'
import { followLogins } from './agent/asked-login.ts'
import { createKeys, type Keys } from './agent/keys.ts'
import { createModels, type Models } from './agent/models.ts'
import { createReasoning, type Reasoning } from './agent/reasoning.ts'
import { createSharing } from './agent/sharing.ts'
import { createCommandRunner, type CommandRunner } from './command-runner.ts'
import { createAnswerUse, type AnswerUse, type OfferFindings } from './answer-use.ts'
import { createCommitDraft } from './commit-draft.ts'
import { Delivery } from './delivery.ts'
import { Offers } from './offers.ts'
import { HeldQueueView } from './queue/held-queue.ts'
import { CostLimit } from './queue/cost-limit.ts'
import { Preparing } from './queue/preparing.ts'
import { PromptQueue } from './queue/queue.ts'
import { PlanLimits } from './plan-limits.ts'
import { AgentRequests } from './agent-requests.ts'
import type { ShellCommand } from './shell-command.ts'
import { createTurnCheckpoints, type TurnCheckpoints } from './turn-checkpoints.ts'
import { Steering } from './steering.ts'
import { MachineKeeper, type Performers } from './turn-machine.ts'

export type TurnsParts = {
  context: AppContext
  batcher: EventBatcher
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  choicePrompt: ChoicePrompt
  composing: Pick<Composing, 'edit' | 'giveBack'>
  mentions: MentionReader
  offerFindings: OfferFindings
}

/** Abilities that only a started agent has: their commands wait for it. */
const ofStartedAgent: ReadonlySet<Ability> = new Set(['clear', 'compact', 'setModel', 'setReasoning'])

export class Turns {
  /** Says what the agent is doing, and takes requests to it. */
  readonly machine: MachineKeeper
  /** Runs slash commands, once their effects are defined. */
  readonly runner: Pick<CommandRunner, 'define'>
  readonly queue: PromptQueue
  readonly life: AgentLifecycle
  readonly memory: AgentMemory
  readonly files: TurnCheckpoints
  readonly limit: CostLimit
  /** `/login` and `/logout`. */
  readonly keys: Keys
  readonly models: Models
  readonly reasoning: Reasoning
  readonly #parts: TurnsParts
  readonly #runner: CommandRunner
  readonly #offers: Offers
  readonly #steering: Steering
  readonly #plan: PlanLimits
  #isOwnTurn = false

  constructor(parts: TurnsParts) {
    this.#parts = parts
    const { context, batcher, choicePrompt, composing, shell, mentions, offerFindings } = parts
    this.limit = new CostLimit(context)
    const { holder } = context.backend
    const held = holder ? new HeldQueueView(context, holder.queue, { batcher, shell, composing }) : null
    this.machine = new MachineKeeper({ context, limit: this.limit, held })
    const { machine } = this
    held?.connect(machine)
    this.#plan = new PlanLimits(context, machine)
    this.#runner = createCommandRunner({
      context,
      composing,
      onDone: () => machine.send({ type: 'command_done' }),
    })
    this.runner = this.#runner
    this.memory = new AgentMemory(context)
    const askToShare = createSharing({ context, batcher, choicePrompt })
    this.life = new AgentLifecycle({ context, batcher, machine, memory: this.memory, askToShare })
    this.queue = new PromptQueue(context, machine, held)
    this.files = createTurnCheckpoints(context)
    const requests = new AgentRequests(context, batcher, machine)
    const steering = new Steering({ context, batcher, machine, shell })
    this.#steering = steering
    const { memory, files } = this
    const delivery = new Delivery({ context, requests, memory, shell, steering, files, mentions })
    const commitDraft = createCommitDraft(context, composing)
    const answerUse = createAnswerUse(context, { commitDraft, offerFindings })
    const preparing = new Preparing({ context, machine, delivery, answerUse, runner: this.#runner })
    const logIn = (): void => this.command('login')
    this.models = createModels({ context, batcher, life: this.life, choicePrompt, logIn })
    this.reasoning = createReasoning(context, batcher, this)
    this.#offers = new Offers(context, choicePrompt, {
      retry: () => this.retry(),
      pickModel: () => this.command('model'),
      pickProvider: () => void this.models.pickOfOtherProvider(),
      login: logIn,
      pickAgent: () => this.command('agent'),
      sendLater: () => this.#plan.sendLater(delivery.entryToSendAgain()),
      editPrompt: () => composing.edit({ kind: 'setText', text: delivery.lastText() }),
      restart: () => this.life.restart(),
    })
    const askLogin = followLogins({ context, batcher, life: this.life, choicePrompt })
    this.keys = createKeys({ context, batcher, life: this.life, choicePrompt, askLogin })
    machine.carryOut(this.#performers({ requests, delivery, preparing, answerUse }))
    batcher.subscribe(events => this.#follow(events))
  }

  /** Starts the agent, and sends `prompt` as soon as it is ready. It goes before a restored queue. */
  begin(prompt: string | null): void {
    void this.life.open()
    this.#parts.batcher.flush()
    if (prompt !== null)
      this.queue.sendNow(prompt.trim() === '' ? null : entryOf(prompt, this.#parts.context.commands()))
  }

  /** Sends the last prompt again. */
  retry(): void {
    this.machine.send({ type: 'retried' })
  }

  /** Offers a restart after a file has changed that the agent reads only when it starts; false if this is no time to ask. */
  offerReading(file: string): boolean {
    return this.#offers.reading(file, this.machine.phase() === 'idle')
  }

  /** Runs a slash command, or queues it if it needs an idle agent. `line` is what was typed for it; null if it was not typed. */
  command(name: string, argument = '', line: string | null = null): void {
    const { commands, backend, hint } = this.#parts.context
    const row = commands().find(each => each.name === name)
    // An agent's own command may have the name.
    if (row?.kind === 'prompt') return this.queue.say(commandEntry(name, argument))
    if (!row) return hint(`This agent does not support /${name}.`)
    const waitsForAgent = row.abilities.some(each => ofStartedAgent.has(each)) || row.replacesAgent(argument)
    if (waitsForAgent && this.machine.isChanging()) {
      const waits = `${backend.name} is still starting: /${name} runs when it is ready.`
      hint(waits)
      return void this.#whenSettled(waits, [name, argument, line])
    }
    if (!row.needsIdle || row.opensList(argument) || this.machine.runsCommands())
      return this.#runner.run(name, argument, line)
    this.queue.add(commandEntry(name, argument))
  }

  async #whenSettled(waits: string, command: Parameters<Turns['command']>): Promise<void> {
    const { state, dispatch } = this.#parts.context
    await this.machine.settled()
    if (state().hint === waits) dispatch({ type: 'hinted', hint: null })
    this.command(...command)
  }

  /** The parts that follow the agent's events, in this order. */
  #follow(events: readonly AgentEvent[]): void {
    const { context, shell } = this.#parts
    this.memory.follow(events)
    this.limit.follow(events)
    this.#plan.follow(events)
    this.#keepFiles(events)
    // The shell outputs belong to the cleared conversation.
    if (events.some(({ type }) => type === 'conversation_cleared')) shell.takeOutputs()
    const isLost = context.backend.holder?.isLost() ?? false
    this.#steering.follow(events)
    for (const input of inputsOf(events, context.state().chat, isLost)) this.machine.send(input)
  }

  /** The files before and after a turn that the agent begins itself. Before a prompt they are kept before it is sent. */
  #keepFiles(events: readonly AgentEvent[]): void {
    const { open } = this.#parts.context.state().chat
    const begun = events.findLast(event => event.type === 'turn_begun')
    if (this.#isOwnTurn && events.some(({ type }) => type === 'turn_ended' || type === 'agent_ended')) {
      this.#isOwnTurn = false
      this.files.after()
    }
    if (!begun || open?.kind !== 'turn' || !open.unprompted) return
    this.#isOwnTurn = true
    this.files.begun(unpromptedWords(begun))
  }

  #performers(parts: {
    requests: AgentRequests
    delivery: Delivery
    preparing: Preparing
    answerUse: AnswerUse
  }): Performers {
    const { requests, delivery, preparing, answerUse } = parts
    const { machine } = this
    const afterPrompt: Record<AfterPrompt, () => void> = {
      mark_files: this.files.after,
      take_back_outputs: () => delivery.takeBackOutputs(),
      use_answer: answerUse.after,
    }
    return {
      prepare: ({ id, entry }) => preparing.prepare(id, entry),
      send: ({ id }) => preparing.send(id),
      prepare_steer: ({ id, entry }) => preparing.prepareSteer(id, entry),
      steer: ({ id }) => preparing.send(id),
      withdraw_steer: ({ id }) => this.#steering.withdraw(id),
      fill_composer: ({ text }) => this.#parts.composing.edit({ kind: 'setText', text }),
      send_again: ({ id }) => delivery.resend(id),
      compact: ({ id }) => requests.compact(id),
      clear: ({ id }) => requests.clear(id),
      abort: () => requests.abort(),
      after_prompt: ({ step }) => afterPrompt[step](),
      ask_limit: ({ wasStopped }) =>
        this.limit.ask(this.#parts.choicePrompt, wasStopped, () => machine.send({ type: 'limit_raised', wasStopped })),
      offer_restart: ({ inTurn }) => this.#offers.restart(inTurn),
      offer_ways: ({ error }) => this.#offers.waysOut(error, this.#plan.resetsAt()),
      restart: () => void this.life.restart(),
    }
  }
}
