/** Goes back in a conversation in the background, without deleting any of it, and names its session. */
import type { Backend, Reply, RewindPoint } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { breakOff, snapshotOf } from '../app/events/snapshot.ts'
import { ownSession } from '../conversation/queries/session/own-session.ts'
import { rewindPoints } from '../conversation/queries/session/rewind-points.ts'
import type { Printing } from '../print/print.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'

export type BackgroundPast = {
  session: () => string
  title: () => string
  points: () => readonly RewindPoint[]
  /** Continues after this many turns, in a new session, and announces it with `words`. Fails while the agent works. */
  goBack: (turns: number, words: string) => Promise<Reply>
  rename: (title: string) => Reply
  /** Publishes an event that is not the agent's. */
  publish: (event: AgentEvent) => void
}

export type BackgroundPastOptions = {
  backend: Backend
  sessions: Sessions
  printing: () => Pick<Printing, 'chat' | 'replaceConversation' | 'publish'>
  now: () => number
}

export function createBackgroundPast({ backend, sessions, printing, now }: BackgroundPastOptions): BackgroundPast {
  return {
    session: () => sessions.current().id,
    title: () => sessions.current().title(),
    points: () => rewindPoints(events()),
    goBack,
    rename: title =>
      sessions.rename(sessions.current().id, title) ? DONE : { ok: false, message: 'the session cannot be named' },
    publish: event => printing().publish([event]),
  }

  function events(): readonly AgentEvent[] {
    sessions.flush()
    return sessions.read(sessions.current().id)?.events ?? []
  }

  async function goBack(turns: number, words: string): Promise<Reply> {
    const { chat } = printing()
    if (chat().open !== null) return { ok: false, message: 'the agent is working' }
    const all = events()
    const points = rewindPoints(all)
    const next = points[turns]
    const cut = next && { prompts: points.map(({ sent }) => sent), kept: turns }
    const left = next ? all.slice(0, next.index) : all
    const { phase } = chat().agent
    const own = phase === 'ready' ? ownSession(chat(), backend.name) : undefined
    if (
      own &&
      backend.abilities.has('resumeSession') &&
      (!cut || (turns > 0 && backend.abilities.has('cutSessions')))
    ) {
      begin(turns, left, words)
      return backend.resumeSession({ ...own, copy: true, ...(cut && { cut }) })
    }
    // A new agent does not know the conversation: the next prompt includes the conversation.
    if (phase === 'ready' && backend.abilities.has('replace')) {
      const reply = await backend.replace({})
      if (reply.ok) begin(turns, left, words)
      return reply
    }
    begin(turns, left, words)
    await backend.close()
    await backend.open()
    return DONE
  }

  function begin(turn: number, left: readonly AgentEvent[], words: string): void {
    const { chat, replaceConversation, publish } = printing()
    const former = chat()
    sessions.begin({ parent: { id: sessions.current().id, turn }, events: left })
    replaceConversation(left)
    publish([
      ...breakOff(chat(), now(), true),
      ...snapshotOf(former, now()),
      { type: 'remark_made', at: now(), level: 'info', text: words, hint: null, markdown: false },
    ])
  }
}

const DONE: Reply = { ok: true, value: undefined }
