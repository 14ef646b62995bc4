/** `zotui sessions` lists the saved sessions, newest first. */
import { counted } from '../../../src/text/counted.ts'
import process from 'node:process'
import { dateTime } from '../../../src/export/fact-words.ts'
import { writeMessage } from '../../standard-streams.ts'
import { showsUnicode } from '../../../src/terminal/capabilities.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { costText } from '../../../src/usage/table.ts'
import type { Subcommand } from '../command.ts'
import { printJson, printTable } from '../print-rows.ts'
import { openStored } from '../stored.ts'
import { type SessionSummary, listedSchema } from '../../../src/conversation/queries/session/session-summary.ts'

export const command: Subcommand = {
  name: 'sessions',
  takes: [],
  summary: 'List the sessions of this folder, newest first.',
  flags: {
    all: { type: 'boolean', shortFlag: 'a', text: 'list the sessions of all folders' },
    json: { type: 'boolean', text: 'print JSON' },
  },
  run: async call => {
    const found = await openStored(writeMessage).list(call.has('all') ? 'all' : 'folder')
    const rows = found.filter(isUnderstood)
    const lost = found.filter(row => !isUnderstood(row)).map(({ id }) => id)
    if (lost.length > 0) writeMessage(`These sessions cannot be read: ${lost.join(', ')}.`)
    if (call.has('json')) {
      printJson(rows.map(row => listedSchema.parse(row)))
      return 0
    }
    if (rows.length === 0) {
      writeMessage(
        call.has('all') ? 'No sessions yet.' : 'No sessions in this folder yet. --all lists those of all folders.',
      )
      return 0
    }
    printTable(rows.map(row => cellsOf(row, call.has('all'))))
    return 0
  },
}

/** Whether the session's file could be read: it then has a time. */
const isUnderstood = ({ at }: SessionSummary): boolean => at > 0

/** The cells of a row. Only the last one may be long. */
function cellsOf(row: SessionSummary, isAll: boolean): string[] {
  const { id, at, turns, costUsd, costIsPartial, title, firstPrompt, folder } = row
  return [
    id,
    dateTime(at, undefined),
    counted(turns, 'turn'),
    costText({ costUsd, isPartial: costIsPartial }, !showsUnicode(process.env, process.platform)),
    ...(isAll ? [oneLine(sanitize(folder))] : []),
    oneLine(sanitize(title || firstPrompt)),
  ]
}
