/**
 * Takes known secrets out of what is told, before anybody sees or stores it. Only exact values are known: the keys and tokens
 * of the environment and those that were passed. The first characters stay, so that a person can tell which one it was.
 */
import type { AgentEvent } from '../agent/event.ts'
import { isPiece, textOf, type Piece } from '../agent/joined.ts'

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
   * text goes on or something else happens.
   */
  push: (event: AgentEvent) => AgentEvent[]
  /** What is held, for when nothing more can come. */
  flush: () => AgentEvent[]
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
  const needles = [...new Set([...secrets, ...inJson])].toSorted((a, b) => b.length - a.length)
  if (needles.length === 0) {
    const stream = { push: (piece: string) => piece, end: () => '' }
    return { push: event => [event], flush: () => [], redact: text => text, stream: () => stream }
  }

  const held = new Map<string, { piece: Piece; stream: Stream }>()
  const redact = (text: string): string => through(needles, text, false).done

  function flush(): AgentEvent[] {
    const rest = [...held.values()].flatMap(({ piece, stream }) => withText(piece, stream.end()))
    held.clear()
    return rest
  }

  function pushPiece(piece: Piece): AgentEvent[] {
    const key = textOf(piece)
    const stream = held.get(key)?.stream ?? createStream(needles)
    const text = stream.push(piece.text)
    held.delete(key)
    if (stream.isHolding()) held.set(key, { piece, stream })
    return withText(piece, text)
  }

  return {
    flush,
    redact,
    stream: () => createStream(needles),
    push: event => (isPiece(event) ? pushPiece(event) : [...flush(), redactedValue(event, redact)]),
  }
}

type Stream = RedactedStream & { isHolding: () => boolean }

function createStream(needles: readonly string[]): Stream {
  // The end of the text that may begin a secret; its first `shown` characters have been handed on.
  let held = ''
  let shown = 0
  return {
    isHolding: () => held !== '',
    push(piece) {
      const { done, open } = through(needles, held + piece, true)
      // In whatever way the open end goes on, its first characters stay.
      const seen = open.slice(0, VISIBLE)
      const told = (done + seen).slice(shown)
      held = open
      shown = seen.length
      return told
    },
    end() {
      const rest = through(needles, held, false).done.slice(shown)
      held = ''
      shown = 0
      return rest
    },
  }
}

function withText(piece: Piece, text: string): AgentEvent[] {
  return text === '' ? [] : [{ ...piece, text }]
}

/**
 * A text with its secrets masked: of those that begin at one place the longest, and from left to right, so that it makes no
 * difference in which pieces the text came. Where it `goesOn`, an end that may become a secret is left `open`.
 */
function through(needles: readonly string[], text: string, goesOn: boolean): { done: string; open: string } {
  let done = ''
  let from = 0
  for (;;) {
    const match = firstMatch(needles, text, from)
    const open = goesOn ? openFrom(needles, text, from) : -1
    if (open >= 0 && (!match || open <= match.at))
      return { done: done + text.slice(from, open), open: text.slice(open) }
    if (!match) return { done: done + text.slice(from), open: '' }
    done += text.slice(from, match.at + VISIBLE) + MASK
    from = match.at + match.length
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
