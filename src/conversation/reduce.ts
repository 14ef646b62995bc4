/** Folds events into a conversation. */
import { withoutPreview } from './cancelled-previews.ts'
import { endOfTask } from './queries/task-words.ts'
import { isAtWork } from '../agent/task-events.ts'
import { modelTitle } from './queries/model-title.ts'
import { onTurn } from './on-turn.ts'
import type { AgentEvent, EventOf, PlainEvent } from '../agent/event.ts'
import { questionAnswered, reduceAgentSession, sessionNow } from './agent-session.ts'
import { append, close, closeTurn, compactionEnded, compactionStarted } from './close.ts'
import { trimOutputs } from './calls/trim-output.ts'
import { List } from './list.ts'
import { planAnswered, reducePermissions } from './permissions.ts'
import { isDoneAtFirst } from './queries/current-plan.ts'
import { hasTakenPrompts } from './queries/session/session-entries.ts'
import { sentTo, sharedWith } from './sharing.ts'
import { endedShell, printed, startedShell } from './shell.ts'
import { initialChat, noUsage, type AgentState, type ChatState, type Turn } from './state.ts'
import type { Notice, Shell } from './part.ts'
import { finishedLate } from './calls/late-calls.ts'
import { endTools } from './calls/tool-calls.ts'
import { taskEvent, taskReported, tasksCutOff, wholeTaskEvent, withoutTasks } from './tasks.ts'
import { contextReported, usageReported } from './usage.ts'
import { reduceTurn } from './turn.ts'
import { namesOfPart } from './calls/nesting.ts'

/** Folds one event into the conversation, and keeps only as much tool output as `trim-output.ts` allows. */
export function reduce(state: ChatState, event: AgentEvent): ChatState {
  if (event.type === 'task_event') return taskEvent(state, event, foldTask)
  return trimOutputs(state, reduceWhole(state, event), event)
}

/**
 * The same with all tool output, for callers that write it to a file. Pure and total: any sequence of events is accepted,
 * and after `turn_ended`, `prompt_refused` or `agent_ended` nothing is open.
 */
export function reduceWhole(state: ChatState, event: AgentEvent): ChatState {
  return isOfTurn(event) ? onTurn(state, turn => reduceTurn(turn, event)) : reduceOthers(state, event)
}

/** The events that only change the open turn. */
const OF_TURN = [
  'step_started',
  'answer_started',
  'answer_withdrawn',
  'text_withdrawn',
  'thought_received',
  'text_received',
  'activity_told',
  'retry_announced',
  'tool_started',
  'tool_described',
  'tool_shown',
  'tool_drafted',
  'tool_arguments_received',
  'tool_arguments_finished',
  'answer_finished',
  'step_ended',
  'tool_progressed',
  'edit_located',
  'file_created',
  'file_replaced',
  'image_located',
  'commands_changed',
  'error_reported',
  'steer_delivered',
  'call_steered',
] as const
type OfTurn = EventOf<(typeof OF_TURN)[number]>
const ofTurn: ReadonlySet<AgentEvent['type']> = new Set(OF_TURN)

/** Most events are of this kind, and nearly all of them are pieces of a text. */
function isOfTurn(event: AgentEvent): event is OfTurn {
  return ofTurn.has(event.type)
}

