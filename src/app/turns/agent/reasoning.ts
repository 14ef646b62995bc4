/** The reasoning level of the model. */
import { sentence } from '../../../text/sentence.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { PromptQueue } from '../queue/queue.ts'
import type { MachineKeeper } from '../turn-machine.ts'
import { commandEntry } from '../../../state/composer/queue-entry.ts'

export type Reasoning = {
  /** True if the level can be chosen. */
  canBeSet: () => boolean
  set: (level: string) => Promise<void>
  /** Sets the next level; after the strongest, `off`. */
  next: () => void
}

type ReasoningParts = { queue: PromptQueue; machine: Pick<MachineKeeper, 'runsCommands'> }

export function createReasoning(
  context: AppContext,
  batcher: EventBatcher,
  { queue, machine }: ReasoningParts,
): Reasoning {
  const { backend, state, addNotice, hint } = context
  /** The level that the agent was asked for and has not confirmed. */
  let requested: string | null = null
  return { canBeSet, set, next }

  function canBeSet(): boolean {
    return state().chat.agent.reasoningLevels.length > 0 && backend.abilities.has('setReasoning')
  }

  async function set(level: string): Promise<void> {
    if (!canBeSet() || !backend.abilities.has('setReasoning')) return addNotice('warn', ...whyNot())
    const reply = await backend.setReasoning(level === 'off' ? '' : level)
    batcher.flush()
    if (!reply.ok) return addNotice('error', sentence(reply.message))
    // A restarted agent gets it as well.
    backend.startWith({ reasoning: level })
  }

  function next(): void {
    const { agent } = state().chat
    if (!canBeSet()) return hint(whyNot().join(' '))
    const levels = ['off', ...agent.reasoningLevels]
    // Counted from the last request: quick presses come before the agent has answered the first.
    const newest = state().queue.entries.at(-1)
    const waiting = newest?.kind === 'command' && newest.name === 'reasoning' ? newest.argument : ''
    const now = waiting || (requested ?? (agent.reasoning || 'off'))
    const level = levels[(levels.indexOf(now) + 1) % levels.length] ?? 'off'
    if (waiting !== '') return queue.replaceNewest(commandEntry('reasoning', level))
    if (!machine.runsCommands()) return queue.add(commandEntry('reasoning', level))
    requested = level
    void set(level).finally(() => {
      if (requested === level) requested = null
    })
  }

  /** Why there is no level to set, and what to do instead. */
  function whyNot(): [text: string, hint: string] {
    const { reasoning, model, phase } = state().chat.agent
    if (phase !== 'ready') return ['The agent is not running.', '/restart starts it.']
    if (reasoning === null)
      return [`This ${backend.name} has no reasoning level to change.`, '/restart --reasoning high sets one.']
    return [`${model} has no reasoning level.`, '/model shows which do.']
  }
}
