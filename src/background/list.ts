/** Lists the conversations in background processes on this machine, and sends them requests without attaching. */
import type { Reply } from '../agent/backend.ts'
import { connectToBackground, requestOfBackground } from '../agents/background/connection.ts'
import type { BackgroundStatus, BackgroundLine } from '../agents/background/protocol.ts'
import type { Background } from '../app/context/background.ts'
import { messageOf } from '../platform/errors.ts'
import { folderLabel, gitBranch } from '../platform/project.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'
import { type BackgroundRecord, findRecord, isOwnSocket, liveRecords } from './record.ts'

export type ListedBackground = { record: BackgroundRecord } & (
  | { status: BackgroundStatus }
  /** Why the process does not report its state, as a sentence. */
  | { problem: string }
)

/** Asks every background process on this machine for its state. Never rejects because of one of them. */
export async function listBackground(stateFolder: string): Promise<ListedBackground[]> {
  return Promise.all(liveRecords(stateFolder).map(statusOf))
}

async function statusOf(record: BackgroundRecord): Promise<ListedBackground> {
  if (!isOwnSocket(record.socket)) return { record, problem: 'Its socket is gone, or is not yours.' }
  const reply = await connectToBackground(record.socket, 'status')
  if (!reply.ok) return { record, problem: reply.message }
  reply.connection.end()
  const { first } = reply
  return first.type === 'status' ? { record, status: first.status } : { record, problem: 'Its answer is not valid.' }
}

export function createBackground(stateFolder: string, home: string): Omit<Background, 'begin'> {
  return {
    list: async () => (await listBackground(stateFolder)).map(rowOf),
    follow(id, onRow, onEnd) {
      let isStopped = false
      let stop: (() => void) | null = null
      void begin()
      return () => {
        isStopped = true
        stop?.()
      }

      async function begin(): Promise<void> {
        const record = liveRecords(stateFolder).find(each => each.id === id)
        const reply = record && isOwnSocket(record.socket) ? await connectToBackground(record.socket, 'status') : null
        if (!record || reply?.ok !== true) return isStopped ? undefined : onEnd()
        const { connection, first } = reply
        const take = (line: BackgroundLine): void => {
          if (line.type === 'status' && !isStopped) onRow(rowOf({ record, status: line.status }))
        }
        stop = connection.end
        if (isStopped) return connection.end()
        take(first)
        connection.receive(take)
        await connection.ended
        if (!isStopped) onEnd()
      }
    },
    async answer(id, call, isAllowed) {
      const value = await atSocket(id, async socket => requestOfBackground(socket, 'answerCall', call, isAllowed))
      return value.ok && value.value
    },
    async rename(id, title) {
      const reply = await atSocket(id, async socket => requestOfBackground(socket, 'rename', title))
      return reply.ok ? reply.value : reply
    },
    async stop(id) {
      const reply = await atSocket(id, async socket => requestOfBackground(socket, 'abort'))
      return reply.ok ? { ok: true, value: undefined } : reply
    },
    async end(id) {
      const reply = await atSocket(id, async socket => connectToBackground(socket, 'stop'))
      if (!reply.ok) return reply
      if (!reply.value.ok) return reply.value
      await reply.value.connection.ended
      return { ok: true, value: undefined }
    },
  }

  /** Runs something with the socket of a conversation, which may have ended meanwhile. */
  async function atSocket<Value>(id: string, run: (socket: string) => Promise<Value>): Promise<Reply<Value>> {
    try {
      return { ok: true, value: await run(findRecord(stateFolder, id).socket) }
    } catch (error) {
      return { ok: false, message: messageOf(error) }
    }
  }

  function rowOf(listed: ListedBackground): ConversationRow {
    const { id, folder } = listed.record
    const place = {
      number: 0,
      isShown: false,
      backgroundId: id,
      folder: folderLabel(folder, home),
      path: folder,
      branch: gitBranch(folder),
    }
    if ('status' in listed) return { ...place, ...listed.status }
    return { ...place, title: id, state: 'idle', since: null, lastLine: listed.problem, costUsd: null, call: null }
  }
}
