/** The properties of a session: its options, commands and title. Each change is reported once. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { AgentCommand } from '../../../agent/session-events.ts'
import type { WireOption, WireSession } from '../frame.ts'
import { areSame } from './commands.ts'
import {
  optionFor,
  optionsOf,
  agentOptions,
  unknownMode,
  withConfig,
  withValue,
  type OptionFacts,
  type SessionOption,
} from './options.ts'

/** The model and the level of reasoning. */
export type ModelFacts = {
  provider: string
  model: string
  contextWindow: number | null
  /** Null where it cannot be set. */
  reasoning: string | null
  reasoningLevels: string[]
}

export type AcpFacts = {
  readonly options: readonly SessionOption[]
  readonly model: ModelFacts
  /** The cost of the session so far, as the agent last reported it; null before that. */
  readonly costUsd: number | null
  /**
   * A session was opened and has these properties. `former` is the session of this run before it. Without one a change of the
   * model is not emitted. Some agents report their options for a new session only.
   */
  opened(session: WireSession, former: FormerSession | null, at: number): AgentEvent[]
  /** The agent sent new options. */
  configured(options: readonly WireOption[], at: number): AgentEvent[]
  /** An option has this value now. */
  valueSet(id: string, value: string | boolean, at: number): AgentEvent[]
  /** The mode has changed; null if there is no such mode. */
  modeSet(mode: string, at: number): AgentEvent[] | null
  commands(commands: readonly AgentCommand[], at: number): AgentEvent[]
  title(title: string, at: number): AgentEvent[]
  /** The context size and the cost that the agent reports for its session. */
  context(used: number, size: number | null, costUsd: number | null, at: number): AgentEvent[]
}

export type FormerSession = Pick<AcpFacts, 'options' | 'model'>

/** See `TranslationOptions`. */
export function createSessionFacts(costBefore: number | null, known: OptionFacts): AcpFacts {
  let options: readonly SessionOption[] = []
  let contextWindow: number | null = null
  /** The part of the agent's cost that is of earlier runs. */
  let taken = costBefore
  let whole: number | null = null
  let reportedCommands: readonly AgentCommand[] = []
  const reported = { options: '[]', title: '' }

  const facts: AcpFacts = {
    get options() {
      return options
    },
    get costUsd() {
      return whole
    },
    get model() {
      const reasoning = optionFor(options, 'reasoning')
      return {
        provider: '',
        model: String(optionFor(options, 'model')?.value ?? ''),
        contextWindow,
        reasoning: reasoning ? String(reasoning.value) : null,
        reasoningLevels: reasoning?.choices.map(({ value }) => value) ?? [],
      }
    },
    opened(session, former, at) {
      const own = optionsOf(session)
      const next = own.length > 0 || !former ? own : unknownMode(former.options)
      const events = change(next, former?.model ?? facts.model, at)
      return former ? events : events.filter(({ type }) => type === 'options_changed')
    },
    configured: (wire, at) => change(withConfig(options, wire), facts.model, at),
    valueSet: (id, value, at) => change(withValue(options, id, value), facts.model, at),
    modeSet(mode, at) {
      const option = optionFor(options, 'mode')
      if (!option?.choices.some(({ value }) => value === mode)) return null
      return change(withValue(options, option.id, mode), facts.model, at)
    },
    commands(commands, at) {
      if (areSame(commands, reportedCommands)) return []
      reportedCommands = commands
      return [{ type: 'agent_commands_changed', at, commands: [...commands] }]
    },
    title(title, at) {
      if (title === reported.title || title.trim() === '') return []
      reported.title = title
      return [{ type: 'title_changed', at, title }]
    },
    context(used, size, costUsd, at) {
      contextWindow = size ?? contextWindow
      whole = costUsd ?? whole
      // Not every agent includes the cost of earlier processes.
      if (costUsd !== null && taken !== null && costUsd < taken) taken = 0
      // A conversation that begins again counts from its beginning.
      const spent = costUsd === null || taken === null ? null : costUsd - taken
      // The cost of the first turn of an old session cannot be separated from the earlier cost.
      if (costUsd !== null) taken ??= costUsd
      const isMore = costUsd !== null && costUsd !== spent
      const all = isMore && { sessionCostUsd: costUsd }
      return [{ type: 'context_reported', at, used, size, costUsd: spent, ...all }]
    },
  }
  return facts

  function change(next: readonly SessionOption[], before: ModelFacts, at: number): AgentEvent[] {
    options = next
    const list = agentOptions(options, known)
    const now = JSON.stringify(list)
    if (now === reported.options) return []
    reported.options = now
    const { reasoning, ...model } = facts.model
    const isOtherModel =
      model.model !== before.model || String(model.reasoningLevels) !== String(before.reasoningLevels)
    // Another model may have another context window, which the agent reports with the next turn.
    if (model.model !== before.model) contextWindow = null
    return [
      { type: 'options_changed', at, options: list },
      ...(isOtherModel ? [{ type: 'model_changed' as const, at, ...model, contextWindow }] : []),
      ...(reasoning !== null && reasoning !== before.reasoning
        ? [{ type: 'reasoning_changed' as const, at, reasoning }]
        : []),
    ]
  }
}
