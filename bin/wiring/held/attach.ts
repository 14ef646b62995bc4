/** Attaches to a conversation that another process holds, and continues it if that process or the connection is lost. */
import type { Backend, Reply } from '../../../src/agent/backend.ts'
import { createHeldBackend } from '../../../src/agents/held/backend.ts'
import { connectToHolder, type HeldConnection } from '../../../src/agents/held/connection.ts'
import type { HeldWelcome } from '../../../src/agents/held/protocol.ts'
import type { HeldStart } from '../../../src/app/context/background.ts'
import type { Handover } from '../../../src/held/handover.ts'
import { findRecord, liveRecords } from '../../../src/held/record.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { heldArguments } from '../../cli/held-arguments.ts'
import { orReason } from '../start/or-reason.ts'

export type AttachedAgent = { backend: Backend; welcome: HeldWelcome }

/** `id` may be the beginning of an ID. @throws UserError if no such conversation is held, or its holder refuses. */
export async function attachTo(id: string): Promise<AttachedAgent> {
  const { id: whole } = findRecord(statePath(), id)
  const reply = await connectTo(whole)
  if (!reply.ok) throw new UserError(`Cannot attach to ${whole}: ${reply.message}`)
  const { connection, welcome } = reply.value
  const { folder } = welcome
  const connect = reconnecting(whole, session => ({
    argv: heldArguments(welcome.argv, { folder, session }),
    prompt: null,
  }))
  const { name } = welcome
  return { backend: createHeldBackend({ id: whole, name, first: connection, connect, now: Date.now }), welcome }
}

/** The agent of a conversation that moves to the background. Opening it awaits `ready` and starts a holder. */
export function movedAgent(
  name: string,
  argv: readonly string[],
  start: HeldStart,
  ready: () => Promise<void>,
): Backend {
  const { prompt, session } = start
  const id = session ?? ''
  let first = prompt
  const handover = (current: string): Handover => {
    const sent = first
    first = null
    return { argv: heldArguments(argv, { ...start, session: current }), prompt: sent }
  }
  const connect = reconnecting(id, handover, ready)
  return createHeldBackend({ id, name, first: null, connect, now: Date.now })
}

/** Returns a function that awaits `ready`, and connects to the holder, or starts one with `start` if there is none. */
function reconnecting(
  id: string,
  start: (session: string) => Handover,
  ready: () => Promise<void> = async () => undefined,
): (session: string) => Promise<Reply<HeldConnection>> {
  let current = id
  let isReady: Promise<void> | null = null
  return async session => {
    isReady ??= ready()
    await isReady
    if (!liveRecords(statePath()).some(record => record.id === current)) {
      const { startHolder } = await import('./begin.ts')
      const reply = await startHolder(start(session))
      if (reply.type === 'failed') return { ok: false, message: reply.message }
      current = reply.id
    }
    const reply = await connectTo(current)
    return reply.ok ? { ok: true, value: reply.value.connection } : reply
  }
}

async function connectTo(id: string): Promise<Reply<{ connection: HeldConnection; welcome: HeldWelcome }>> {
  return orReason(async () => {
    const reply = await connectToHolder(findRecord(statePath(), id).socket, 'attach')
    if (!reply.ok) return reply
    const { connection, first: welcome } = reply
    if (welcome.type === 'welcome') return { ok: true, value: { connection, welcome } }
    connection.end()
    return { ok: false, message: 'Its answer is not valid.' }
  })
}
