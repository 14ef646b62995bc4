/** Reads any session as it is stored, to look at it: the program stays in its own. */
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolCall } from '../../conversation/part.ts'
import {
  eventsOf,
  eventsWith,
  handOver,
  pieces,
  readSessionInPieces,
  type SessionFacts,
  type TakePiece,
} from '../../storage/sessions/read-session.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import { readCall } from './full-transcript.ts'

type StoredReading = Pick<Sessions, 'current' | 'flush' | 'pathOf' | 'read'>

/** Passes the events to `take` in pieces, without blocking. Null if there is no such session, or `take` did not want all of it. */
export async function readStored(
  sessions: StoredReading,
  id: string,
  take: TakePiece<AgentEvent>,
): Promise<SessionFacts | null> {
  const path = storedPath(sessions, id)
  try {
    if (path !== null) return await readSessionInPieces(path, (lines, share) => take(eventsOf(lines), share))
  } catch {
    // It was deleted meanwhile, or the disk does not give it: the viewer says so.
    return null
  }
  const content = sessions.read(id)
  return content && ((await handOver(content.events, take)) ? content : null)
}

/** Reads a complete call of that session in pieces, at the caller's pace. Null if the session does not have it. */
export function readStoredCall(sessions: StoredReading, id: string, tool: ToolCall): Generator<void, ToolCall | null> {
  return readCall({ find: mark => eventsOfMark(sessions, id, mark) }, tool)
}

function* eventsOfMark(sessions: StoredReading, id: string, mark: string): Generator<AgentEvent[], void> {
  const path = storedPath(sessions, id)
  if (path === null) return yield* pieces(sessions.read(id)?.events ?? [])
  try {
    yield* eventsWith(path, mark)
  } catch {
    // Without its file, a call stays as short as it is in memory.
  }
}

/** The file, with all that was said so far. Null for a session that has none yet, or that another program keeps. */
function storedPath(sessions: StoredReading, id: string): string | null {
  if (id === sessions.current().id) sessions.flush()
  return sessions.pathOf(id)
}