function reduceOthers(state: ChatState, event: Exclude<AgentEvent, OfTurn>): ChatState {
  switch (event.type) {
    case 'agent_starting':
      return agentStarting(state, event)
    case 'agent_started':
      return { ...state, agent: started(event) }
    case 'agent_ended':
      return agentEnded(state, event)
    case 'warning_raised':
      return withEntry(state, notice(event.at, 'warn', event.message))
    case 'prompt_sent':
      return { ...close(state, event.at), plan: null, open: newTurn(event, state.agent) }
    case 'turn_begun':
      return { ...close(state, event.at), plan: null, open: unpromptedTurn(event, state.agent) }
    case 'prompt_refused':
      if (state.open?.kind !== 'turn') return close(state, event.at)
      return closeTurn(state, turn => ({
        ...endTools(turn, event.at),
        outcome: 'refused',
        error: event.message,
        endedAt: event.at,
      }))
    case 'turn_ended':
      return close(
        onTurn(state, turn => ({ ...turn, stopReason: event.stop ?? null })),
        event.at,
      )
    case 'prompt_accepted':
      return {
        ...onTurn(state, turn => reduceTurn(turn, event)),
        login: null,
        memory: state.memory === 'whole' ? 'whole' : 'digest',
        rememberedBy: state.agentSession === null ? null : sessionNow(state, state.agentSession),
      }
    case 'plan_changed':
      if (isDoneAtFirst(state, event.entries)) return state
      return onTurn(state, turn => reduceTurn(turn, event))
    case 'tool_called':
    case 'tool_finished': {
      const late = event.type === 'tool_finished' ? finishedLate(state, event) : null
      if (late) return late
      if (state.open?.kind === 'turn') return onTurn(state, turn => reduceTurn(turn, event))
      return withEntry(state, notice(event.at, 'warn', outsideOfTurn(event)))
    }
    case 'usage_reported':
      return usageReported(state, event)
    case 'abort_requested':
      return abortRequested(state, event)
    case 'abort_overdue':
      return state.open?.aborting ? { ...state, open: { ...state.open, abortOverdue: true } } : state
    case 'compaction_started':
      return compactionStarted(state, event)
    case 'compaction_finished':
      return compactionEnded(state, event.at, { outcome: 'done', summary: event.summary })
    case 'compaction_failed':
      return compactionEnded(
        state,
        event.at,
        event.nothing ? { outcome: 'nothing' } : { outcome: 'failed', error: event.message },
      )
    case 'compaction_aborted':
      return compactionEnded(state, event.at, { outcome: 'aborted' })
    case 'conversation_cleared':
      return cleared(state, event.at)
    case 'model_changed':
      return modelChanged(state, event)
    case 'reasoning_changed':
      return reasoningChanged(state, event)
    case 'remark_made': {
      const { at, level, text, hint, markdown, command, aside, sideAnswer, isPreview, cancels, details, sharesWith } =
        event
      const taken = sideAnswer !== undefined && ({ details: sideAnswer, isTakenOver: true } as const)
      const optional = {
        ...(command !== undefined && { command }),
        ...(aside && { aside }),
        ...(isPreview && { isPreview }),
        ...(cancels && { cancels }),
        ...(details !== undefined && { details }),
        ...taken,
      }
      const left = cancels && details !== undefined ? withoutPreview(state, details) : state
      return withEntry(sharedWith(left, sharesWith), { ...notice(at, level, text), hint, markdown, ...optional })
    }
    case 'shell_started':
      return { ...state, shell: startedShell(event) }
    case 'shell_printed':
      return state.shell ? { ...state, shell: printed(state.shell, event) } : state
    case 'shell_stop_requested':
      return state.shell ? { ...state, shell: { ...state.shell, stopping: true } } : state
    case 'shell_ended':
      return state.shell ? withEntry({ ...state, shell: null }, endedShell(state.shell, event)) : state
    case 'extension_noted':
      return withEntry(state, grouped(state, notice(event.at, event.level, event.message, event.extension)))
    case 'extension_displayed':
      return withEntry(
        state,
        grouped(state, { ...notice(event.at, 'info', event.text, event.extension), isDisplay: true }),
      )
    case 'extension_notes_cleared':
      return dropNotes(state, event.extension)
    case 'plan_answered':
      return withEntry({ ...state, plan: null }, planAnswered(event))
    case 'permission_mode_changed':
    case 'permission_requested':
    case 'permission_decided':
    case 'call_refused':
    case 'call_held':
    case 'plan_proposed':
    case 'checkpoint_made':
    case 'files_restored':
      return reducePermissions(state, event)
    case 'context_reported':
      return contextReported(state, event)
    case 'question_answered': {
      const answered = questionAnswered(state, event)
      const left = reduceAgentSession(state, event)
      return answered ? withEntry(left, answered) : left
    }
    case 'task_reported':
      return withEnd(state, taskReported(state, event, foldTask), event)
    case 'task_event':
      return wholeTaskEvent(state, event, (chat, inner) => reduceWhole(chat ?? initialChat, inner))
    case 'limits_reported':
    case 'folders_changed':
    case 'servers_reported':
    case 'question_asked':
    case 'options_changed':
    case 'agent_commands_changed':
    case 'title_changed':
    case 'agent_sessions_left':
    case 'login_needed':
      return reduceAgentSession(state, event)
    case 'agent_session_opened': {
      const isAnother = state.agentSession !== null && state.agentSession !== event.id
      return reduceAgentSession(isAnother ? tasksCutOff(state, event.at, foldTask) : state, event)
    }
  }
}

