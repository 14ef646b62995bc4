/** Explains the end of a stream and the server's rejections to the user, and what to do. Pure. */
import { status } from '@grpc/grpc-js'
import type { StreamEnd } from './stream.ts'
import { lookup } from '../../text/lookup.ts'

/** `isFinal`: another try would end in the same way. */
export type RozTrouble = { reason: string; hint: string; isFinal: boolean }

export const OLDER: RozTrouble = {
  reason: 'this roz server speaks an older protocol, which zotui does not support',
  hint: 'upgrade the server to a version of 2026',
  isFinal: true,
}

export type NotSent = 'too large' | 'no stream'

/** Why a prompt could not be sent. */
export const NOT_SENT: Readonly<Record<NotSent, string>> = {
  'too large': 'it is larger than roz accepts: 12 MB with its images',
  'no stream': 'the connection to roz was lost; send it again',
}

/** A problem in one line. */
export function wordsOf({ reason, hint }: RozTrouble): string {
  return hint === '' ? reason : `${reason}; ${hint}`
}

/** A new session was started, which received these turns but not older ones. */
export function reconnectedWords({ turns, leftOut }: { turns: number; leftOut: number }): string {
  const oldest = leftOut > 0 ? `, without its oldest ${leftOut === 1 ? 'turn' : `${leftOut} turns`}` : ''
  const history = `, and sent it the conversation so far (${turns === 1 ? '1 turn' : `${turns} turns`}${oldest})`
  return `Connected to roz again${turns > 0 ? history : ''}.`
}

/** The reasons of the network and of TLS, by their usual names. */
const CAUSES: readonly (readonly [found: RegExp, words: string, hint: string])[] = [
  [/ECONNREFUSED/, 'nothing answers there', 'check the address, and that the server runs'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'the host has no address', 'check the address'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'there is no route to it', 'check the network'],
  [/Hostname\/IP does not match|ERR_TLS_CERT_ALTNAME/, 'its certificate is for another name', 'check the address'],
  [
    /self.signed certificate|unable to (?:verify|get)|unknown ca|CERT_/i,
    'its certificate is not trusted',
    "name the certificate file of its authority: --agent 'roz --ca FILE'",
  ],
  [/wrong version number|ERR_SSL|EPROTO/, 'it does not use TLS', 'use http:// in the address, or its TLS port'],
  [
    /Failed to connect|Protocol error/,
    'the server there does not speak gRPC',
    'check the port, and whether it needs https://',
  ],
]

/** Why there is no stream, or none any more. */
export function explainStreamEnd({ code, details }: StreamEnd, target: string): RozTrouble {
  const [words, hint, isFinal] = troubleOf(code, details, target)
  return { reason: words, hint, isFinal }
}

function troubleOf(code: status, details: string, target: string): [reason: string, hint: string, isFinal: boolean] {
  if (code === status.OK) return ['the server ended the session', '', false]
  if (code === status.UNAUTHENTICATED) return [`roz at ${target} does not accept the key`, 'check ROZ_API_KEY', true]
  if (code === status.PERMISSION_DENIED)
    return [`this key may not use roz at ${target}: ${details}`, 'check ROZ_API_KEY', true]
  if (code === status.UNIMPLEMENTED) return [`${target} is no roz server`, 'check the address', true]
  if (code === status.RESOURCE_EXHAUSTED && /larger than max/.test(details))
    return [`roz at ${target} sent a message that is too large`, '', false]
  if (code === status.RESOURCE_EXHAUSTED)
    return [`roz at ${target} refuses: ${details}`, 'wait a little, then try again', false]
  if (code !== status.UNAVAILABLE) return [`the stream of roz at ${target} broke: ${details}`, '', false]
  const cause = CAUSES.find(([found]) => found.test(details))
  const [, words, hint] = cause ?? [null, details === '' ? 'the reason is unknown' : details, '']
  return [`roz at ${target} cannot be reached: ${words}`, hint, false]
}

/** The failure of a turn in general; another rejection beside it says more. */
const GENERAL = 'turn_rejected'

/** Rejections that end the turn in flight, whatever their words. */
const ENDING: ReadonlySet<string> = new Set([
  GENERAL,
  'agent_error',
  'rate_limited',
  'budget_exceeded',
  'safety_violation',
  'model_error',
  'internal',
  'no_session',
  'worker_timeout',
])

export const endsTurn = (code: string): boolean => ENDING.has(code)

const HINTS: Readonly<Partial<Record<string, string>>> = {
  no_session: '/restart begins a new session',
  worker_timeout: 'its worker does not answer: send it again',
  turn_in_progress: 'it is still working on the previous prompt: send it again',
}

type Rejection = { code: string; message: string; retryable: boolean }

/** The most informative message of these rejections. */
export function failureWords(rejections: readonly Rejection[]): string {
  const clearest = rejections.find(({ code }) => code !== GENERAL) ?? rejections[0]
  return clearest ? rejectionWords(clearest) : ''
}

export function rejectionWords({ code, message, retryable }: Rejection): string {
  const words = message || code.replaceAll('_', ' ') || 'roz gave no reason'
  const hint = lookup(HINTS, code) ?? (retryable ? 'send it again' : undefined)
  return hint === undefined ? words : `${words}; ${hint}`
}
