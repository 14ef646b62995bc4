/** What zot's end is called. Pure. */
import type { EndCause, EndWords, Explanation } from '../host/explain-end.ts'
import type { Ending } from '../transport/transport.ts'
import { SPAWN_ERRORS } from './program/explain-spawn.ts'

/** The prefix of zot's messages on standard error; some builds of July 2026 call themselves Puddle. */
const OWN_WORDS = /^(?:zot|puddle): /u

/** `version` is null if it is unknown. */
export function zotEndWords(version: string | null): EndWords {
  return {
    name: 'zot',
    protocol: 'its protocol',
    version,
    install: '',
    silence: 'an extension may be blocking it: try --no-ext',
    spawn: SPAWN_ERRORS,
    signals: { SIGKILL: 'the system may have run out of memory' },
    exit: (ending, restart) => explainExit(ending, restart, version),
  }
}

/** zot did not accept the handshake. */
export function refusedConnection(message: string): EndCause {
  const hint = message.includes('token') ? 'pass the token that zot was started with' : ''
  return { type: 'explained', reason: `zot refused the connection: ${message}`, hint }
}

function explainExit({ code, lastWords }: Ending, restart: string, version: string | null): Explanation {
  const words = lastComplaint(lastWords)
  if (words === undefined) return { reason: `zot ended with exit code ${code ?? 'unknown'}`, hint: restart }
  for (const { pattern, explain } of COMPLAINTS) {
    const match = pattern.exec(words)
    if (match) return explain(match, version)
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

type Complaint = { pattern: RegExp; explain: (match: RegExpExecArray, version: string | null) => Explanation }

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
    explain: ({ groups }, version) => ({
      reason: `zot does not know ${groups?.['flag']}`,
      hint: `this zot${inBrackets(version)} is too old for ${groups?.['flag']}: upgrade zot or omit the flag`,
    }),
  },
  {
    pattern: /^(?<flag>--\S+) must be .+/u,
    explain: ([words], version) => ({
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
