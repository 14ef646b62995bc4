/** The files that the agent edited and wrote, each by its real path. */
import { basename, dirname, join, resolve } from 'node:path'
import { sessionEntries } from '../conversation/queries/session/session-entries.ts'
import type { ChatState } from '../conversation/state.ts'
import type { Part, ToolCall } from '../conversation/part.ts'
import { here, type ProjectFiles } from '../platform/project-files.ts'
import { changedByCalls } from '../tools/changed-calls.ts'
import { below } from './shown-path.ts'

/** The calls on each file, by absolute path. */
export type CallsByFile = ReadonlyMap<string, readonly ToolCall[]>

/** The files of the present session. `folder` is the agent's working folder. */
export async function callsByFile(chat: ChatState, folder: string, files: ProjectFiles = here): Promise<CallsByFile> {
  const parts: Part[] = []
  for (const { entries, open } of withSubagents(chat)) {
    for (const entry of [...entries, ...(open ? [open] : [])])
      if (entry.kind === 'turn') for (const part of entry.parts) parts.push(part)
  }
  const called = new Map<string, ToolCall[]>()
  for (const { path, calls } of changedByCalls(parts)) {
    const named = resolve(folder, path)
    // Paths outside the folder are taken as they are: nothing is looked up there because an agent says so.
    const file = below(folder, named) === null ? named : await placeOf(named, files)
    const known = called.get(file) ?? []
    for (const call of calls) known.push(call)
    called.set(file, known)
  }
  return called
}

/** The present session's conversation, and those of its subagents. */
function* withSubagents(chat: ChatState): Generator<Pick<ChatState, 'entries' | 'open'>> {
  yield { entries: sessionEntries(chat), open: chat.open }
  for (const task of chat.tasks) if (task.chat) yield task.chat
}

/** The path with links in its folder resolved; the file itself may be a link, or missing. */
export async function placeOf(file: string, files: ProjectFiles = here): Promise<string> {
  try {
    return join(await files.realPath(dirname(file)), basename(file))
  } catch {
    // Its folder does not exist either.
    return file
  }
}
