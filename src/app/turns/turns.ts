/** Builds the parts that send prompts and decide what follows a turn. Each gets only finished parts. */
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from '../composer/composing.ts'
import type { MentionReader } from '../mentions/mention-reader.ts'
import type { EventBatcher } from '../events/batcher.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { commandEntry } from '../../state/composer/queue-entry.ts'
import type { BuiltInCommand, CommandName } from '../../state/slash.ts'
import { isBusy } from '../../state/state.ts'
import { createAfterTurn } from './after-turn.ts'
import { createAgentLifecycle, type AgentLifecycle } from './agent/agent-lifecycle.ts'
import { followLogins } from './agent/asked-login.ts'
import { createKeys, type AskKeys } from './agent/keys.ts'
import { createModels, type Models } from './agent/models.ts'
import { createReasoning, type Reasoning } from './agent/reasoning.ts'
import { createRecovery, type Recovery } from './agent/recovery.ts'
import { createSharing } from './agent/sharing.ts'
import { createStarting, type Starting } from './agent/starting.ts'
import { createCommandRunner, type CommandRunner } from './command-runner.ts'
import { createCommitDraft } from './commit-draft.ts'
import { createDelivery } from './delivery.ts'
import { createOperation, type Operation } from './operation.ts'
import { createCostLimit, type CostLimit } from './queue/cost-limit.ts'
import { createQueueEntries } from './queue/entries.ts'
import { createQueue, type PromptQueue } from './queue/queue.ts'
import { createQueuedInput } from './queue/queued-input.ts'
import type { ShellCommand } from './shell-command.ts'
import { createTurnCheckpoints, type TurnCheckpoints } from './turn-checkpoints.ts'

export type Turns = Pick<Operation, 'abort' | 'alone'> &
  Recovery & {
    /** The effect of each slash command, defined when all parts exist. */
    runner: Pick<CommandRunner, 'define'>
    /** Runs a slash command, or queues it if it needs an idle agent. */
    command: (name: CommandName, argument?: string) => void
    queue: PromptQueue
    life: AgentLifecycle
    starting: Starting
    files: TurnCheckpoints
    limit: Pick<CostLimit, 'wasReached'>
    /** `/login`. */
    askKeys: AskKeys
    models: Models
    reasoning: Reasoning
    retry: () => void
    /** Offers a restart after a file has changed that the agent reads only when it starts; false if this is no time to ask. */
    offerReading: (file: string) => boolean
    /** Undefined if the agent cannot do it. */
    compact: () => Promise<void> | undefined
  }

/** Abilities that only a started agent has: their commands wait for it. */
const ofStartedAgent: ReadonlySet<BuiltInCommand['ability']> = new Set(['clear', 'compact', 'setModel', 'setReasoning'])
/** Commands that replace the agent: a change of it that is in progress ends first, as it began before they were typed. */
const changesAgent: ReadonlySet<CommandName> = new Set(['restart', 'agent', 'logout'])

export type TurnsParts = {
  context: AppContext
  batcher: EventBatcher
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  choicePrompt: ChoicePrompt
  composing: Pick<Composing, 'edit'>
  mentions: MentionReader
}

export function createTurns({ context, batcher, shell, choicePrompt, composing, mentions }: TurnsParts): Turns {
  const { backend, state, hint, commands } = context
  const runner = createCommandRunner(context)
  const life = createAgentLifecycle(context, batcher, createSharing({ context, batcher, choicePrompt }))
  const operation = createOperation(context, batcher, life)
  const entries = createQueueEntries(context)
  const limit = createCostLimit({ context, batcher, entries, choicePrompt, operation })
  const files = createTurnCheckpoints(context)
  operation.subscribe(files.after)
  const delivery = createDelivery({ context, batcher, operation, life, limit, shell, files, mentions })
  const commitDraft = createCommitDraft(context, composing)
  operation.subscribe(commitDraft.after)
  const input = createQueuedInput({ context, entries, operation, delivery, commitDraft, runner })
  const queue = createQueue({ context, entries, input, limit, operation, runner })
  const models = createModels({ context, batcher, life, choicePrompt, logIn: () => command('login') })
  const reasoning = createReasoning(context, batcher, queue)
  const starting = createStarting({ context, batcher, life, queue })
  const after = createAfterTurn({
    context,
    queue,
    choicePrompt,
    limit,
    ways: {
      compact: () => operation.perform(backend.compact()),
      resend: delivery.resend,
      retry: delivery.retry,
      pickModel: () => command('model'),
      pickProvider: () => void models.pickElsewhere(),
      login: () => command('login'),
      editPrompt: () => composing.edit({ kind: 'setText', text: delivery.lastText() }),
      restart: () => starting.restart(),
    },
  })
  operation.subscribe(after.next)
  // Another program that shares the agent may have begun the turn.
  batcher.subscribe(events => {
    if (!events.some(({ type }) => type === 'turn_ended') || !operation.isFree()) return
    queue.drain(lastTurn(state().chat.entries)?.outcome === 'done')
  })
  const askLogin = followLogins({ context, batcher, life, starting, choicePrompt })
  const askKeys = createKeys({ context, batcher, life, starting, choicePrompt, askLogin })
  const recovery = createRecovery({ context, batcher, operation, life, starting, after })

  return {
    abort: operation.abort,
    alone: operation.alone,
    runner,
    command,
    queue,
    life,
    starting,
    files,
    limit,
    askKeys,
    models,
    reasoning,
    retry: delivery.retry,
    offerReading: after.offerReading,
    compact: () => (backend.abilities.has('compact') ? operation.operate(backend.compact()) : undefined),
    ...recovery,
  }

  async function whenSettled(waits: string, name: CommandName, argument: string): Promise<void> {
    await life.settled()
    if (state().hint === waits) context.dispatch({ type: 'hinted', hint: null })
    command(name, argument)
  }

  function command(name: CommandName, argument = ''): void {
    const row = commands().find(each => each.name === name)
    // An agent's own command may have the name.
    if (row?.kind === 'prompt') return queue.say(commandEntry(name, argument))
    if (!row) return hint(`This agent does not support /${name}.`)
    const opensList = name === 'agent' && argument === ''
    const waitsForAgent = ofStartedAgent.has(row.ability) || (changesAgent.has(name) && !opensList)
    if (waitsForAgent && life.isChanging()) {
      const waits = `${backend.name} is still starting: /${name} runs when it is ready.`
      hint(waits)
      return void whenSettled(waits, name, argument)
    }
    if (!row.needsIdle || !isBusy(state())) return runner.run(name, argument)
    // The list opens now, because later it could interrupt typing. The choice can wait.
    if (name === 'model' && argument === '') return void models.pick()
    queue.add(commandEntry(name, argument))
  }
}
