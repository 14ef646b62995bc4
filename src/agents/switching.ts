/** One backend in front of the agent that is in use, so that another agent can take its place while the program runs. */
import type { Backend, ModeChoice, OwnSession, Reply } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { Judge, PermissionMode } from '../agent/permission.ts'
import { foldersClosed } from '../agent/folders-closed.ts'
import { forwardTo } from './host/forwarding.ts'
import { bufferEvents } from './host/takeover.ts'

export type AgentSwitch = {
  /** Stands for whichever agent is in use. */
  backend: Backend
  /**
   * Starts another agent beside the present one. Once it has answered it takes over, and the end of the old one and its own start are
   * emitted. Otherwise the request is refused, nothing is emitted, and nothing changes. `session` is as in `open`. One that ends while
   * the old one is closed has taken over and ended: that is emitted, and the request is refused.
   */
  switchTo: (next: Backend, session?: OwnSession) => Promise<Reply>
}

/** Every ability is that of the agent in use at that moment; the judge and the mode go with the user from one to the next. */
export function createAgentSwitch(first: Backend): AgentSwitch {
  /** What listens, and how to end that at the agent in use: each event goes from there to the listener, without a broadcast here. */
  const listening = new Map<(event: AgentEvent) => void, () => void>()
  let current = first
  let judge: Judge | undefined
  let mode: PermissionMode | undefined
  let start: ModeChoice | undefined
  let folders: readonly string[] = []
  /** The agent that is to take over. */
  let starting: Backend | undefined

  const backend = forwardTo(() => current, {
    subscribe,
    close: () => end('close'),
    kill: () => end('kill'),
    leave: () => end('leave'),
    judgeWith(next) {
      judge = next
      current.judgeWith(next)
    },
    setPermissionMode(next) {
      // An agent with only modes of its own begins in that of `startIn`, which may be stricter, and so does the one after it.
      if (!current.abilities.has('setPermissionMode')) return
      mode = next
      start = { mode: next, isChosen: true }
      current.setPermissionMode(next)
    },
    async setFolders(next) {
      const reply = await current.setFolders(next)
      if (reply.ok) folders = next
      return reply
    },
    startIn(choice) {
      start = choice
      current.startIn(choice)
    },
  })
  return { backend, switchTo }

  function subscribe(listener: (event: AgentEvent) => void): () => void {
    if (!listening.has(listener)) listening.set(listener, current.subscribe(listener))
    return () => {
      listening.get(listener)?.()
      listening.delete(listener)
    }
  }

  function emit(event: AgentEvent): void {
    for (const listener of listening.keys()) listener(event)
  }

  async function switchTo(next: Backend, session?: OwnSession): Promise<Reply> {
    if (starting) return { ok: false, message: `cannot switch to ${next.name}: another agent is already starting` }
    starting = next
    const buffer = bufferEvents(next.name, emit)
    const leave = next.subscribe(buffer.take)
    try {
      if (judge) next.judgeWith(judge)
      if (mode) next.setPermissionMode(mode)
      if (start) next.startIn(start)
      const kept = folders.length > 0 ? await next.setFolders(folders) : null
      await next.open(session)
      const refused = buffer.refusal()
      if (refused) {
        leave()
        await next.close()
        return refused
      }
      await current.close()
      for (const unsubscribe of listening.values()) unsubscribe()
      current = next
      buffer.release()
      leave()
      for (const listener of listening.keys()) listening.set(listener, next.subscribe(listener))
      takeFolders(kept, buffer.events)
      // It may have ended while the former one was closed.
      return buffer.refusal() ?? { ok: true, value: undefined }
    } finally {
      starting = undefined
    }
  }

  /** What the new agent does not take is closed: it says so itself, or has refused them. */
  function takeFolders(kept: Reply<unknown> | null, events: readonly AgentEvent[]): void {
    const told = events.findLast(event => event.type === 'folders_changed')
    if (told) folders = told.folders
    if (kept?.ok !== false) return
    folders = []
    const at = events.at(-1)?.at ?? 0
    emit(foldersClosed(kept.message, at))
    emit({ type: 'folders_changed', at, folders: [] })
  }

  /** Ends the agent in use, and the one that is to take its place. */
  async function end(how: 'close' | 'kill' | 'leave'): Promise<void> {
    await Promise.all([starting?.[how](), current[how]()])
  }
}
