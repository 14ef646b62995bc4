/** The sessions of Meerkat: creates, copies, lists and reads them. */
import type { AgentSession, Reply, SessionCut } from '../../../agent/backend.ts'
import type { Requests } from '../../host/requests.ts'
import { createTasks, type Tasks } from '../turn/tasks.ts'
import { readHistory, readList, readSessionId, readSummary } from '../frame.ts'
import { createFields, type ModelChoice } from '../models.ts'
import type { MeerkatSessionFlags } from '../options.ts'
import { placeOfCut, promptIn } from './cut.ts'

export type MeerkatSession = {
  readonly id: string
  readonly tasks: Tasks
  /** Whether a turn has run in it: from then on a switch of the model in place would end the stream of its text. */
  hasRun: boolean
  /** Whether a step of it is stored. Until then a stopped turn deletes the session. */
  isCommitted: boolean
  /** The model that Meerkat was last asked to use in it. */
  choice: ModelChoice
}

export type MeerkatSessions = {
  create(choice: ModelChoice): Promise<Reply<MeerkatSession>>
  /** A copy of the whole session, or of the part before a prompt. */
  fork(from: MeerkatSession, cut?: SessionCut): Promise<Reply<MeerkatSession>>
  /** A session that Meerkat keeps. */
  find(id: string): Promise<Reply<MeerkatSession>>
  /** The messages of a session, oldest first. */
  messages(session: MeerkatSession): Promise<Reply<readonly unknown[]>>
  list(): Promise<Reply<readonly AgentSession[]>>
  archive(session: MeerkatSession): void
}

export type MeerkatSessionsOptions = {
  requests: Requests
  flags: MeerkatSessionFlags
  /** Whether zotui's tools replace Meerkat's. */
  hasToolHost: boolean
  /** Removes secrets, which the prompts of a conversation do not have either. */
  redact: (text: string) => string
}

/** Messages that are read at once. */
const PAGE = 100
/** The number of listed sessions that get their first prompt as a title. */
const MOST_TITLES = 40
const MAX_TITLE = 100
const NO_PLACE = 'its history does not show where that prompt begins'

export function createMeerkatSessions({
  requests,
  flags,
  hasToolHost,
  redact,
}: MeerkatSessionsOptions): MeerkatSessions {
  return {
    async create(choice) {
      const params = { prompt: [], initial_turn: 'deferred', ...createFields(choice), ...flagFields() }
      const reply = await ask('session/create', params, readSessionId)
      return reply.ok ? { ok: true, value: newSession(reply.value, { ...choice }) } : reply
    },
    async fork(from, cut) {
      const end = cut ? await endAt(from.id, cut) : await endOf(from.id)
      if (!end.ok) return end
      const params = { session_id: from.id, message_index: end.value, running_behavior: 'reject' }
      const reply = await ask('session/fork_at', params, readSessionId)
      if (!reply.ok) return reply
      const copy: MeerkatSession = { ...newSession(reply.value, from.choice), tasks: from.tasks, isCommitted: true }
      return { ok: true, value: copy }
    },
    async find(id) {
      const summary = await ask('session/read', { session_id: id }, readSummary)
      if (!summary.ok) return summary
      const { model, provider } = summary.value
      const found = { ...newSession(id, { model, provider, reasoning: '' }), hasRun: true, isCommitted: true }
      return { ok: true, value: found }
    },
    messages: ({ id }) => allMessages(id),
    async list() {
      const reply = await ask('session/list', {}, readList)
      if (!reply.ok) return reply
      const kept = reply.value.filter(({ message_count: messages }) => messages > 0)
      const sessions = kept.map(async ({ session_id: id, updated_at: seconds = null }, at) => ({
        id,
        folder: '',
        title: at < MOST_TITLES ? await titleFromPrompt(id) : '',
        updatedAt: seconds === null ? null : seconds * 1000,
      }))
      return { ok: true, value: await Promise.all(sessions) }
    },
    archive: ({ id }) => void requests.send('session/archive', { session_id: id }),
  }

  function flagFields(): Record<string, unknown> {
    const { builtins, shell, memory, budget } = flags
    const { tokens, toolCalls } = budget ?? {}
    return {
      ...(builtins !== undefined && { enable_builtins: builtins }),
      ...(shell !== undefined && { enable_shell: shell }),
      // Otherwise its shell and patch tools would run without permission beside zotui's.
      ...(hasToolHost && { enable_builtins: false, enable_shell: false }),
      ...(memory !== undefined && { enable_memory: memory }),
      ...(budget && {
        budget_limits: {
          ...(tokens !== undefined && { max_tokens: tokens }),
          ...(toolCalls !== undefined && { max_tool_calls: toolCalls }),
        },
      }),
    }
  }

  /** The number of messages of a session. */
  async function endOf(id: string): Promise<Reply<number>> {
    const summary = await ask('session/read', { session_id: id }, readSummary)
    return summary.ok ? { ok: true, value: summary.value.message_count } : summary
  }

  async function endAt(id: string, cut: SessionCut): Promise<Reply<number>> {
    const messages = await allMessages(id)
    if (!messages.ok) return messages
    const index = placeOfCut(messages.value, cut, redact)
    return index === null ? { ok: false, message: NO_PLACE } : { ok: true, value: index }
  }

  async function ask<Value>(
    method: string,
    params: object,
    read: (result: unknown) => Value | null,
  ): Promise<Reply<Value>> {
    const reply = await requests.send(method, params)
    const refused = requests.refusal(reply)
    if (refused) return refused
    const value = reply !== 'timed out' && reply.ok ? read(reply.result) : null
    if (value === null) return { ok: false, message: `the answer to ${method} cannot be read` }
    return { ok: true, value }
  }

  async function allMessages(id: string): Promise<Reply<readonly unknown[]>> {
    const messages: unknown[] = []
    for (;;) {
      const page = { session_id: id, offset: messages.length, limit: PAGE }
      const reply = await ask('session/history', page, readHistory)
      if (!reply.ok) return reply
      messages.push(...reply.value.messages)
      if (!reply.value.has_more || reply.value.messages.length === 0) return { ok: true, value: messages }
    }
  }

  /** Meerkat has no titles: the first prompt serves as one. */
  async function titleFromPrompt(id: string): Promise<string> {
    const reply = await ask('session/history', { session_id: id, limit: 4 }, readHistory)
    const messages = reply.ok ? reply.value.messages : []
    const words = messages.map(promptIn).find(text => text !== null && text !== '') ?? ''
    return words.length > MAX_TITLE ? `${words.slice(0, MAX_TITLE)}...` : words
  }
}

function newSession(id: string, choice: ModelChoice): MeerkatSession {
  return { id, tasks: createTasks(), hasRun: false, isCommitted: false, choice }
}
