/** What is known of a session: its options, commands and title. Each change is told once. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { AgentCommand } from '../../../agent/session-events.ts'
import type { WireOption, WireSession } from '../frame.ts'
import { optionFor, optionsOf, toldOptions, withConfig, withValue, type SessionOption } from './options.ts'

/** The model and the level of reasoning. */
export type ModelFacts = {
  provider: string
  model: string
  contextWindow: number | null
  /** Null where it cannot be set. */
  reasoning: string | null
  reasoningLevels: string[]
}

export type SessionFacts = {
  readonly options: readonly SessionOption[]
  readonly model: ModelFacts
  /** A session was opened, and tells of itself. */
  opened(session: WireSession, at: number): AgentEvent[]
  /** The agent tells its options anew. */
  configured(options: readonly WireOption[], at: number): AgentEvent[]
  /** An option has this value now. */
  valueSet(id: string, value: string | boolean, at: number): AgentEvent[]
  /** The mode has changed; null if there is no such mode. */
  modeSet(mode: string, at: number): AgentEvent[] | null
  commands(commands: readonly AgentCommand[], at: number): AgentEvent[]
  title(title: string, at: number): AgentEvent[]
  context(size: number | null): void
}

export function createSessionFacts(): SessionFacts {
  let options: readonly SessionOption[] = []
  let contextWindow: number | null = null
  const told = { options: '[]', commands: '[]', title: '' }

  const facts: SessionFacts = {
    get options() {
      return options
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
    opened: (session, at) => change(optionsOf(session), at),
    configured: (wire, at) => change(withConfig(options, wire), at),
    valueSet: (id, value, at) => change(withValue(options, id, value), at),
    modeSet(mode, at) {
      const option = optionFor(options, 'mode')
      if (!option?.choices.some(({ value }) => value === mode)) return null
      return change(withValue(options, option.id, mode), at)
    },
    commands(commands, at) {
      const now = JSON.stringify(commands)
      if (now === told.commands) return []
      told.commands = now
      return [{ type: 'agent_commands_changed', at, commands: [...commands] }]
    },
    title(title, at) {
      if (title === told.title || title.trim() === '') return []
      told.title = title
      return [{ type: 'title_changed', at, title }]
    },
    context(size) {
      contextWindow = size ?? contextWindow
    },
  }
  return facts

  function change(next: readonly SessionOption[], at: number): AgentEvent[] {
    const before = facts.model
    options = next
    const list = toldOptions(options)
    const now = JSON.stringify(list)
    if (now === told.options) return []
    told.options = now
    const { reasoning, ...model } = facts.model
    const isOtherModel = model.model !== before.model || String(model.reasoningLevels) !== String(before.reasoningLevels)
    // Another model may have another window, which the agent tells with the next turn.
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
