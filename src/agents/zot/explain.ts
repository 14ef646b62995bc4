/** Explains to the user why zot ended or did not start, and what to do. Pure. */
import type { Target } from '../../platform/remote/target.ts'
import { troubleOf } from '../../platform/remote/trouble.ts'
import type { Ending } from '../transport/transport.ts'
import type { HandshakeFailure } from './handshake.ts'
import { explainSpawnError, type Explanation } from './program/explain-spawn.ts'

export type EndFacts = {
  ending: Ending
  /** The reason why zotui ended it; null if it ended on its own. */
  cause: { type: 'closed' } | { type: 'killed' } | { type: 'unguarded'; why: string } | HandshakeFailure | null
  /** Whether it had answered the handshake. */
  started: boolean
  /** zot's version, if known. */
  version: string | null
}

const ORPHANS = 'shell commands that it started may still be running'
/** Characters. */
const MAX_REASON = 300
/** The prefix of zot's messages on standard error; some builds of July 2026 call themselves Puddle. */
const OWN_WORDS = /^(?:zot|puddle): /u

/**
 * Explains an end: one line for the reason and one for what to do, '' if there is nothing to do. `redact` removes secrets.
 */
export function explain(facts: EndFacts, redact = (text: string): string => text): Explanation {
  const { reason: whole, ...more } =
    explainCause(facts) ?? explainLoss(facts) ?? explainSpawn(facts.ending) ?? explainExit(facts)
  const reason = redact(whole)
  return { reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}...` : reason, ...more }
}

function explainCause({ cause, ending, version }: EndFacts): Explanation | undefined {
  switch (cause?.type) {
    case 'closed':
      return { reason: ending.signal ? `zot did not end on its own and was killed; ${ORPHANS}` : 'zot ended', hint: '' }
    case 'killed':
      return { reason: `zot was killed; ${ORPHANS}`, hint: '' }
    case 'unguarded':
      return {
        reason: `${cause.why}, so zotui ended zot; ${ORPHANS}`,
        hint: '/restart starts both again; --no-guard starts zot without it, and then zot never asks',
      }
    case 'silent':
      return {
        reason: `zot did not answer within ${Math.round(cause.milliseconds / 1000)} seconds`,
        hint: 'an extension may be blocking it: try --no-ext',
      }
    case 'wrong_protocol':
      return {
        reason: `zot${inBrackets(version)} speaks version ${cause.version} of its protocol, but zotui supports version 1`,
        hint: 'upgrade the older of the two',
      }
    case 'refused':
      return {
        reason: `zot refused the connection: ${cause.message}`,
        hint: cause.message.includes('token') ? 'pass the token that zot was started with' : '',
      }
    case 'ended':
    case undefined:
      return undefined
  }
}

function explainLoss({ ending: { lost }, started }: EndFacts): Explanation | undefined {
  if (!lost) return undefined
  const { target, end } = lost
  if (!started) return troubleOf(target, { ...end, words: end.lastWords })
  return { reason: lossOf(target), hint: '/restart connects again' }
}

/** The sentence about a lost connection to another machine, without a full stop. */
export function lossOf({ name }: Pick<Target, 'name'>): string {
  return `the connection to ${name} was lost`
}

function explainSpawn({ spawnError }: Ending): Explanation | undefined {
  return spawnError === null ? undefined : explainSpawnError(spawnError)
}

function explainExit(facts: EndFacts): Explanation {
  const { ending, started } = facts
  const restart = started ? '/restart starts it again' : ''
  if (ending.outputClosed) return { reason: 'zot closed its output, so zotui ended it', hint: restart }
  if (ending.signal) {
    const memory = ending.signal === 'SIGKILL' ? 'the system may have run out of memory' : ''
    const hint = [memory, restart].filter(part => part !== '').join('; ')
    return { reason: `zot was ended by ${ending.signal}; ${ORPHANS}`, hint }
  }
  const words = lastComplaint(ending.lastWords)
  if (words === undefined) return { reason: `zot ended with exit code ${ending.code ?? 'unknown'}`, hint: restart }
  for (const { pattern, explain } of COMPLAINTS) {
    const match = pattern.exec(words)
    if (match) return explain(match, facts)
  }
  return { reason: words, hint: restart }
}

/**
 * Finds the reason in zot's standard error: the last line that starts with its name, which may follow kilobytes of help. A
 * crash of the Go runtime and a failing wrapper script have other formats. Stack traces are never shown.
 */
function lastComplaint(lines: readonly string[]): string | undefined {
  const complaint = lines.findLast(line => OWN_WORDS.test(line))
  if (complaint !== undefined) return complaint.replace(OWN_WORDS, '')
  const crash = lines.find(line => /^(?:panic|fatal error): /u.test(line))
  if (crash !== undefined) return `zot crashed: ${crash}`
  return lines.length <= 3 ? lines.findLast(line => /^\S/u.test(line)) : undefined
}

type Complaint = { pattern: RegExp; explain: (match: RegExpExecArray, facts: EndFacts) => Explanation }

/** zot's own advice. zotui replaces it: other users can read a key on the command line, and zotui has /login. */
const OWN_LOGIN = /pass --api-key, or run `\w+` and \/login$/u

/** Messages of zot v0.1.62 and later, and their explanations. */
const COMPLAINTS: readonly Complaint[] = [
  {
    pattern: /^(?<what>no credential for .+?); (?<how>.+)/u,
    explain: ({ groups }) => ({
      reason: groups?.['what'] ?? '',
      hint: (groups?.['how'] ?? '').replace(OWN_LOGIN, 'or log in: /login in zotui'),
      lacks: 'credential',
    }),
  },
  {
    pattern: /^unknown model "(?<model>[^"]*)" \(provider="(?<provider>[^"]*)"\)/u,
    explain: ({ groups }) => ({
      reason: `zot does not know the model "${groups?.['model']}" of ${groups?.['provider']}`,
      hint: '`zot --list-models` lists the models that it knows',
    }),
  },
  {
    pattern: /^unknown flag "(?<flag>.*?)"/u,
    explain: ({ groups }, { version }) => ({
      reason: `zot does not know ${groups?.['flag']}`,
      hint: `this zot${inBrackets(version)} is too old for ${groups?.['flag']}: upgrade zot or omit the flag`,
    }),
  },
  {
    pattern: /^(?<flag>--\S+) must be .+/u,
    explain: ([words], { version }) => ({
      reason: words,
      hint: `this zot${inBrackets(version)} accepts no other value; a newer one may`,
    }),
  },
  {
    pattern: /token too long/u,
    explain: () => ({ reason: 'the message was too long for zot', hint: 'send fewer or smaller images' }),
  },
  {
    pattern: /bad auth token/u,
    explain: () => ({ reason: 'zot refused the token', hint: 'pass the token that zot was started with' }),
  },
]

function inBrackets(version: string | null): string {
  return version === null ? '' : ` (${version})`
}
