/** How the hub reaches the processes of this machine, and the files of their sessions. */
import { lstatSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import process from 'node:process'
import { isOwnSocket, liveRecords } from '../../background/record.ts'
import { connectToPublisher } from '../../published/socket/connection.ts'
import { readSessionInPieces } from '../../storage/sessions/read-session.ts'
import { isEvent } from '../../storage/sessions/session-format.ts'
import type { HubWays } from './create-hub.ts'

export function createWays(stateFolder: string): HubWays {
  return {
    find: () =>
      (['held', 'open'] as const).flatMap(kind =>
        liveRecords(stateFolder, kind)
          .filter(({ socket }) => isOwnSocket(socket))
          .map(({ id, folder, socket }) => ({ id: `${kind}-${id}`, folder, socket })),
      ),
    connect: connectToPublisher,
    async readPast({ path, bytes }, take) {
      if (!isOwnFile(path)) throw new Error('it is not a file of this user')
      const takeEvents = (lines: Parameters<Parameters<typeof readSessionInPieces>[1]>[0]): boolean => {
        take(lines.filter(isEvent))
        return true
      }
      await readSessionInPieces(path, takeEvents, bytes)
    },
  }
}

/** A link does not count: the process that names the path may be none of ours. */
function isOwnFile(path: string): boolean {
  if (!isAbsolute(path) || !path.endsWith('.jsonl')) return false
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isFile() && found.uid === process.getuid?.()
}
