/** Makes the conversations of this UI known to servers for browsers: a record and a socket, both private, and nothing else yet. */
import process from 'node:process'
import { makeRecord, type MadeRecord, recordsFolder } from '../../../src/background/make-record.ts'
import { elapsedHere } from '../../../src/platform/ages.ts'
import { messageOf } from '../../../src/platform/errors.ts'
import { namesIn } from '../../../src/platform/folders.ts'
import { isOfThisMachine, ownName } from '../../../src/platform/owner.ts'
import { isOwnerDead } from '../../../src/platform/owner-state.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import type { Program } from '../../../src/program/conversations.ts'
import { listenForServers, type PublisherOptions } from '../../../src/published/socket/publisher.ts'
import { statePath, type Log } from '../../../src/storage/log.ts'
import { parseJson } from '../../../src/text/json.ts'

export type PublishParts = {
  program: Pick<Program, 'published' | 'serving'>
  /** Of the first conversation. */
  folder: string
  agent: string
  log: Pick<Log, 'write'>
}

/** What cannot be made is missing, and the log says why: the UI does not need it. */
export function publishConversations({ program, folder, agent, log }: PublishParts): void {
  let record: MadeRecord | null = null
  attempt(() => {
    record = makeRecord(statePath(), { id: ownName(), folder, agent, startedAt: Date.now() }, 'open')
    const { socket, publish, remove } = record
    process.once('exit', remove)
    const onListening = (): void => attempt(publish)
    listenForServers({ socket, onListening, onFailed, load: () => acceptingFor(program) })
  })

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      onFailed(error)
    }
  }

  function onFailed(error: unknown): void {
    log.write(`The conversations are not shown to servers: ${messageOf(error)}`)
    record?.remove()
  }
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
