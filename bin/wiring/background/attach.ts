/** Attaches to a conversation that another process holds, and continues it if that process or the connection is lost. */
import type { Backend, Reply } from '../../../src/agent/backend.ts'
import { createBackgroundBackend } from '../../../src/agents/background/backend.ts'
import { connectToBackground, type BackgroundConnection } from '../../../src/agents/background/connection.ts'
import type { BackgroundWelcome } from '../../../src/agents/background/protocol.ts'
import type { BackgroundStart } from '../../../src/app/context/background.ts'
import type { Handover } from '../../../src/background/handover.ts'
import { findRecord, liveRecords } from '../../../src/background/record.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { backgroundArguments } from '../../cli/background-arguments.ts'
import { orReason } from '../start/or-reason.ts'

export type AttachedAgent = { backend: Backend; welcome: BackgroundWelcome }

/**
 * `id` may be the beginning of an ID. @throws UserError if no such conversation is in the background, or its holder
 * refuses.
 */
export async function attachTo(id: string): Promise<AttachedAgent> {
  const { id: whole } = findRecord(statePath(), id)
  const reply = await connectTo(whole)
  if (!reply.ok) throw new UserError(`Cannot attach to ${whole}: ${reply.message}`)
  const { connection, welcome } = reply.value
  const { folder } = welcome
  const connect = reconnecting(whole, session => ({
    argv: backgroundArguments(welcome.argv, { folder, session }),
    prompt: null,
  }))
  const { name } = welcome
  return {
    backend: createBackgroundBackend({ id: whole, name, first: connection, connect, now: dayClock.now }),
    welcome,
  }
}

/** The agent of a conversation that moves to the background. Opening it awaits `ready` and starts a holder. */
export function movedAgent(
  name: string,
  argv: readonly string[],
  start: BackgroundStart,
  ready: () => Promise<void>,
): Backend {
  const { prompt, session } = start
  const id = session ?? ''
  let first = prompt
  const handover = (current: string): Handover => {
    const sent = first
    first = null
    return {
      argv: backgroundArguments(argv, { ...start, session: current }),
      prompt: sent === null ? null : { text: sent },
    }
  }
  const connect = reconnecting(id, handover, ready)
  return createBackgroundBackend({ id, name, first: null, connect, now: dayClock.now })
}

/** Returns a function that awaits `ready`, and connects to the holder, or starts one with `start` if there is none. */
function reconnecting(
  id: string,
  start: (session: string) => Handover,
  ready: () => Promise<void> = async () => undefined,
): (session: string) => Promise<Reply<BackgroundConnection>> {
  let current = id
  let isReady: Promise<void> | null = null
  return async session => {
    isReady ??= ready()
    await isReady
    if (!liveRecords(statePath()).some(record => record.id === current)) {
      const { startBackground } = await import('./begin.ts')
      const reply = await startBackground(start(session))
      if (reply.type === 'failed') return { ok: false, message: reply.message }
      current = reply.id
    }
    const reply = await connectTo(current)
    return reply.ok ? { ok: true, value: reply.value.connection } : reply
  }
}

async function connectTo(id: string): Promise<Reply<{ connection: BackgroundConnection; welcome: BackgroundWelcome }>> {
  return orReason(async () => {
    const reply = await connectToBackground(findRecord(statePath(), id).socket, 'attach')
    if (!reply.ok) return reply
    const { connection, first: welcome } = reply
    if (welcome.type === 'welcome') return { ok: true, value: { connection, welcome } }
    connection.end()
    return { ok: false, message: 'Its answer is not valid.' }
  })
}
