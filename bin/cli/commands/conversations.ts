/** `zotui conversations` lists the conversations that run in the background. */
import process from 'node:process'
import type { BackgroundStatus } from '../../../src/agents/background/protocol.ts'
import { listHolders } from '../../../src/background/list.ts'
import type { BackgroundRecord } from '../../../src/background/record.ts'
import { statePath } from '../../../src/storage/log.ts'
import { costText } from '../../../src/storage/usage/table.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { formatDuration } from '../../../src/text/format.ts'
import { toJson } from '../../../src/text/json.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../../src/text/lines/width.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import type { RunCommand } from '../commands.ts'

type ListedConversation = Pick<BackgroundRecord, 'id' | 'folder' | 'agent'> & BackgroundStatus

/** Columns of a title. */
const TITLE = 40

export const run: RunCommand = async call => {
  const inBackground: ListedConversation[] = []
  for (const { record, ...told } of await listHolders(statePath())) {
    const { id, folder, agent } = record
    if ('problem' in told) writeMessage(`${id}: ${told.problem}`)
    else inBackground.push({ id, folder, agent, ...told.status })
  }
  if (call.has('json')) {
    print(`${toJson(inBackground, 2)}\n`)
    return 0
  }
  if (inBackground.length === 0) {
    writeMessage('No conversations run in the background.')
    return 0
  }
  const cells = inBackground.map(cellsOf)
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(each => displayWidth(each[column] ?? '')))) ?? []
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  for (const each of cells) {
    const line = each.map((cell, column) => (column === each.length - 1 ? cell : padTo(cell, widths[column] ?? 0)))
    print(`${truncate(line.join('  '), width)}\n`)
  }
  return 0
}

function cellsOf({ id, state, title, since, lastLine, costUsd, folder }: ListedConversation): string[] {
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
