/**
 * What the output of a failed command says that the sandbox refused. Programs word it in their own ways, and a command may print what it
 * likes: this is a guess, which decides only whether the user is asked.
 */
import { isAbsolute, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** `hint` is the line of the output; `path` is absolute, null where the network was refused. */
export type SandboxRefusal = { hint: string; path: string | null }

export type RefusalPlace = {
  /** The folder that a relative path starts from. */
  folder: string
  /** Whether commands in the sandbox can write this path: then something else refused it. */
  isWritable: (path: string) => boolean
  /** Whether there is something at this path outside of the sandbox. */
  exists: (path: string) => boolean
}

/** Characters and lines of the output that are looked at, from its end, and characters of a hint. */
const MOST_OUTPUT = 64 * 1024
const MOST_LINES = 400
const LONGEST_HINT = 300

const READ_ONLY = /read-only file ?system|\bEROFS\b/i
const DENIED = /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b/i
const MISSING = /no such file or directory|\bENOENT\b/i
/** A program that knows no proxy looks for the address itself. A refused connection may have many other reasons. */
const NO_NAME =
  /could(?: not|n't) resolve host|temporary failure in name resolution|name or service not known|nodename nor servname|\bEAI_AGAIN\b|\bENOTFOUND\b|no such host|network is unreachable|\bENETUNREACH\b/i

/** A shell begins with its own path. */
const OF_SHELL = /^\S*sh: (?:line )?(?:\d+: )?/

/** The last line that speaks of a refusal; null for none. */
export function refusalIn(output: string, place: RefusalPlace): SandboxRefusal | null {
  const lines = stripVTControlCharacters(output.slice(-MOST_OUTPUT)).split(/\r?\n/).slice(-MOST_LINES)
  for (const line of lines.toReversed()) {
    const hint = line.trim().slice(0, LONGEST_HINT)
    const path = pathsIn(line.replace(OF_SHELL, '')).find(each => isRefused(each, line, place))
    if (path !== undefined) return { hint, path: resolve(place.folder, path) }
    if (NO_NAME.test(line)) return { hint, path: null }
  }
  return null
}

function isRefused(text: string, line: string, { folder, isWritable, exists }: RefusalPlace): boolean {
  if (READ_ONLY.test(line)) return true
  if (!isAbsolute(text)) return false
  const path = resolve(folder, text)
  // What is hidden in the sandbox exists outside.
  return (DENIED.test(line) && !isWritable(path)) || (MISSING.test(line) && !isWritable(path) && exists(path))
}

/** What may be paths in a line: texts in quotes, then words with a slash, but for the number of a line of a script. */
function pathsIn(line: string): string[] {
  const quoted = Array.from(line.matchAll(/['"`‘“]([^'"`’”]+)['"`’”]/g), ([, inside = '']) => inside)
  const words = line.split(/[\s'"`‘’“”():,;<>=]+/).filter(word => word.includes('/'))
  return [...quoted, ...words.toReversed()].map(word => word.replace(/[.!?]+$/, '')).filter(word => word !== '')
}
