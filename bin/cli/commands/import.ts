/** `zotui import` turns a session of zot into one of zotui. */
import { counted } from '../../../src/text/counted.ts'
import { resolve } from 'node:path'
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import { readZotsession } from '../../../src/import/zotsession.ts'
import { createRedactor, knownSecrets } from '../../../src/storage/sessions/secrets.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { Subcommand } from '../command.ts'
import { omittedNote, openStored } from '../stored.ts'

export const command: Subcommand = {
  name: 'import',
  takes: ['FILE'],
  summary: 'Import a .zotsession file as a session.',
  flags: {},
  run: async ({ words: [file = ''] }) => {
    const path = resolve(file)
    const { title, events, skipped } = readZotsession(path)
    const turns = events.filter(event => event.type === 'prompt_sent').length
    if (turns === 0) throw new UserError(`${path} contains no prompt.`, 'Nothing was imported.')
    const redactor = createRedactor(knownSecrets(process.env))
    const sessions = openStored()
    if (title !== '') sessions.rename(sessions.current().id, redactor.redact(title))
    sessions.add([...events.flatMap(redactor.push), ...redactor.flush()])
    const { id } = sessions.current()
    sessions.close()
    const name = title === '' ? '' : ` "${oneLine(sanitize(title))}"`
    if (skipped > 0) writeMessage(omittedNote(skipped))
    print(`Imported${name} as ${id}: ${counted(turns, 'turn')}.\n`)
    return 0
  },
}
