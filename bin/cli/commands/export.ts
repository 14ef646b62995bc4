/** `zotui export` saves a session to a file. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import { exported, exportFormatOf, exportFormats, type ExportFormat } from '../../../src/export/formats.ts'
import { saveExport } from '../../../src/export/save.ts'
import { openOwnWrites } from '../../../src/storage/journal/own-writes.ts'
import { statePath } from '../../../src/storage/log.ts'
import { print } from '../../standard-streams.ts'
import type { CommandCall, Subcommand } from '../command.ts'
import { findStored, openStored, transcriptOfStored } from '../stored.ts'

export const command: Subcommand = {
  name: 'export',
  takes: ['ID'],
  summary: 'Save a session to a file.',
  flags: {
    format: {
      type: 'string',
      value: 'NAME',
      completes: ['md', 'html', 'json', 'zotsession'],
      shortFlag: 'f',
      text: 'md, html, json or zotsession (default: by the file name, or md)',
    },
    output: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      shortFlag: 'o',
      text: 'the file or folder; - for standard output',
    },
    force: { type: 'boolean', text: 'overwrite an existing file' },
  },
  run: async call => {
    const format = formatOf(call)
    const output = call.value('output')
    const session = await findStored(openStored(), call.words[0] ?? '')
    const transcript = transcriptOfStored(session)
    const text = await exported(transcript, format)
    if (output === '-') {
      print(text)
      return 0
    }
    const saved = await saveExport(text, transcript, {
      file: output,
      folder: process.cwd(),
      format,
      overwrite: call.has('force'),
    })
    if (!saved.ok)
      throw new UserError(saved.message, saved.isTaken ? `${saved.hint} --force overwrites it.` : saved.hint)
    openOwnWrites({ stateFolder: statePath(), now: Date.now }).add('export', [saved.path])
    print(`${saved.path}\n`)
    return 0
  },
}

/** The requested format, or the one of the file's extension. */
function formatOf(call: CommandCall): ExportFormat {
  const asked = call.value('format')
  const named = exportFormatOf(/\.(\w+)$/.exec(call.value('output') ?? '')?.[1] ?? '')
  const format = asked === null ? (named ?? 'md') : exportFormatOf(asked)
  if (format === null) {
    throw new UserError(`There is no format ${asked}.`, `Formats: ${exportFormats.join(', ')}.`, 2)
  }
  return format
}
