/** Explains to the user why an agent ended or did not start, and what to do. Pure. */
import type { Ending } from '../transport/transport.ts'

/** The reason why zotui ended it. */
export type EndCause =
  | { type: 'closed' }
  | { type: 'killed' }
  | { type: 'silent'; milliseconds: number; request: string }
  /** `words` are the agent's own reason. */
  | { type: 'refused'; words: string; hint?: string }
  | { type: 'wrong_version'; theirs: string; ours: string }
  | { type: 'unreadable'; request: string }

export type RunEndFacts = {
  /** The name to show. */
  name: string
  /** The name of its protocol: `the Agent Client Protocol`. */
  protocol: string
  ending: Ending
  /** Null if it ended on its own. */
  cause: EndCause | null
  /** Whether it was ready for prompts. */
  started: boolean
  /** A hint for getting the agent; '' if unknown. */
  install: string
}

const ORPHANS = 'shell commands that it started may still be running'
/** Characters. */
const MAX_REASON = 300

/** Explains an end: one line for the reason and one for what to do, '' if there is nothing to do. `redact` removes secrets. */
export function explainEnd(facts: RunEndFacts, redact: (text: string) => string): { reason: string; hint: string } {
  const { reason: whole, hint } = explainCause(facts) ?? explainSpawn(facts) ?? explainExit(facts)
  const reason = redact(whole)
  return { reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}...` : reason, hint }
}

function explainCause({ cause, ending, name, protocol, install }: RunEndFacts) {
  switch (cause?.type) {
    case 'closed': {
      const reason =
        ending.signal === 'SIGKILL' ? `${name} did not end on its own and was killed; ${ORPHANS}` : `${name} ended`
      return { reason, hint: '' }
    }
    case 'killed':
      return { reason: `${name} was killed; ${ORPHANS}`, hint: '' }
    case 'silent':
      return {
        reason: `${name} did not answer ${cause.request} within ${Math.round(cause.milliseconds / 1000)} seconds`,
        hint: `check that the command speaks ${protocol} on its standard input and output`,
      }
    case 'refused': {
      const { words, hint = '' } = cause
      const last = errorIn(plainLines(ending))
      const isNew = last !== undefined && !last.includes(words)
      return { reason: `${name} did not start: ${isNew ? `${words} (${last})` : words}`, hint }
    }
    case 'wrong_version':
      return {
        reason: `${name} speaks version ${cause.theirs} of ${protocol}, but zotui supports version ${cause.ours}`,
        hint: `upgrade the older of the two${install === '' ? '' : `: ${install}`}`,
      }
    case 'unreadable':
      return { reason: `${name} answered ${cause.request} with something that cannot be read`, hint: install }
    case undefined:
      return null
  }
}

function explainSpawn({ ending: { spawnError }, name, install }: RunEndFacts) {
  switch (spawnError) {
    case null:
      return null
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

function explainExit({ ending, name, started, install }: RunEndFacts) {
  const hint = started ? '/restart starts it again' : install
  if (ending.outputClosed) return { reason: `${name} closed its output, so zotui ended it`, hint }
  if (ending.signal !== null) return { reason: `${name} was ended by ${ending.signal}; ${ORPHANS}`, hint }
  const words = complaint(ending)
  const code = `${name} ended with exit code ${ending.code ?? 'unknown'}`
  return { reason: words === null ? code : `${code}: ${words}`, hint }
}

/** The reason on standard error: the line of an error, or the last one of few. */
function complaint(ending: Ending): string | null {
  const plain = plainLines(ending)
  return errorIn(plain) ?? (plain.length <= 3 ? (plain.at(-1) ?? null) : null)
}

function errorIn(lines: readonly string[]): string | undefined {
  return lines.findLast(line => /\b(?:error|failed|fatal|panic|cannot)\b/iu.test(line))
}

/** Without stack traces, and without objects that were printed: the line in which one begins tells nothing without it. */
function plainLines({ lastWords }: Ending): string[] {
  return lastWords.filter(
    line => /^\S/u.test(line) && !/^(?:Node\.js v|at |npm warn)/iu.test(line) && !/^[\])}]|[[({]$/u.test(line),
  )
}
