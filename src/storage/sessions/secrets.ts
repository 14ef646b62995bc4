/**
 * Takes known secrets out of what is told, before anybody sees or stores it. Only exact values are known: the keys and tokens
 * of the environment and those that were passed. The first characters stay, so that a person can tell which one it was.
 */
import type { AgentEvent } from '../../agent/event.ts'
import { isPiece, textOf, type EventPiece } from '../../agent/joined.ts'
import { seen, type Unseen } from '../../text/unseen.ts'

/** What stands in place of all but the first characters of a secret. */
const MASK = '[hidden]'
/** So many stay. Text that only begins like a secret is therefore never held back for its first characters. */
const VISIBLE = 3
/** Shorter values are too likely to be words. */
const SHORTEST = 8
const SHORTEST_IN_ENVIRONMENT = 12

const SECRET_NAME = /(?:^|_)(?:API_?KEY|TOKEN|SECRET|SECRET_KEY|SECRET_ACCESS_KEY|PASSWORD|BEARER_TOKEN_BEDROCK)$/i

/** The secrets of an environment, and those `passed` besides, such as `--api-key`. */
export function knownSecrets(
  env: Readonly<Record<string, string | undefined>>,
  passed: readonly (string | undefined)[] = [],
): string[] {
  const inEnvironment = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= SHORTEST_IN_ENVIRONMENT ? [value] : [],
  )
  const given = passed.filter((value): value is string => value !== undefined && value.length >= SHORTEST)
  return [...new Set([...given, ...inEnvironment])]
}

export type Redactor = {
  /**
   * The events to go on with in place of this one. The end of a text that may be the beginning of a secret is held until its
   * text goes on or something else happens than to another call.
   */
  push: (event: AgentEvent) => AgentEvent[]
  /** What is held, for when nothing more can come; of one call, for when only what it printed is over. */
  flush: (call?: string) => AgentEvent[]
  /** A text that stands for itself. */
  redact: (text: string) => string
  /** A text that comes in pieces and is no event. */
  stream: () => RedactedStream
}

export type RedactedStream = {
  /** What can be told by now: the end of it may be held, where it could become a secret. */
  push: (piece: string) => string
  /** What is held: the text is over. */
  end: () => string
}

export function createRedactor(secrets: readonly string[]): Redactor {
  // In the text of JSON, such as a tool's arguments while they are written, some characters look otherwise.
  const inJson = secrets.map(secret => JSON.stringify(secret).slice(1, -1))
  const all = [...new Set([...secrets, ...inJson])]
  if (all.length === 0) {
    const stream = { push: (piece: string) => piece, end: () => '' }
    return { push: event => [event], flush: () => [], redact: text => text, stream: () => stream }
  }

  // A colour or a mark in the middle of a secret is not seen, and the secret is. One after the other, since the letters of a
  // sequence may belong to it as well.
  const views = (['marks', 'colours', 'sequences'] as const).map(unseen => viewWithout(unseen, all))
  const held = new Map<string, { piece: EventPiece; stream: Stream }>()
  const redact = (text: string): string => views.reduce((rest, view) => through(view, rest, false).done, text)

  function flush(call?: string): AgentEvent[] {
    const over = [...held].filter(([, { piece }]) => call === undefined || !('id' in piece) || piece.id === call)
    for (const [key] of over) held.delete(key)
    return over.flatMap(([, { piece, stream }]) => withText(piece, stream.end()))
  }

  function pushPiece(piece: EventPiece): AgentEvent[] {
    const key = textOf(piece)
    const stream = held.get(key)?.stream ?? createStream(views)
    const text = stream.push(piece.text)
    held.delete(key)
    if (stream.isHolding()) held.set(key, { piece, stream })
    return withText(piece, text)
  }

  return {
    flush,
    redact,
    stream: () => createStream(views),
    push: event => (isPiece(event) ? pushPiece(event) : [...flush(callOf(event)), redactedValue(event, redact)]),
  }
}

/** The call that an event is about, and no other text: what other calls print goes on behind it. */
function callOf(event: AgentEvent): string | undefined {
  return 'id' in event && typeof event.id === 'string' ? event.id : undefined
}

