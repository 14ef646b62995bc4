/** Writes the conversation to a file, or makes its text. */
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sessionEntries } from '../../../conversation/queries/session/session-entries.ts'
import { shortenedCalls } from '../../../conversation/queries/session/full-transcript.ts'
import type { ChatState } from '../../../conversation/state.ts'
import { exported, exportFormatOf, exportFormats, type ExportFormat } from '../../../export/formats.ts'
import { saveExport } from '../../../export/save.ts'
import type { Transcript } from '../../../export/schema.ts'
import { transcriptOf, transcriptOfEvents } from '../../../export/transcript.ts'
import type { AppContext } from '../../../app/context/context.ts'
import { missingText, fullTranscript } from '../../../app/context/full-transcript.ts'

/** Writes the conversation so far, or another one; `argument` is the format, the file, or both. */
export async function exportConversation(
  context: AppContext,
  argument: string,
  other: Transcript | null = null,
): Promise<void> {
  const { state, host, addProgramNotice, hint } = context
  const { chat } = state()
  if (!host) return
  if (!other && chat.open === null && !sessionEntries(chat).some(entry => entry.kind === 'turn')) {
    return hint('There is no conversation to export yet.')
  }
  const request = readRequest(argument, host.home)
  if ('unknown' in request) {
    const words = `There is no format ${request.unknown}. Formats: ${exportFormats.join(', ')}.`
    return addProgramNotice('warn', words, `/export md ${argument} writes Markdown to a file of this name.`)
  }
  const { format, file } = request
  const { transcript, missing } = other ? { transcript: other, missing: 0 } : transcriptNow(context)
  const saved = await saveExport(await exported(transcript, format, { pause: setImmediate }), transcript, {
    file,
    folder: host.remote?.folderHere ?? host.folder,
    format,
  })
  if (saved.ok) context.ownWrites?.add('export', [saved.path])
  if (saved.ok && missing > 0) return addProgramNotice('warn', `Written: ${saved.path}`, missingText(missing))
  if (saved.ok) return addProgramNotice('info', `Written: ${saved.path}`)
  addProgramNotice('error', saved.message, saved.hint)
}

/** What is written instead of the conversation: that of a subagent, or a stored session. */
export type OtherTranscript = { task: ChatState } | { session: Transcript }

/** The conversation so far in Markdown, or another one; `note` says what is missing, '' for nothing. */
export async function transcriptText(
  context: AppContext,
  other: OtherTranscript | null = null,
): Promise<{ text: string; note: string }> {
  const { transcript, missing } = !other
    ? transcriptNow(context)
    : 'task' in other
      ? transcriptOfTask(context, other.task)
      : { transcript: other.session, missing: 0 }
  return {
    text: await exported(transcript, 'md', { pause: setImmediate }),
    note: missing > 0 ? missingText(missing) : '',
  }
}

/** A stored session with all that was said in it; null if it is gone. */
export function storedTranscript({ sessions }: Pick<AppContext, 'sessions'>, id: string): Transcript | null {
  if (id === sessions?.current().id) sessions.flush()
  const content = sessions?.read(id)
  if (!content) return null
  return transcriptOfEvents(content.events, { id, title: content.title, folder: content.header?.folder ?? null })
}

function transcriptNow(context: AppContext): { transcript: Transcript; missing: number } {
  const session = context.sessions?.current()
  const id = session?.isStored() === true ? session.id : null
  const { chat, missing } = fullTranscript(context)
  const folder = context.host?.folder ?? null
  return { transcript: transcriptOf(chat, { id, title: session?.title() ?? '', folder }), missing }
}

function transcriptOfTask(context: AppContext, chat: ChatState): { transcript: Transcript; missing: number } {
  const folder = context.host?.folder ?? null
  return { transcript: transcriptOf(chat, { id: null, title: '', folder }), missing: shortenedCalls(chat) }
}

type ExportRequest = { format: ExportFormat; file: string | null } | { unknown: string }

/**
 * The format is the first word, or else the extension of the file. It is Markdown without an argument, or with only a folder.
 * A word that is neither a format nor clearly a file is unknown.
 */
function readRequest(argument: string, home: string): ExportRequest {
  const [first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(argument)?.slice(1) ?? []
  const asked = exportFormatOf(first)
  const name = (asked === null ? argument : rest).trim()
  const file = name === '' ? null : name.startsWith('~/') ? join(home, name.slice(2)) : name
  const [, extension] = /\.(\w+)$/.exec(name) ?? []
  const format = asked ?? exportFormatOf(extension ?? '')
  if (format !== null) return { format, file }
  const isFolder = extension === undefined && name.includes('/')
  return file === null || isFolder ? { format: 'md', file } : { unknown: extension ?? first }
}
