/** Folds what an agent reports about its session: options, commands, title, questions and a needed login. */
import type { AgentEvent, EventOf } from '../agent/event.ts'
import { hasTakenPrompts } from './queries/session/session-entries.ts'
import { askerOf } from './queries/task-words.ts'
import type { ChatState } from './state.ts'
import type { Notice } from './part.ts'
import { lookup } from '../text/lookup.ts'

export type AgentSessionEvent = Extract<
  AgentEvent,
  {
    type:
      | `question_${string}`
      | `agent_session${string}`
      | 'options_changed'
      | 'agent_commands_changed'
      | 'title_changed'
      | 'login_needed'
      | 'limits_reported'
      | 'folders_changed'
      | 'servers_reported'
  }
>

export function reduceAgentSession(state: ChatState, event: AgentSessionEvent): ChatState {
  switch (event.type) {
    case 'options_changed':
      return { ...state, options: event.options }
    case 'agent_commands_changed':
      return { ...state, agentCommands: event.commands }
    case 'title_changed':
      return { ...state, agentTitle: event.title }
    case 'agent_session_opened':
      return sessionOpened(state, event)
    case 'agent_sessions_left':
      return { ...state, rememberedBy: null }
    case 'login_needed':
      return { ...state, login: event.methods }
    case 'limits_reported':
      return { ...state, limits: withNewer(state.limits, event.windows, ({ id }) => id) }
    case 'folders_changed':
      return { ...state, folders: event.folders }
    case 'servers_reported':
      return { ...state, servers: withNewer(state.servers, event.servers, ({ name }) => name) }
    case 'question_asked':
      return { ...state, forms: [...state.forms, event] }
    case 'question_answered':
      return { ...state, forms: state.forms.filter(({ id }) => id !== event.id) }
  }
}

/** The items with the newer ones, each in the place of the earlier one of the same key. */
function withNewer<Item>(items: readonly Item[], newer: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map(items.map(item => [keyOf(item), item]))
  for (const item of newer) byKey.set(keyOf(item), item)
  return [...byKey.values()]
}

/** The running agent's session with this id, and its cost if known. */
export function sessionNow({ agent, rememberedBy }: ChatState, id: string): ChatState['rememberedBy'] {
  const isSame = rememberedBy?.id === id && rememberedBy.agent === agent.name
  return isSame ? rememberedBy : { agent: agent.name, id, costUsd: null }
}

function sessionOpened(state: ChatState, event: EventOf<'agent_session_opened'>): ChatState {
  const { id, remembers, problem } = event
  const unknown = problem !== undefined && hasTakenPrompts(state) ? 'none' : state.memory
  const opened: ChatState = { ...state, agentSession: id, memory: remembers ? 'whole' : unknown }
  if (opened.memory !== 'none') return { ...opened, rememberedBy: sessionNow(state, id) }
  return problem === undefined ? opened : { ...opened, rememberedBy: null }
}

/** The notice that an answered question leaves in the conversation; null if the question is unknown. */
export function questionAnswered({ forms, tasks }: ChatState, event: EventOf<'question_answered'>): Notice | null {
  const asked = forms.find(({ id }) => id === event.id)
  if (!asked) return null
  const text = `${askerOf({ tasks }, asked.task) ?? 'The agent'} asked: ${asked.message}`
  const base = { kind: 'notice', withdrawn: false, at: event.at, level: 'info', source: null, markdown: false } as const
  const hint = ANSWERS[event.answer] ?? answerWords(asked, event.values ?? {})
  return { ...base, text, hint: event.from === undefined ? hint : `From ${event.from}: ${hint}` }
}

const ANSWERS: Readonly<Partial<Record<EventOf<'question_answered'>['answer'], string>>> = {
  declined: 'You did not answer.',
  cancelled: 'It was not answered.',
}

type AnsweredValues = NonNullable<EventOf<'question_answered'>['values']>

function answerWords({ fields }: EventOf<'question_asked'>, values: AnsweredValues): string {
  const answers = fields.flatMap(({ name, label, choices = [] }) => {
    const value = lookup(values, name)
    if (value === undefined) return []
    const words = [value].flat().map(each => choices.find(choice => choice.value === each)?.label ?? wordOf(each))
    return [`${label}: ${words.join(', ')}`]
  })
  return `You answered: ${answers.join('; ') || 'yes'}`
}

function wordOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
