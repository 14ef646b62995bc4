/**
 * Masks known secrets in events before they are shown or stored. Only exact values are known: keys and tokens in the environment,
 * and those that were passed. The first characters stay visible, so that a user can see which secret it was.
 */
import { isContainer } from '../../text/json.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { conversationOf, isPiece, textOf, type EventPiece } from '../../agent/pieces.ts'
import { visibleText, type InvisibleKind } from '../../text/controls/visible-text.ts'

/** Replaces all but the first characters of a secret. */
const MASK = '[hidden]'
/** The number of characters that stay visible. They are never buffered, since they are the same in any case. */
const VISIBLE = 3
/** Shorter values are too likely to be words. */
const SHORTEST = 8
const SHORTEST_IN_ENVIRONMENT = 12

const SECRET_NAME = /(?:^|_)(?:API_?KEY|TOKEN|SECRET|SECRET_KEY|SECRET_ACCESS_KEY|PASSWORD|BEARER_TOKEN_BEDROCK)$/i

/** The secrets of an environment, and those that were `passed`, such as `--api-key`. */
export function knownSecrets(
  env: Readonly<Record<string, string | undefined>>,
  passed: readonly (string | undefined)[] = [],
): string[] {
  const inEnvironment = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= SHORTEST_IN_ENVIRONMENT ? [value] : [],
  )
  const secrets = passed.filter((value): value is string => value !== undefined && value.length >= SHORTEST)
  return [...new Set([...secrets, ...inEnvironment])]
}

export type Redactor = {
  /**
   * The events to use in place of this one. If the end of a text may begin a secret, it is buffered until the text continues or an
   * event comes that is not about another call.
   */
  push: (event: AgentEvent) => AgentEvent[]
  /** The buffered text, for when nothing more can come; with `call`, only that of a call whose output has ended. */
  flush: (call?: string) => AgentEvent[]
  /** Masks a complete text. */
  redact: (text: string) => string
  /** Masks a text that comes in pieces outside of events. */
  stream: () => RedactedStream
}

export type RedactedStream = {
  /** The text that is safe to show so far. An end that may begin a secret is buffered. */
  push: (piece: string) => string
  /** The buffered rest, when the text has ended. */
  end: () => string
}

/** The list may grow: a setting may bring more of them. */
export function createRedactor(secrets: readonly string[]): Redactor {
  let known = maskingOf(secrets)
  const masking = (): Masking => (known.count === secrets.length ? known : (known = maskingOf(secrets)))
  /** The open ends of texts, in the conversation (null) and in those of its subagents. */
  const buffered = new Map<string | null, Map<string, { piece: EventPiece; stream: Stream }>>()
  const redact = (text: string): string => {
    const { count, views, needles } = masking()
    return count === 0 || (isPlain(text) && !hasAny(text, needles))
      ? text
      : views.reduce((rest, view) => through(view, rest, false).done, text)
  }

  function flush(call?: string): AgentEvent[] {
    return [...buffered.keys()].flatMap(of => flushOf(of, call))
  }

  function flushOf(of: string | null, call?: string): AgentEvent[] {
    const texts = buffered.get(of)
    if (!texts) return []
    const over = [...texts].filter(([, { piece }]) => call === undefined || !('id' in piece) || piece.id === call)
    for (const [key] of over) texts.delete(key)
    if (texts.size === 0) buffered.delete(of)
    return over.flatMap(([, { piece, stream }]) => withText(of, piece, stream.end()))
  }

  function pushPiece(of: string | null, piece: EventPiece): AgentEvent[] {
    const texts = buffered.get(of) ?? new Map<string, { piece: EventPiece; stream: Stream }>()
    const key = textOf(piece)
    const stream = texts.get(key)?.stream ?? createStream(masking().views)
    const text = stream.push(piece.text)
    texts.delete(key)
    if (stream.isHolding()) texts.set(key, { piece, stream })
    if (texts.size > 0) buffered.set(of, texts)
    else buffered.delete(of)
    return withText(of, piece, text)
  }

  function push(event: AgentEvent): AgentEvent[] {
    if (masking().count === 0) return [event]
    const of = conversationOf(event)
    const inner = event.type === 'task_event' ? event.event : event
    if (isPiece(inner)) return pushPiece(of, inner)
    return [...openBefore(event, of, inner), redactedValue(event, redact)]
  }

  /** The buffered text that has to be there before an event. */
  function openBefore(event: AgentEvent, of: string | null, inner: AgentEvent): AgentEvent[] {
    if (event.type === 'agent_ended' || event.type === 'conversation_cleared') return flush()
    // The conversation goes on beside it.
    return event.type === 'task_reported' ? flushOf(event.id) : flushOf(of, callOf(inner))
  }

  return {
    flush,
    redact,
    stream: () => (masking().count === 0 ? OPEN : createStream(masking().views)),
    push,
  }
}

