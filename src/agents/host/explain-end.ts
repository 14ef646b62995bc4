/** Explains to the user why an agent ended or did not start, and what to do. Each agent has a table of its own words. Pure. */
import { troubleOf } from '../../platform/remote/trouble.ts'
import type { Target } from '../../platform/remote/target.ts'
import { lookup } from '../../text/lookup.ts'
import type { Ending } from '../transport/transport.ts'

/** The reason why zotui ended it. */
export type EndCause =
  | { type: 'closed' }
  | { type: 'killed' }
  /** `request` is what it did not answer; any if there is none. */
  | { type: 'silent'; milliseconds: number; request?: string; hint?: string }
  /** `words` are the agent's own reason. */
  | { type: 'refused'; words: string; hint?: string }
  | { type: 'wrong_version'; theirs: string; ours: string }
  | { type: 'unreadable'; request: string }
  | { type: 'explained'; reason: string; hint: string }

/** `lacks`: it did not start because it has no API key. */
export type Explanation = { reason: string; hint: string; lacks?: 'credential' }

/** What an agent's end is called. */
export type EndWords = {
  /** The name to show. */
  name: string
  /** The name of what it speaks: `its protocol`. */
  protocol: string
  /** Its version; null if that is unknown, or explains nothing. */
  version?: string | null
  /** A hint for getting the agent; '' if unknown. */
  install: string
  /** What a user may do about its silence. */
  silence?: string
  /** What to say if it was killed and nothing of it can be left. */
  killed?: string
  /** Why the system did not start it, by the error's name. */
  spawn?: Readonly<Partial<Record<string, Explanation>>>
  /** Hints for the signals that ended it. */
  signals?: Readonly<Partial<Record<string, string>>>
  /** That it exited by itself. `restart` is the hint for starting it again. */
  exit?: (ending: Ending, restart: string) => Explanation
}

export type EndFacts = {
  words: EndWords
  ending: Ending
  /** Null if it ended on its own. */
  cause: EndCause | null
  started: boolean
}

export const ORPHANS = 'shell commands that it started may still be running'
/** Characters. */
const MAX_REASON = 300

/** Explains an end: one line for the reason and one for what to do, '' if there is nothing to do. `redact` removes secrets. */
export function explainEnd(facts: EndFacts, redact: (text: string) => string): Explanation {
  const { reason: whole, ...more } =
    explainCause(facts) ?? explainLoss(facts) ?? explainSpawn(facts) ?? explainExit(facts)
  const reason = redact(whole)
  return { reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}...` : reason, ...more }
}

function explainCause({ cause, ending, words }: EndFacts): Explanation | null {
  const { name, protocol, install } = words
  switch (cause?.type) {
    case 'closed': {
      const reason =
        ending.signal === 'SIGKILL' ? `${name} did not end on its own and was killed; ${ORPHANS}` : `${name} ended`
      return { reason, hint: '' }
    }
    case 'killed':
      return { reason: words.killed ?? `${name} was killed; ${ORPHANS}`, hint: '' }
    case 'silent': {
      const { request, milliseconds, hint } = cause
      return {
        reason: `${name} did not answer${request === undefined ? '' : ` ${request}`} within ${Math.round(milliseconds / 1000)} seconds`,
        hint: hint ?? words.silence ?? `check that the command speaks ${protocol} on its standard input and output`,
      }
    }
    case 'refused': {
      const { words: own, hint = '' } = cause
      const last = errorIn(plainLines(ending))
      const isNew = last !== undefined && !last.includes(own)
      return { reason: `${name} did not start: ${isNew ? `${own} (${last})` : own}`, hint }
    }
    case 'wrong_version':
      return {
        reason: `${named(words)} speaks version ${cause.theirs} of ${protocol}, but zotui supports version ${cause.ours}`,
        hint: `upgrade the older of the two${install === '' ? '' : `: ${install}`}`,
      }
    case 'unreadable':
      return { reason: `${name} answered ${cause.request} with something that cannot be read`, hint: install }
    case 'explained':
      return { reason: cause.reason, hint: cause.hint }
    case undefined:
      return null
  }
}

function explainLoss({ ending: { lost }, started }: EndFacts): Explanation | null {
  if (!lost) return null
  const { target, end } = lost
  if (!started) return troubleOf(target, { ...end, words: end.lastWords })
  return { reason: lossOf(target), hint: '/restart connects again' }
}

/** The sentence about a lost connection to another machine, without a full stop. */
export function lossOf({ name }: Pick<Target, 'name'>): string {
  return `the connection to ${name} was lost`
}

function explainSpawn({ ending: { spawnError }, words: { name, install, spawn = {} } }: EndFacts): Explanation | null {
  if (spawnError === null) return null
  const own = lookup(spawn, spawnError)
  if (own) return own
  switch (spawnError) {
    case 'ENOENT':
      return { reason: `${name} was not found`, hint: install }
    case 'EACCES':
      return { reason: `${name} is not executable`, hint: 'make the file executable with `chmod +x`' }
    case 'ENOTDIR':
      return { reason: 'the working folder does not exist', hint: 'check --cwd' }
    default:
      return { reason: `${name} could not be started (${spawnError})`, hint: '' }
  }
}

function explainExit({ ending, words, started }: EndFacts): Explanation {
  const { name, install, signals = {}, exit } = words
  const hint = started ? '/restart starts it again' : install
  if (ending.outputClosed) return { reason: `${name} closed its output, so zotui ended it`, hint }
  if (ending.signal !== null) {
    const hints = [lookup(signals, ending.signal) ?? '', hint]
    const reason = `${name} was ended by ${ending.signal}; ${ORPHANS}`
    return { reason, hint: hints.filter(part => part !== '').join('; ') }
  }
  if (exit) return exit(ending, hint)
  const complaint = complaintIn(ending)
  const code = `${name} ended with exit code ${ending.code ?? 'unknown'}`
  return { reason: complaint === null ? code : `${code}: ${complaint}`, hint }
}

/** The name with the version. */
function named({ name, version = null }: EndWords): string {
  return version === null ? name : `${name} (${version})`
}

/** The reason on standard error: the line of an error, or the last one of few. */
function complaintIn(ending: Ending): string | null {
  const plain = plainLines(ending)
  return errorIn(plain) ?? (plain.length <= 3 ? (plain.at(-1) ?? null) : null)
}

function errorIn(lines: readonly string[]): string | undefined {
  return lines.findLast(line => /\b(?:error|failed|fatal|panic|cannot)\b/iu.test(line))
}

/** Without stack traces, and without objects that were printed: the line in which one begins says nothing without it. */
function plainLines({ lastWords }: Ending): string[] {
  return lastWords.filter(
    line => /^\S/u.test(line) && !/^(?:Node\.js v|at |npm warn)/iu.test(line) && !/^[\])}]|[[({]$/u.test(line),
  )
}
