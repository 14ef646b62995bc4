/** Reads a `.zotsession` file or one of zot's own session files. A damaged line costs only that line. */
import type { AgentEvent } from '../agent/event.ts'
import { messageOf, UserError } from '../platform/errors.ts'
import { UnreadableFile } from '../platform/regular-file.ts'
import { readLines } from '../storage/jsonl-read.ts'
import { createZotReader } from './zot-events.ts'
import { readZotLine, type ZotMeta } from './zot-line.ts'

export type ZotSession = {
  meta: ZotMeta
  /** The title; empty where it has none. */
  title: string
  events: AgentEvent[]
  /** The number of lines that could not be read. */
  skipped: number
}

/** In bytes. Images make them large. */
const LARGEST_FILE = 256 * 1024 * 1024
/** In characters; zot does not accept longer lines either. */
const LONGEST_LINE = 32 * 1024 * 1024
/** Bytes that are read at once. */
const STEP = 256 * 1024

const WANTED = 'Pass a .zotsession file, as written by /export in zotui or zot.'

/** @throws UserError where the file cannot be read or is not a session. */
export function readZotsession(path: string): ZotSession {
  const reading = readingZotsession(path)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** Reads a piece of the file at each step, so that large files do not block the program. */
export function* readingZotsession(path: string): Generator<undefined, ZotSession> {
  const reader = createZotReader()
  const session: { meta: ZotMeta | null; title: string; events: AgentEvent[]; skipped: number } = {
    meta: null,
    title: '',
    events: [],
    skipped: 0,
  }
  try {
    for (const { lines } of readLines(path, { step: STEP, limit: LARGEST_FILE })) {
      for (const text of lines) add(text)
      yield
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    if (error instanceof UnreadableFile) throw new UserError(`${error.message}.`, WANTED)
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`)
  }
  if (session.meta === null) throw new UserError(`${path} is empty.`, WANTED)
  for (const event of reader.end()) session.events.push(event)
  return { ...session, meta: session.meta }

  function add(text: string): void {
    const line = text.length > LONGEST_LINE ? null : readZotLine(text)
    if (line === null) session.skipped += 1
    // zot itself accepts no other first line.
    if (session.meta === null && line?.type !== 'meta') throw new UserError(`${path} is not a zot session.`, WANTED)
    if (line === null) return
    if (line.type === 'meta') session.meta = line.meta
    if (line.type === 'meta' && line.meta.title !== '') session.title = line.meta.title
    if (line.type === 'rename') session.title = line.title
    for (const event of reader.read(line)) session.events.push(event)
  }
}