/** For a text without secrets. */
const OPEN: RedactedStream = { push: piece => piece, end: () => '' }

/** `count` is that of the secrets. */
type Masking = { count: number; views: readonly MaskingView[]; needles: ReadonlySet<string> }

function maskingOf(secrets: readonly string[]): Masking {
  // JSON text, such as a tool's streaming arguments, escapes some characters.
  const inJson = secrets.map(secret => JSON.stringify(secret).slice(1, -1))
  const all = [...new Set([...secrets, ...inJson])]
  // A colour or a mark inside a secret is invisible, so each view looks past one kind. The views follow each other, since the
  // letters of a sequence may also be part of a secret.
  const views = (['marks', 'colours', 'sequences'] as const).map(unseen => viewWithout(unseen, all))
  return { count: secrets.length, views, needles: new Set(views.flatMap(view => view.needles)) }
}

/** Whether a text looks the same in every view: it has no invisible character, and no name of one in JSON. */
function isPlain(text: string): boolean {
  return /^[\t\n\x20-\x5b\x5d-\x7e]*$/.test(text)
}

function hasAny(text: string, needles: ReadonlySet<string>): boolean {
  for (const needle of needles) if (text.includes(needle)) return true
  return false
}

/** The call that an event is about. The output of other calls may continue after it. */
function callOf(event: AgentEvent): string | undefined {
  return 'id' in event && typeof event.id === 'string' ? event.id : undefined
}

/** A way to read a text, and the secrets as they appear in it, longest first. */
type MaskingView = { unseen: InvisibleKind; needles: readonly string[] }

function viewWithout(unseen: InvisibleKind, secrets: readonly string[]): MaskingView {
  const needles = secrets
    .map(secret => visibleText(secret, unseen, false).text)
    .filter(needle => needle.length > VISIBLE)
  return { unseen, needles: [...new Set(needles)].toSorted((a, b) => b.length - a.length) }
}

type Stream = RedactedStream & { isHolding: () => boolean }

/** Each view reads the output of the one before it. */
function createStream(views: readonly MaskingView[]): Stream {
  const streams = views.map(streamOf)
  return {
    isHolding: () => streams.some(stream => stream.isHolding()),
    push: piece => streams.reduce((text, stream) => stream.push(text), piece),
    end: () => streams.reduce((text, stream) => stream.push(text) + stream.end(), ''),
  }
}

function streamOf(view: MaskingView): Stream {
  // The end of the text that may begin a secret; its first `shown` characters have been handed on.
  let buffered = ''
  let shown = 0
  return {
    isHolding: () => buffered !== '',
    push(piece) {
      const { done, open, first } = through(view, buffered + piece, true)
      // The first characters of the open end stay in any case.
      const safe = (done + open.slice(0, first)).slice(shown)
      buffered = open
      shown = first
      return safe
    },
    end() {
      const rest = through(view, buffered, false).done.slice(shown)
      buffered = ''
      shown = 0
      return rest
    },
  }
}

function withText(of: string | null, piece: EventPiece, text: string): AgentEvent[] {
  if (text === '') return []
  const event = { ...piece, text }
  return [of === null ? event : { type: 'task_event', at: piece.at, id: of, event }]
}

type Redacted = {
  done: string
  /** An end that may become a secret or an invisible sequence. */
  open: string
  /** The number of its characters that stay in any case. */
  first: number
}

/**
 * Masks the secrets in a text from left to right, at each place the longest one, so that the result does not depend on how the text
 * was cut into pieces. Where the text `goesOn`, an end that may become a secret stays `open`. Invisible characters inside a secret
 * are kept, since a colour may continue after it.
 */
function through({ unseen, needles }: MaskingView, text: string, goesOn: boolean): Redacted {
  const { text: plain, at, end } = visibleText(text, unseen, goesOn)
  let done = ''
  let from = 0
  /** The position in the original text that belongs to `from` in the visible one. */
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
  // The longest come first and win over shorter ones at the same place.
  for (const needle of needles) {
    const at = text.indexOf(needle, from)
    if (at >= 0 && (!first || at < first.at)) first = { at, length: needle.length }
  }
  return first
}

/** The start of the longest end of the text that begins a secret; -1 for none. */
function openFrom(needles: readonly string[], text: string, from: number): number {
  let longest = 0
  for (const needle of needles) {
    for (let length = Math.min(needle.length - 1, text.length - from); length > longest; length -= 1) {
      if (text.endsWith(needle.slice(0, length))) longest = length
    }
  }
  return longest === 0 ? -1 : text.length - longest
}

/** The value with its secrets masked at any depth. */
function redactedValue<Value>(value: Value, redact: (text: string) => string): Value {
  return mapped(value, redact) as Value
}

function mapped(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(each => mapped(each, redact))
  if (!isContainer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), mapped(each, redact)]))
}
