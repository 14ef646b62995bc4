/** Why zot ended or did not start, in words for the person, and what can be done. Pure. */
import type { Ending } from '../transport/transport.ts'
import type { HandshakeFailure } from './handshake.ts'

export type EndFacts = {
  ending: Ending
  /** What made us end it, or null where it ended by itself. */
  cause: { type: 'closed' } | { type: 'killed' } | HandshakeFailure | null
  /** Whether it had answered the handshake. */
  started: boolean
  /** zot's version where it is known. */
  version: string | null
}

export type Explanation = { reason: string; hint: string }

const INSTALL = 'install it with `go install github.com/patriceckhart/zot/cmd/zot@latest` or `brew install zot`'
const ORPHANS = 'shell commands that it started may go on'
const MAX_REASON = 300
/** How zot begins what it says on standard error; some builds of July 2026 call themselves Puddle. */
const OWN_WORDS = /^(?:zot|puddle): /u

/**
 * Explains an end: one line each for why and for what to do, '' where nothing is to be done. `redact` takes out what must not
 * be told.
 */
export function explain(facts: EndFacts, redact = (text: string): string => text): Explanation {
  const { reason: whole, hint } = explainCause(facts) ?? explainSpawn(facts.ending) ?? explainExit(facts)
  const reason = redact(whole)
  return { reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}...` : reason, hint }
}

function explainCause({ cause, ending, version }: EndFacts): Explanation | undefined {
  switch (cause?.type) {
    case 'closed':
      return { reason: ending.signal ? `zot did not end by itself and was killed; ${ORPHANS}` : 'zot ended', hint: '' }
    case 'killed':
      return { reason: `zot was killed; ${ORPHANS}`, hint: '' }
    case 'silent':
      return {
        reason: `zot did not answer within ${Math.round(cause.milliseconds / 1000)} seconds`,
        hint: 'an extension may be blocking it: try --no-ext',
      }
    case 'wrong_protocol':
      return {
        reason: `zot${inBrackets(version)} speaks version ${cause.version} of its protocol, and zotui knows version 1`,
        hint: 'upgrade the older of the two',
      }
    case 'refused':
      return {
        reason: `zot refused to talk: ${cause.message}`,
        hint: cause.message.includes('token') ? 'give the token that zot was started with' : '',
      }
    case 'ended':
    case undefined:
      return undefined
  }
}

function explainSpawn({ spawnError }: Ending): Explanation | undefined {
  switch (spawnError) {
    case null:
      return undefined
    case 'ENOENT':
      return { reason: 'zot was not found', hint: `${INSTALL}, or name it in ZOTUI_ZOT` }
    case 'EACCES':
      return { reason: 'zot may not be executed', hint: 'make the file executable with `chmod +x`' }
    case 'E2BIG':
      return { reason: "zot's arguments are too long for the system", hint: 'give a shorter system prompt' }
    case 'ENOTDIR':
      return { reason: 'the folder to work in does not exist', hint: 'check --cwd' }
    default:
      return { reason: `zot could not be started (${spawnError})`, hint: '' }
  }
}

function explainExit(facts: EndFacts): Explanation {
  const { ending, started } = facts
  const restart = started ? '/restart starts it again' : ''
  if (ending.outputClosed) return { reason: 'zot closed its output and was ended', hint: restart }
  if (ending.signal) {
    const memory = ending.signal === 'SIGKILL' ? 'the system may have run out of memory; ' : ''
    return { reason: `zot was ended by ${ending.signal}; ${ORPHANS}`, hint: `${memory}${restart}` }
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
 * zot says why it ends in its last line that starts with its name; before it may come kilobytes of help. A crash of the Go
 * runtime and a wrapper script that fails have their own ways; of a stack nothing is shown.
 */
function lastComplaint(lines: readonly string[]): string | undefined {
  const complaint = lines.findLast(line => OWN_WORDS.test(line))
  if (complaint !== undefined) return complaint.replace(OWN_WORDS, '')
  const crash = lines.find(line => /^(?:panic|fatal error): /u.test(line))
  if (crash !== undefined) return `zot crashed: ${crash}`
  return lines.length <= 3 ? lines.findLast(line => /^\S/u.test(line)) : undefined
}

type Complaint = { pattern: RegExp; explain: (match: RegExpExecArray, facts: EndFacts) => Explanation }

/** What zot says to do; a key on the command line can be read by everybody, and zotui has the login itself. */
const OWN_LOGIN = /pass --api-key, or run `\w+` and \/login$/u

/** zot's own texts, of v0.1.62 and later. */
const COMPLAINTS: readonly Complaint[] = [
  {
    pattern: /^(?<what>no credential for .+?); (?<how>.+)/u,
    explain: ({ groups }) => ({
      reason: groups?.['what'] ?? '',
      hint: (groups?.['how'] ?? '').replace(OWN_LOGIN, 'or log in: /login in zotui'),
    }),
  },
  {
    pattern: /^unknown model "(?<model>.*?)" \(provider="(?<provider>.*?)"\)/u,
    explain: ({ groups }) => ({
      reason: `zot knows no model "${groups?.['model']}" of ${groups?.['provider']}`,
      hint: '`zot --list-models` shows those that it knows',
    }),
  },
  {
    pattern: /^unknown flag "(?<flag>.*?)"/u,
    explain: ({ groups }, { version }) => ({
      reason: `zot does not know ${groups?.['flag']}`,
      hint: `this zot${inBrackets(version)} is too old for ${groups?.['flag']}: upgrade zot or leave it out`,
    }),
  },
  {
    pattern: /^(?<flag>--\S+) must be .+/u,
    explain: ([words], { version }) => ({
      reason: words,
      hint: `that is what this zot${inBrackets(version)} takes; a newer one may take more`,
    }),
  },
  {
    pattern: /token too long/u,
    explain: () => ({ reason: 'the message was too long for zot', hint: 'send fewer or smaller images' }),
  },
  {
    pattern: /bad auth token/u,
    explain: () => ({ reason: 'zot refused the token', hint: 'give the token that zot was started with' }),
  },
]

function inBrackets(version: string | null): string {
  return version === null ? '' : ` (${version})`
}
