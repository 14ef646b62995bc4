/**
 * Snapshots of files before the agent's own tools change them, for files that git does not track. A tool runs as soon as it
 * is called, so the snapshot is taken while the model is still writing the call.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { AgentEvent } from '../agent/event.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import { isWithin } from '../platform/within.ts'
import { contentOf, type FileContent } from './file-content.ts'
import { below } from './shown-path.ts'
import { memberAt, textAt } from '../text/member.ts'

export type PreEditSnapshots = {
  /** Takes each event as it comes. Never throws. */
  take: (event: AgentEvent) => void
  /** The snapshots by absolute path, as resolved from the calls. */
  befores: () => ReadonlyMap<string, FileContent>
  forget: () => void
}

/** Bytes of one file, and of all of them. */
const MOST_OF_ONE = 1024 * 1024
const MOST_OF_ALL = 32 * 1024 * 1024
/** Characters of a call that are searched for the path. */
const HEAD = 4096

/** `folder` is the agent's working folder. */
export function createPreEditSnapshots(folder: string): PreEditSnapshots {
  const looks = new Map<string, FileContent>()
  /** The beginnings of calls that are being written, by id. */
  const drafts = new Map<string, string>()
  /** Files whose snapshot was taken before the whole call was known. */
  const early = new Set<string>()
  let room = MOST_OF_ALL

  function take(event: AgentEvent): void {
    if (event.type === 'tool_drafted' && isChanging(event.name)) drafts.set(event.id, '')
    else if (event.type === 'tool_arguments_received') draft(event.id, event.text)
    else if (event.type === 'answer_finished') {
      for (const block of event.content) if (block.type === 'tool_call') called(block.name, block.arguments)
    } else if (event.type === 'tool_called') {
      drafts.delete(event.id)
      called(event.name, event.arguments)
    }
  }

  function forget(): void {
    looks.clear()
    drafts.clear()
    early.clear()
    room = MOST_OF_ALL
  }

  function draft(id: string, text: string): void {
    const before = drafts.get(id)
    if (before === undefined) return
    const head = before + text
    const path = pathIn(head)
    if (path === null && head.length < HEAD) return void drafts.set(id, head)
    drafts.delete(id)
    if (path === null) return
    const file = resolve(folder, path)
    if (!looks.has(file)) early.add(file)
    look(path, () => true)
  }

  function called(name: string, args: unknown): void {
    const path = isChanging(name) ? textAt(args, 'path') : undefined
    if (path === undefined) return
    const file = resolve(folder, path)
    const seen = early.delete(file) ? looks.get(file) : undefined
    if (seen && isAfter(seen, args)) looks.set(file, TOO_LATE)
    else look(path, content => isBefore(content, args))
  }

  function look(path: string, isSure: (content: FileContent) => boolean): void {
    const file = resolve(folder, path)
    if (looks.has(file) || room <= 0 || !isOurs(file, folder)) return
    const content = readNow(file)
    if (!isSure(content)) return void looks.set(file, TOO_LATE)
    room -= content.kind === 'text' ? content.text.length : 0
    looks.set(file, content)
  }

  return { take, befores: () => looks, forget }
}

const TOO_LATE: FileContent = { kind: 'unread', why: 'was changed before it could be read' }

const isChanging = (name: string): boolean => name === 'write' || name === 'edit'

/** The path in incomplete arguments; null if it has not arrived. */
function pathIn(json: string): string | null {
  const quoted = /"path"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(json)?.[1]
  try {
    return quoted === undefined ? null : String(JSON.parse(quoted))
  } catch {
    // Invalid JSON: the call will fail.
    return null
  }
}

/** Whether the content is a call's result, so that the call had run before it was reported. */
function isAfter(content: FileContent, args: unknown): boolean {
  if (content.kind !== 'text') return false
  const written = memberAt(args, 'content')
  return written === undefined ? !isBefore(content, args) : content.text === written
}

/** Whether a call cannot have changed this content already. */
function isBefore(content: FileContent, args: unknown): boolean {
  if (content.kind === 'none') return true
  if (content.kind !== 'text') return false
  const { text } = content
  // A file that is being written has a prefix of the new content.
  const written = memberAt(args, 'content')
  if (written !== undefined) return typeof written === 'string' && !written.startsWith(text)
  const edits = memberAt(args, 'edits')
  if (!Array.isArray(edits) || edits.length === 0) return false
  return edits.every(edit => canStillBeMade(edit, text.replaceAll('\r\n', '\n')))
}

function canStillBeMade(edit: unknown, text: string): boolean {
  const [oldText, newText] = [textAt(edit, 'oldText'), textAt(edit, 'newText')]
  if (oldText === undefined || newText === undefined) return false
  return text.includes(oldText) && !(newText.includes(oldText) && text.includes(newText))
}

/** Whether a file lies in the working folder, links resolved: nothing outside of it is read because an agent says so. */
function isOurs(file: string, folder: string): boolean {
  if (file.includes('\0') || below(folder, file) === null) return false
  try {
    const [inside, root] = [realpathSync(dirname(file)), realpathSync(folder)]
    return isWithin(root, inside)
  } catch {
    // Its folder does not exist, so the file does not either.
    return true
  }
}

/** Reads synchronously: a moment later the call may have run. */
function readNow(file: string): FileContent {
  try {
    if (lstatSync(file).isSymbolicLink()) return { kind: 'link', text: readlinkSync(file) }
  } catch {
    return { kind: 'none' }
  }
  const bytes = readRegularFileSync(file, MOST_OF_ONE)
  return bytes ? contentOf(bytes) : { kind: 'unread', why: 'was not saved before it was changed' }
}