function foldTask(chat: ChatState | null, event: PlainEvent): ChatState {
  return reduce(chat ?? initialChat, event)
}

/** A task that ends leaves a line, since nothing else of it may be in the conversation. */
function withEnd(before: ChatState, state: ChatState, { id, at }: EventOf<'task_reported'>): ChatState {
  const [was, is] = [before.tasks.get(id), state.tasks.get(id)]
  if (!was || !is || !isAtWork(was) || isAtWork(is) || is.kind === 'wakeup') return state
  const level = is.state === 'failed' ? 'warn' : is.state === 'done' || is.state === 'idle' ? 'success' : 'info'
  return withEntry(state, notice(at, level, endOfTask(is, at)))
}

/** A new conversation is a new session, with its own cost. */
function cleared(state: ChatState, at: number): ChatState {
  const ended = append(close(withoutTasks(state), at), { kind: 'cleared', at })
  const unknown = { rememberedBy: null, plan: null, usage: noUsage, usageIsPartial: false, sharedWith: [] }
  return { ...ended, ...freshSession, ...unknown, memory: 'whole' }
}

/** The state that belongs to one session of the agent. */
const freshSession = { context: null, reportedCost: null, agentTitle: '' } as const

/** A new agent process remembers nothing. */
function agentStarting(state: ChatState, event: EventOf<'agent_starting'>): ChatState {
  const agent: AgentState = { ...initialChat.agent, phase: 'starting', name: event.agent }
  // A plan belongs to the account of one agent, which reports its windows only when they change.
  const limits = event.agent === state.agent.name ? state.limits : []
  const own = { limits, options: [], agentCommands: [], login: null, agentSession: null, servers: [] }
  return {
    ...tasksCutOff(state, event.at, foldTask),
    ...freshSession,
    ...own,
    agent,
    memory: hasTakenPrompts(state) ? 'none' : 'whole',
  }
}

function started({ type: _type, at: _at, agent: name, ...facts }: EventOf<'agent_started'>): AgentState {
  return { phase: 'ready', name, ...facts }
}

function agentEnded(state: ChatState, event: EventOf<'agent_ended'>): ChatState {
  const cutOff = event.withZotui ? 'zotui_ended' : 'agent_ended'
  const closed = close(tasksCutOff(state, event.at, foldTask), event.at, cutOff)
  const none = { context: null, agentSession: null, questions: [], forms: [] }
  const ended: ChatState = { ...closed, ...none, agent: { ...closed.agent, phase: 'ended' } }
  if (event.expected) return ended
  return append(ended, { kind: 'agent_ended', at: event.at, reason: event.reason, hint: event.hint })
}

function newTurn(event: EventOf<'prompt_sent'>, agent: AgentState): Turn {
  return {
    kind: 'turn',
    prompt: event.text,
    ...(event.typed !== undefined && { typed: event.typed }),
    ...(event.by && { by: event.by }),
    ...(event.from !== undefined && { from: event.from }),
    before: event.before ?? [],
    mentions: event.files ?? [],
    memory: event.memory ?? null,
    sentTo: sentTo(agent),
    images: event.images,
    startedAt: event.at,
    accepted: false,
    firstTokenAt: null,
    endedAt: null,
    parts: List.of([], namesOfPart),
    byCommands: { count: 0, files: [] },
    earlyFacts: new Map(),
    aged: 0,
    kept: 0,
    attemptStart: 0,
    settled: 0,
    attempt: 1,
    stop: null,
    error: null,
    isOverLimit: false,
    retries: 0,
    usage: noUsage,
    costIsPartial: false,
    plan: [],
    activity: '',
    planInAnswer: false,
    retry: null,
    retryAt: null,
    askedModelAt: null,
    compactingSince: null,
    stopReason: null,
    aborting: false,
    abortedAt: null,
    abortOverdue: false,
    outcome: null,
    checkpoint: null,
  }
}

