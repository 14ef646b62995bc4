/** Calls that zot is about to run, in our words. Pure but for paths. */
import { isObject } from '../../../text/json.ts'
import { isAbsolute, resolve } from 'node:path'
import type { ToolKind, ToolRequest } from '../../../agent/permission.ts'

const KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  ['bash', 'command'],
  ['powershell', 'command'],
  ['write', 'edit'],
  ['edit', 'edit'],
  ['read', 'read'],
  ['glob', 'read'],
  ['skill', 'read'],
])

/** Whether calls of the tool begin before zot makes them, and their results go to the guard by their marks: those that only read. */
export function isEarly(tool: string): boolean {
  return kindOf(tool) === 'read'
}

export type CallArguments = Readonly<Record<string, unknown>>

export function kindOf(tool: string): ToolKind {
  return KINDS.get(tool) ?? 'other'
}

/**
 * The arguments as zot reads them. zot takes `Command` for `command`, and of two such names the last one: what is asked about must
 * be what runs. Null for arguments that can be read in two ways.
 */
export function readArguments(value: unknown): CallArguments | null {
  if (value === null || value === undefined) return {}
  if (!isObject(value)) return null
  const names = Object.keys(value)
  // Nothing to fold, as in nearly all calls.
  if (names.every(name => PLAIN.test(name))) return value
  const folded = new Set(names.map(fold))
  if (folded.size < names.length) return null
  return names.some(name => fold(name) !== name && KNOWN.has(fold(name))) ? null : value
}

const PLAIN = /^[a-z_]+$/

/** The arguments that zot's own tools read. */
const KNOWN = new Set(['command', 'timeout', 'path', 'pattern', 'content', 'edits', 'offset', 'limit', 'name'])

/** As Go's decoder folds names: two letters beyond ASCII fold into it. */
function fold(name: string): string {
  return name.replaceAll('\u017F', 's').replaceAll('\u212A', 'k').toLowerCase()
}

export type CallFacts = { id: string; callId: string | null; tool: string; args: CallArguments; folder: string }

export function toRequest({ id, callId, tool, args, folder }: CallFacts): ToolRequest {
  const kind = kindOf(tool)
  const { command } = args
  const paths = pathsOf(args, folder)
  return {
    id,
    callId,
    tool,
    kind,
    arguments: args,
    folder,
    ...(kind === 'command' && typeof command === 'string' ? { command } : {}),
    ...(paths ? { paths } : {}),
  }
}

/**
 * The file or folder that zot opens: it cleans relative paths, and leaves `..` in absolute ones to the system. A glob without a path
 * begins in its folder; its pattern can lead out as well.
 */
function pathsOf({ path, pattern }: CallArguments, folder: string): string[] | null {
  const where = path ?? (typeof pattern === 'string' ? '.' : null)
  if (typeof where !== 'string') return null
  const base = isAbsolute(where) ? where : resolve(folder, where)
  const leadsOut =
    typeof pattern === 'string' && (isAbsolute(pattern) || /(?:^|[/\\{,])\.\.(?:$|[/\\},])/.test(pattern))
  return leadsOut ? [base, isAbsolute(pattern) ? '/' : resolve(base, '..')] : [base]
}
