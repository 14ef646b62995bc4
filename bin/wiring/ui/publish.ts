/** Makes the conversations of this UI known to servers for browsers: a record and a socket, both private, and nothing else yet. */
import process from 'node:process'
import { makeRecord, recordsFolder } from '../../../src/background/make-record.ts'
import { elapsedHere } from '../../../src/platform/ages.ts'
import { namesIn } from '../../../src/platform/folders.ts'
import { isOfThisMachine, ownName } from '../../../src/platform/owner.ts'
import { isOwnerDead } from '../../../src/platform/owner-state.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import type { Program } from '../../../src/program/conversations.ts'
import { listenForServers, type PublisherOptions } from '../../../src/published/socket/publisher.ts'
import { statePath } from '../../../src/storage/log.ts'
import { parseJson } from '../../../src/text/json.ts'

export type PublishParts = {
  program: Pick<Program, 'published' | 'serving'>
  /** Of the first conversation. */
  folder: string
  agent: string
  /** It cannot be made, or has ended. */
  failed: (error: unknown) => void
}

/** @throws what the system throws. What fails later goes to `failed`. */
export function publishConversations({ program, folder, agent, failed }: PublishParts): void {
  const { socket, publish, remove } = makeRecord(
    statePath(),
    { id: ownName(), folder, agent, startedAt: Date.now() },
    'open',
  )
  process.once('exit', remove)
  const onFailed = (error: unknown): void => {
    remove()
    failed(error)
  }
  const onListening = (): void => {
    try {
      publish()
    } catch (error) {
      onFailed(error)
    }
  }
  listenForServers({ socket, onListening, onFailed, load: () => acceptingFor(program) })
}

async function acceptingFor(program: PublishParts['program']): ReturnType<PublisherOptions['load']> {
  const [{ createServed }, { createAcceptServer }, source] = await Promise.all([
    import('../../../src/published/socket/served.ts'),
    import('../../../src/published/socket/accept-server.ts'),
    program.published(),
  ])
  const parts = { source, parse: parseJson, after: quietTimers.after, elapsed: elapsedHere }
  return createAcceptServer(createServed(parts), program.serving)
}

/** A UI that was killed leaves its record, whose name says whose it is. */
export async function removeLeftRecords(): Promise<void> {
  const now = Date.now()
  const isLeft = (name: string): boolean => isOfThisMachine(name) && isOwnerDead(name, () => now, now)
  if (!namesIn(recordsFolder(statePath(), 'open')).some(isLeft)) return
  const { liveRecords } = await import('../../../src/background/record.ts')
  liveRecords(statePath(), 'open')
}
