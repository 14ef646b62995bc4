/** `zotui conversations` lists the conversations that run in the background. */
import process from 'node:process'
import { connectToHolder } from '../../../src/agents/held/connection.ts'
import type { HeldStatus } from '../../../src/agents/held/protocol.ts'
import { isOwnSocket, liveRecords, type HeldRecord } from '../../../src/held/record.ts'
import { statePath } from '../../../src/storage/log.ts'
import { costText } from '../../../src/storage/usage/table.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { formatDuration } from '../../../src/text/format.ts'
import { toJson } from '../../../src/text/json.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { truncate } from '../../../src/text/shorten.ts'
import { displayWidth, padTo } from '../../../src/text/width.ts'
import { print, tell } from '../../standard-streams.ts'
import type { RunCommand } from '../commands.ts'

type ListedHolder = Pick<HeldRecord, 'id' | 'folder' | 'agent'> & HeldStatus

/** Columns of a title. */
const TITLE = 40

export const run: RunCommand = async call => {
  const asked = await Promise.all(liveRecords(statePath()).map(statusOf))
  const held = asked.flatMap(each => (typeof each === 'string' ? [] : [each]))
  for (const each of asked) if (typeof each === 'string') tell(each)
  if (call.has('json')) {
    print(`${toJson(held, 2)}\n`)
    return 0
  }
  if (held.length === 0) {
    tell('No conversations run in the background.')
    return 0
  }
  const cells = held.map(cellsOf)
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(each => displayWidth(each[column] ?? '')))) ?? []
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  for (const each of cells) {
    const line = each.map((cell, column) => (column === each.length - 1 ? cell : padTo(cell, widths[column] ?? 0)))
    print(`${truncate(line.join('  '), width)}\n`)
  }
  return 0
}

/** The answer of a holder; a sentence if it gives none. */
async function statusOf({ id, folder, agent, socket }: HeldRecord): Promise<ListedHolder | string> {
  if (!isOwnSocket(socket)) return `The socket of ${id} is gone, or is not yours.`
  const reply = await connectToHolder(socket, 'status')
  if (!reply.ok) return `${id}: ${reply.message}`
  reply.connection.end()
  const { first } = reply
  return first.type === 'status' ? { id, folder, agent, ...first.status } : `${id}: it gives no valid answer.`
}

function cellsOf({ id, state, title, since, lastLine, costUsd, folder }: ListedHolder): string[] {
  return [
    id,
    state,
    since === null ? '' : formatDuration(Date.now() - since),
    costText({ costUsd, isPartial: false }, !showsUnicode(process.env, process.platform)),
    oneLine(sanitize(folder)),
    truncate(oneLine(sanitize(title)), TITLE),
    oneLine(sanitize(lastLine)),
  ]
}
