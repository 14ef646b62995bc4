/** `zotui conversations` lists the conversations that run in the background. */
import process from 'node:process'
import type { BackgroundStatus } from '../../../src/agents/background/protocol.ts'
import { listBackground } from '../../../src/background/list.ts'
import type { BackgroundRecord } from '../../../src/background/record.ts'
import { statePath } from '../../../src/storage/log.ts'
import { costText } from '../../../src/usage/table.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { formatDuration } from '../../../src/text/format.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { writeMessage } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'
import { printJson, printTable } from '../print-rows.ts'

type ListedConversation = Pick<BackgroundRecord, 'id' | 'folder' | 'agent'> & BackgroundStatus

/** Columns of a title. */
const TITLE = 40

export const command: Subcommand = {
  name: 'conversations',
  takes: [],
  summary: 'List the conversations that run in the background.',
  flags: { json: { type: 'boolean', text: 'print JSON' } },
  run: async call => {
    const inBackground: ListedConversation[] = []
    for (const { record, ...found } of await listBackground(statePath())) {
      const { id, folder, agent } = record
      if ('problem' in found) writeMessage(`${id}: ${found.problem}`)
      else inBackground.push({ id, folder, agent, ...found.status })
    }
    if (call.has('json')) {
      printJson(inBackground)
      return 0
    }
    if (inBackground.length === 0) {
      writeMessage('No conversations run in the background.')
      return 0
    }
    printTable(inBackground.map(cellsOf))
    return 0
  },
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
