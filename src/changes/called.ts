/** The files that the agent's edits and writes were on, each by the one place where it is. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { sessionEntries } from '../conversation/session.ts'
import type { ChatState, Part, ToolCall } from '../conversation/state.ts'
import { changedByCalls } from '../tools/changed-calls.ts'
import { below } from './shown-path.ts'

/** By their absolute paths. */
export type Called = ReadonlyMap<string, readonly ToolCall[]>

/** Of the present session. `folder` is that in which the agent works. */
export async function calledFiles(chat: ChatState, folder: string): Promise<Called> {
  const turns = [...sessionEntries(chat), ...(chat.open ? [chat.open] : [])]
  const parts: Part[] = []
  for (const entry of turns) {
    if (entry.kind === 'turn') for (const part of entry.parts) parts.push(part)
  }
  const called = new Map<string, ToolCall[]>()
  for (const { path, calls } of changedByCalls(parts)) {
    const named = resolve(folder, path)
    // What lies elsewhere is known by its name alone: nobody looks there because an agent says so.
    const file = below(folder, named) === null ? named : await placeOf(named)
    const known = called.get(file) ?? []
    for (const call of calls) known.push(call)
    called.set(file, known)
  }
  return called
}

/** With the folders that links lead to; the file itself may be a link, or gone. */
export async function placeOf(file: string): Promise<string> {
  try {
    return join(await realpath(dirname(file)), basename(file))
  } catch {
    // Its folder is gone, too.
    return file
  }
}
