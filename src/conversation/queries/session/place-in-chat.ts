/** Finds a place of a session in the conversation that was read from its file, and makes one. */
import type { ToolCall } from '../../part.ts'
import type { ChatState, Entry, Turn } from '../../state.ts'
import type { SessionPlace } from './session-place.ts'

/** Counted from 0. The open turn comes after all entries. */
export type ChatPlace = {
  /** The subagent whose conversation it is in; null for the conversation itself. */
  task: string | null
  entry: number
  /** The part of the turn; null for the prompt, and for an entry without parts. */
  part: number | null
}

/** Null only for a conversation without entries. A place that is not there leads to the last entry before its time. */
export function placeInChat(chat: ChatState, { at, call }: Omit<SessionPlace, 'session'>): ChatPlace | null {
  const found = call === null ? null : callInChat(chat, call, at)
  return found ?? placeByTime(entriesOf(chat), at)
}

/** The place of a part, or of an entry. Texts have no time of their own: their place is the last call or notice before them, or the prompt. */
export function sessionPlaceOf(
  chat: ChatState,
  { task, entry: index, part }: ChatPlace,
  session: string,
): SessionPlace | null {
  const shown = task === null ? chat : chat.tasks.get(task)?.chat
  const entry = shown ? entriesOf(shown)[index] : undefined
  if (!entry) return null
  const none = { session, at: beginningOf(entry), call: null }
  if (entry.kind === 'shell') return { ...none, call: entry.tool.id }
  if (entry.kind !== 'turn') return none
  for (let before = part ?? -1; before >= 0; before -= 1) {
    const each = entry.parts.get(before)
    const tool = each?.kind === 'shell' ? each.tool : each?.kind === 'tool' ? each : null
    const at = each ? timeOf(each) : null
    if (tool && at !== null && before === part) return { session, at, call: tool.id }
    // A command of the user may have begun before the turn.
    if (at !== null && at >= entry.startedAt) return { ...none, at }
  }
  return none
}

/** All entries, with the open one at the end. */
function entriesOf({ entries, open }: ChatState): readonly Entry[] {
  return open === null ? entries : [...entries, open]
}

/** The call with this id that is nearest in time: ids repeat in other turns. Its tool's own calls are at the outermost one. */
function callInChat(chat: ChatState, id: string, at: number): ChatPlace | null {
  const own = callIn(entriesOf(chat), id, at)
  if (own) return { task: null, ...own }
  for (const { id: task, chat: theirs } of chat.tasks) {
    const found = theirs && callIn(entriesOf(theirs), id, at)
    if (found) return { task, ...found }
  }
  return null
}

function callIn(entries: readonly Entry[], id: string, at: number): Omit<ChatPlace, 'task'> | null {
  let best: (Omit<ChatPlace, 'task'> & { far: number }) | null = null
  for (const [entry, each] of entries.entries()) {
    if (each.kind === 'shell' && each.tool.id === id)
      best = nearer(best, { entry, part: null, far: distance(each.tool, at) })
    if (each.kind !== 'turn') continue
    let part = 0
    for (const piece of each.parts) {
      const tool = piece.kind === 'tool' ? piece : piece.kind === 'shell' ? piece.tool : null
      if (tool?.id === id) best = nearer(best, { entry, part: rootOf(each, tool, part), far: distance(tool, at) })
      part += 1
    }
  }
  return best && { entry: best.entry, part: best.part }
}

function nearer<Found extends { far: number }>(best: Found | null, found: Found): Found {
  return best && best.far <= found.far ? best : found
}

function distance({ draftedAt, endedAt }: ToolCall, at: number): number {
  return Math.max(draftedAt - at, at - (endedAt ?? draftedAt), 0)
}

function rootOf({ parts }: Turn, { id, root }: ToolCall, part: number): number {
  if (root === id) return part
  for (let before = part - 1; before >= 0; before -= 1) {
    const each = parts.get(before)
    if (each?.kind === 'tool' && each.id === root) return before
  }
  return part
}

/** The newest place that is not after `at`. A command of the user stands where it ended, so that places are not in the order of their times. */
function placeByTime(entries: readonly Entry[], at: number): ChatPlace | null {
  if (entries.length === 0) return null
  let best: Omit<ChatPlace, 'task'> & { time: number } = { time: Number.NEGATIVE_INFINITY, entry: 0, part: null }
  const take = (time: number | null, entry: number, part: number | null): void => {
    if (time !== null && time <= at && time >= best.time) best = { time, entry, part }
  }
  for (const [entry, each] of entries.entries()) {
    const begun = beginningOf(each)
    take(begun, entry, null)
    if (each.kind !== 'turn') continue
    let part = 0
    for (const piece of each.parts) {
      // What happened with the prompt is not mistaken for it.
      if (timeOf(piece) !== begun) take(timeOf(piece), entry, part)
      part += 1
    }
  }
  return { task: null, entry: best.entry, part: best.part }
}

function beginningOf(entry: Entry): number {
  if (entry.kind === 'shell') return entry.tool.draftedAt
  return entry.kind === 'turn' || entry.kind === 'compaction' ? entry.startedAt : entry.at
}

/** When a part began; null for a text, which has no time. */
function timeOf(part: NonNullable<ReturnType<Turn['parts']['get']>>): number | null {
  switch (part.kind) {
    case 'tool':
      // An answer is finished before its calls run, but after they are drafted. A result that came before its call began it.
      return Math.max(part.startedAt ?? part.draftedAt, part.draftedAt)
    case 'shell':
      return part.tool.draftedAt
    case 'thought':
      return part.startedAt
    case 'notice':
    case 'steer':
      return part.at
    case 'text':
      return null
  }
}