/** A way to look at a text, and what the secrets are in it, the longest first. */
type View = { unseen: Unseen; needles: readonly string[] }

function viewWithout(unseen: Unseen, secrets: readonly string[]): View {
  const needles = secrets.map(secret => seen(secret, unseen, false).text).filter(needle => needle.length > VISIBLE)
  return { unseen, needles: [...new Set(needles)].toSorted((a, b) => b.length - a.length) }
}

type Stream = RedactedStream & { isHolding: () => boolean }

/** Each view is handed what the one before it tells. */
function createStream(views: readonly View[]): Stream {
  const streams = views.map(streamOf)
  return {
    isHolding: () => streams.some(stream => stream.isHolding()),
    push: piece => streams.reduce((text, stream) => stream.push(text), piece),
    end: () => streams.reduce((text, stream) => stream.push(text) + stream.end(), ''),
  }
}

function streamOf(view: View): Stream {
  // The end of the text that may begin a secret; its first `shown` characters have been handed on.
  let held = ''
  let shown = 0
  return {
    isHolding: () => held !== '',
    push(piece) {
      const { done, open, first } = through(view, held + piece, true)
      // In whatever way the open end goes on, its first characters stay.
      const told = (done + open.slice(0, first)).slice(shown)
      held = open
      shown = first
      return told
    },
    end() {
      const rest = through(view, held, false).done.slice(shown)
      held = ''
      shown = 0
      return rest
    },
  }
}

function withText(piece: EventPiece, text: string): AgentEvent[] {
  return text === '' ? [] : [{ ...piece, text }]
}

type Redacted = {
  done: string
  /** An end that may become a secret, or unseen. */
  open: string
  /** So many characters of it stay in any case. */
  first: number
}

/**
 * A text with its secrets masked: of those that begin at one place the longest, and from left to right, so that it makes no
 * difference in which pieces the text came. Where it `goesOn`, an end that may become a secret is left `open`. What is not seen
 * within a secret stays: a colour may go on behind it.
 */
function through({ unseen, needles }: View, text: string, goesOn: boolean): Redacted {
  const { text: plain, at, end } = seen(text, unseen, goesOn)
  let done = ''
  let from = 0
  /** Where that is in the text. */
  let behind = 0
  for (;;) {
    const match = firstMatch(needles, plain, from)
    const open = goesOn ? openFrom(needles, plain, from) : -1
    if (open >= 0 && (!match || open <= match.at)) {
      const begin = at(open)
      const last = Math.min(open + VISIBLE, plain.length) - 1
      return { done: done + text.slice(behind, begin), open: text.slice(begin), first: at(last) + 1 - begin }
    }
    if (!match) return { done: done + text.slice(behind, end), open: text.slice(end), first: 0 }
    const past = match.at + match.length
    done += text.slice(behind, at(match.at + VISIBLE - 1) + 1) + MASK
    for (let index = match.at + VISIBLE; index < past; index += 1) done += text.slice(at(index - 1) + 1, at(index))
    from = past
    behind = at(past - 1) + 1
  }
}

function firstMatch(needles: readonly string[], text: string, from: number): { at: number; length: number } | null {
  let first: { at: number; length: number } | null = null
  // The longest come first, and keep the place that they share with shorter ones.
  for (const needle of needles) {
    const at = text.indexOf(needle, from)
    if (at >= 0 && (!first || at < first.at)) first = { at, length: needle.length }
  }
  return first
}

/** Where the longest end begins that is the beginning of a secret; -1 for none. */
function openFrom(needles: readonly string[], text: string, from: number): number {
  let longest = 0
  for (const needle of needles) {
    for (let length = Math.min(needle.length - 1, text.length - from); length > longest; length -= 1) {
      if (text.endsWith(needle.slice(0, length))) longest = length
    }
  }
  return longest === 0 ? -1 : text.length - longest
}

/** The same value, as far as it holds no secret, at any depth. */
function redactedValue<Value>(value: Value, redact: (text: string) => string): Value {
  return mapped(value, redact) as Value
}

function mapped(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(each => mapped(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), mapped(each, redact)]))
}