function unpromptedTurn({ at, cause, about = '', ...event }: EventOf<'turn_begun'>, agent: AgentState): Turn {
  const turn = newTurn({ type: 'prompt_sent', at, text: '', images: [] }, agent)
  return { ...turn, accepted: true, unprompted: { cause, about, task: event.task ?? null } }
}

/** Characters shown of a call outside a turn. */
const MOST_OUTSIDE = 2000

/** A notice about a call that belongs to no turn. */
function outsideOfTurn(event: EventOf<'tool_called' | 'tool_finished'>): string {
  const words =
    event.type === 'tool_called'
      ? `The agent called ${event.name} outside a turn: ${JSON.stringify(event.arguments)}`
      : `One of the agent's calls ended outside a turn: ${event.content.map(each => (each.type === 'text' ? each.text : each.mimeType)).join(' ')}`
  return words.length > MOST_OUTSIDE ? `${words.slice(0, MOST_OUTSIDE)}…` : words
}

function abortRequested(state: ChatState, { at, from }: EventOf<'abort_requested'>): ChatState {
  const { open } = state
  if (!open || open.aborting) return state
  const stopped = open.kind === 'turn' && from !== undefined ? { ...open, stoppedFrom: from } : open
  return { ...state, open: { ...stopped, aborting: true, abortedAt: at } }
}

/** A switch leaves a notice, so that readers know later which model wrote an answer. */
function modelChanged(state: ChatState, event: EventOf<'model_changed'>): ChatState {
  const { provider, model, contextWindow, reasoningLevels } = event
  const changed = { ...state, agent: { ...state.agent, provider, model, contextWindow, reasoningLevels } }
  return withEntry(changed, switched(event, `model ${modelTitle(changed)}`))
}

function reasoningChanged(state: ChatState, event: EventOf<'reasoning_changed'>): ChatState {
  const changed = { ...state, agent: { ...state.agent, reasoning: event.reasoning } }
  return withEntry(changed, switched(event, `reasoning ${event.reasoning || 'off'}`))
}

/** The answer to a command is printed at once; any other switch is printed later, since another may follow. */
function switched({ at, command }: EventOf<'model_changed' | 'reasoning_changed'>, text: string): Notice {
  return command === undefined ? notice(at, 'quiet', text) : { ...notice(at, 'info', text), command }
}

function notice(at: number, level: Notice['level'], text: string, source: string | null = null): Notice {
  return { kind: 'notice', withdrawn: false, at, level, source, text, hint: null, markdown: false }
}

/** A note of an extension, marked if it follows another one of the same extension. */
function grouped({ open, entries }: ChatState, note: Notice): Notice {
  const last = open?.kind === 'turn' ? open.parts.get(open.parts.length - 1) : entries.at(-1)
  const follows = last?.kind === 'notice' && !last.withdrawn && last.source === note.source
  return follows ? { ...note, follows } : note
}

/** Adds a notice or a user's command: to the running turn, or else to the entries. */
function withEntry(state: ChatState, entry: Notice | Shell): ChatState {
  if (state.open?.kind === 'turn') return onTurn(state, turn => ({ ...turn, parts: turn.parts.plus(entry) }))
  return append(state, entry)
}

/** Withdraws an extension's notes from the running turn; finished turns never change. */
function dropNotes(state: ChatState, extension: string): ChatState {
  return onTurn(state, turn => ({
    ...turn,
    parts: turn.parts.changed(0, turn.parts.length, part =>
      part.kind === 'notice' && part.source === extension ? { ...part, withdrawn: true } : part,
    ),
  }))
}
