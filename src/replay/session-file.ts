/** Reads the file of a session that anyone may have made. */
import type { AgentEvent } from '../agent/event.ts'
import { codeOf, UserError } from '../platform/errors.ts'
import { UnreadableFile } from '../platform/regular-file.ts'
import { readLines } from '../storage/jsonl-read.ts'
import type { SessionContent } from '../storage/sessions/read-session.ts'
import { decodeLine, isEvent } from '../storage/sessions/session-format.ts'
import { parseJson } from '../text/json.ts'
import { memberAt } from '../text/member.ts'

/** In bytes. */
const LARGEST_FILE = 256 * 1024 * 1024
/** In characters. */
const LONGEST_LINE = 32 * 1024 * 1024
/** Bytes that are read at once. */
const STEP = 256 * 1024
/** Lines among which one must be of a session. */
const FIRST_LINES = 100
/** The last time that a date can have, in milliseconds since the Unix epoch. */
const LATEST = 8.64e15

const WANTED = 'Choose one of `zotui sessions --all`, or the file of a session.'

/** @throws UserError that says what the file is instead, or why it cannot be read. */
export function readSessionFile(path: string): SessionContent {
  try {
    return read(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = error instanceof UnreadableFile ? error.reason : `cannot be read (${codeOf(error)})`
    throw new UserError(`The file ${path} ${why}.`, WANTED, 2)
  }
}

function read(path: string): SessionContent {
  const content: SessionContent = { header: null, title: '', skipped: 0, events: [] }
  let isSession = false
  for (const { lines } of readLines(path, { step: STEP, limit: LARGEST_FILE })) {
    for (const text of lines) {
      const line = text.length > LONGEST_LINE ? null : decodeLine(text)
      if (line === null) content.skipped += 1
      else if (line.type === 'session') content.header ??= line
      else if (line.type === 'session_titled') content.title = line.title
      else if (isEvent(line)) content.events.push(...harmless(line))
      isSession ||= line !== null
      if (!isSession) refuseOther(path, text)
      if (!isSession && content.skipped === FIRST_LINES) throw noSession(path)
    }
  }
  if (content.events.length === 0) throw noSession(path)
  return content
}

/** A date that does not exist could not be shown, and the picture of a stranger's path is not looked at. */
function harmless(event: AgentEvent): AgentEvent[] {
  if (event.type === 'image_located') return []
  return [{ ...event, at: Math.max(0, Math.min(LATEST, event.at)) }]
}

/** Lines of other files that somebody may take for a session. */
function refuseOther(path: string, text: string): void {
  if (text.includes('"zotui-session"')) throw new UserError(`The file ${path} is an export, not a session.`, WANTED, 2)
  const line = text.length > LONGEST_LINE ? null : parseJson(text.replace(/^\uFEFF/, ''))
  const [type, agent, t] = ['type', 'agent', 't'].map(name => memberAt(line, name))
  if (type === undefined && (typeof agent === 'string' || typeof t === 'number'))
    throw new UserError(
      `The file ${path} is a recording of --record, not a session.`,
      'In a copy of the source of zotui, `node scripts/play-recording.ts FILE` plays it.',
      2,
    )
  if (type === 'meta')
    throw new UserError(
      `The file ${path} is a session of zot.`,
      '`zotui import FILE` makes a session of zotui of it, which can be replayed.',
      2,
    )
}

function noSession(path: string): UserError {
  return new UserError(`The file ${path} is not a session.`, WANTED, 2)
}
