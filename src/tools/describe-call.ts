/**
 * What a call is and how it went, once for all that describe it: the panel on the screen and for a screen reader, raw text, `-p`
 * and the exports. Data only: whoever shows it chooses the form. Texts of the agent are unsanitised.
 */
import type { ToolCall, ToolState } from '../conversation/part.ts'
import { pathFrom } from '../conversation/calls/call-in-brief.ts'
import { isOpen } from '../conversation/calls/tool-calls.ts'
import { counted } from '../text/counted.ts'
import { formatBytes, formatDuration } from '../text/format.ts'
import { byteLength } from '../text/lines/measure.ts'
import { argumentsOf, numberArgument, textArgument } from './arguments.ts'
import { permissionWords } from './permission.ts'
import { lineCount, parseDuration } from './result.ts'
import { marksWhileOpen, summaryOf, type Summary } from './summary.ts'

export type CallDescription = { name: string; subject: CallSubject; facts: readonly CallFact[] }

/** A file, and the place in it after its path: `:12` or `:1-80`; '' for none. */
export type SubjectFile = { path: string; place: string }

/** What a call is about. `isWhole`: it says all that the arguments say. */
export type CallSubject =
  | { kind: 'code'; code: string; language: 'bash' | 'javascript'; isWhole: true }
  | { kind: 'files'; files: readonly SubjectFile[]; isWhole: boolean }
  | { kind: 'text'; text: string; isWhole: boolean }
  /** All that is known are its arguments; undefined or null for none. */
  | { kind: 'arguments'; value: unknown; isWhole: true }

/** A fact about how it went. `held` says where it ran. `marks` warns of hidden characters, `size` counts what it read, wrote or found. */
export type CallFact =
  | { kind: 'changes'; added: number; removed: number }
  | { kind: 'marks' | 'held' | 'state' | 'size' | 'calls' | 'time'; words: string; tone: 'dim' | 'warning' | 'failed' }

export type DescribeOptions = {
  /** The present time, in milliseconds since the Unix epoch; null for a document, in which nothing goes on. */
  now: number | null
  /** The absolute path of the agent's folder: paths in it are shown without it. */
  folder?: string | undefined
  /** The number of nested calls that are not shown. */
  calls?: number
  /** Whether it also says what matters to few. */
  detail?: 'names' | 'short' | 'full'
}

export function describeCall(call: ToolCall, options: DescribeOptions): CallDescription {
  return { name: nameOf(call), subject: subjectOf(call, options), facts: factsOf(call, options) }
}

/** Milliseconds; shorter times are not shown. */
const NOTABLE_WAIT = 1000
const NOTABLE_RUN = 100
/** Characters of a draft from which on its size is shown. */
const NOTABLE_DRAFT = 1000

export function nameOf({ name }: Pick<ToolCall, 'name'>): string {
  return name === '' ? 'tool' : name
}

export function subjectOf(call: ToolCall, { folder }: Pick<DescribeOptions, 'folder'>): CallSubject {
  return subjectOfTool(call, folder) ?? subjectOfAny(call, folder)
}

/** The whole subject in plain text. */
export function subjectText(subject: CallSubject): string {
  switch (subject.kind) {
    case 'code':
      return subject.code
    case 'files':
      return subject.files.map(({ path, place }) => `${path}${place}`).join(', ')
    case 'text':
      return subject.text
    case 'arguments': {
      const text = subject.value === undefined || subject.value === null ? '' : JSON.stringify(subject.value)
      return text === '{}' ? '' : text
    }
  }
}

/** The subject of a tool whose arguments are known; null for another, and while they have not arrived. */
function subjectOfTool(call: ToolCall, folder: string | undefined): CallSubject | null {
  const text = (key: string): string | undefined => textArgument(call, key)
  switch (call.name) {
    case 'bash':
    case 'codemode': {
      const isBash = call.name === 'bash'
      const code = text(isBash ? 'command' : 'code')
      return code === undefined ? null : { kind: 'code', code, language: isBash ? 'bash' : 'javascript', isWhole: true }
    }
    case 'read':
    case 'write':
    case 'edit': {
      const path = text('path')
      if (path === undefined) return null
      const files = [{ path: pathFrom(path, folder), place: placeOf(call) }]
      // The diff of an edit says what it was asked to do.
      return { kind: 'files', files, isWhole: call.name === 'read' || (call.name === 'edit' && call.state === 'ok') }
    }
    case 'glob': {
      const [pattern, where] = [text('pattern'), text('path')]
      if (pattern === undefined) return null
      return {
        kind: 'text',
        text: where === undefined ? pattern : `${pattern}  in ${pathFrom(where, folder)}`,
        isWhole: true,
      }
    }
    case 'skill': {
      const name = text('name')
      return name === undefined ? null : { kind: 'text', text: name, isWhole: true }
    }
    default:
      return null
  }
}

/** The files that it changed, its title, the files that it is about, or its arguments. */
function subjectOfAny(call: ToolCall, folder: string | undefined): CallSubject {
  const changed = [...new Set(call.diffs.map(({ path }) => path))]
  if (changed.length > 0) {
    const files = changed.map(path => ({ path: pathFrom(path, folder), place: '' }))
    return { kind: 'files', files, isWhole: call.state === 'ok' }
  }
  if (call.title !== '') return { kind: 'text', text: call.title, isWhole: false }
  const args = argumentsOf(call)
  if (call.locations.length > 0 && Object.keys(args ?? {}).length === 0) {
    const files = call.locations.map(({ path, line }) => ({
      path: pathFrom(path, folder),
      place: line === undefined ? '' : `:${line}`,
    }))
    return { kind: 'files', files, isWhole: true }
  }
  return { kind: 'arguments', value: args ?? call.arguments, isWhole: true }
}

/** The lines that a read was about. */
function placeOf(call: ToolCall): string {
  const offset = numberArgument(call, 'offset')
  const limit = numberArgument(call, 'limit')
  if (call.name !== 'read' || (offset === undefined && limit === undefined)) return ''
  const from = Math.max(1, offset ?? 1)
  const read = call.state === 'ok' ? (summaryOf(call)?.lines ?? 0) : 0
  // At the end of a file, fewer lines were read than asked for.
  if (read > 0) return `:${from}-${from + read - 1}`
  return limit === undefined ? `:${from}-` : `:${from}-${from + limit - 1}`
}

/** The facts about a call, most important first. */
function factsOf(call: ToolCall, { now, calls = 0, detail }: DescribeOptions): CallFact[] {
  const held = heldFact(call, detail === 'full')
  const isOutside = call.heldIn === 'outside'
  const summary = summaryOf(call)
  const marks = summary?.marks ?? marksWhileOpen(call)
  return [
    ...(marks === 0 ? [] : [{ kind: 'marks', words: counted(marks, 'hidden mark'), tone: 'warning' } as const]),
    ...(isOutside ? held : []),
    ...stateFacts(call, summary, now),
    ...(summary?.diff ? [{ kind: 'changes', added: summary.diff.added, removed: summary.diff.removed } as const] : []),
    ...sizes(call, summary).map(words => ({ kind: 'size', words, tone: 'dim' }) as const),
    ...(calls === 0 ? [] : [{ kind: 'calls', words: counted(calls, 'call'), tone: 'dim' } as const]),
    ...elapsed(call, summary, now).map(words => ({ kind: 'time', words, tone: 'dim' }) as const),
    ...(isOutside ? [] : held),
  ]
}

/** Where a command ran. That it was held to reading changes nothing for the user. */
function heldFact({ heldIn, letOutBy }: ToolCall, isFull: boolean): CallFact[] {
  if (heldIn === undefined || (heldIn === 'reading' && !isFull)) return []
  const who = letOutBy === 'program' ? 'the permission program' : 'you'
  const [short, full] = {
    reading: ['', 'held to reading'],
    sandbox: ['sandbox', 'in the sandbox'],
    outside: [`outside, by ${who}`, `outside the sandbox, by ${who}`],
  }[heldIn]
  return [{ kind: 'held', words: (isFull ? full : short) ?? '', tone: heldIn === 'outside' ? 'warning' : 'dim' }]
}

/** Whether the call waits for the user's answer. */
export function isAsked({ permission, state }: Pick<ToolCall, 'permission' | 'state'>): boolean {
  return permission?.state === 'asked' && isOpen(state)
}

function stateFacts(call: ToolCall, summary: Summary | null, now: number | null): CallFact[] {
  // The working line says that it waits, and since when.
  if (now !== null && isAsked(call)) return []
  // Nothing went wrong: the user's words came first, and the model may make the call again.
  if (call.steered && call.state === 'not_run') return [{ kind: 'state', words: 'steered', tone: 'dim' }]
  const { permission } = call
  const decided = permission ? permissionWords(permission) : ''
  const isAsAsked = permission?.state === 'allowed' && permission.command === undefined
  const facts: CallFact[] =
    decided === '' ? [] : [{ kind: 'state', words: decided, tone: isAsAsked ? 'dim' : 'warning' }]
  // Who was refused did not run.
  if (decided !== '' && permission?.state !== 'allowed') return facts
  const [words, tone] =
    call.state === 'failed' ? ([failure(call, summary), 'failed'] as const) : stateWords(call.state, now)
  return words === '' ? facts : [...facts, { kind: 'state', words, tone }]
}

/** The state in words; '' for one that needs none. What runs on the screen has a sign that moves. */
export function stateWords(state: ToolState, now: number | null): readonly [words: string, tone: 'dim' | 'warning'] {
  switch (state) {
    case 'composing':
      return [now === null ? 'not finished' : 'composing', 'dim']
    case 'waiting':
      return [now === null ? 'not run yet' : 'next', 'dim']
    case 'running':
      return [now === null ? 'running' : '', 'dim']
    case 'not_run':
      return ['not run', 'warning']
    case 'aborted':
      return ['stopped', 'warning']
    case 'failed':
      return ['failed', 'warning']
    case 'ok':
      return ['', 'dim']
  }
}

function failure(call: ToolCall, summary: Summary | null): string {
  const bash = summary?.bash
  if (!bash) return call.arguments === null ? 'invalid arguments' : 'failed'
  if (bash.exitCode !== -1) return `exit ${bash.exitCode}`
  // zot reports a timeout and a kill in the same way.
  const limit = numberArgument(call, 'timeout')
  return limit !== undefined && (parseDuration(bash.duration) ?? 0) >= limit * 1000 ? 'timed out' : 'killed'
}

function sizes(call: ToolCall, summary: Summary | null): string[] {
  if (call.state === 'composing') {
    const length = argumentsOf(call) ? 0 : call.argumentsText.length
    return length < NOTABLE_DRAFT ? [] : [formatBytes(length)]
  }
  if (!summary || call.state !== 'ok' || call.diffs.length > 0) return []
  // Some agents report no output: that is not an empty one.
  const isUnreported = call.result?.length === 0 && !call.omitted
  if (isUnreported && (call.name !== 'write' || textArgument(call, 'content') === undefined)) return []
  switch (call.name) {
    case 'read':
      if (summary.images.length > 0) return []
      return [...(summary.output.limit === null ? [] : ['truncated']), counted(summary.lines, 'line')]
    case 'write': {
      const content = textArgument(call, 'content') ?? summary.output.text
      const { lines = 0, bytes = 0 } = call.omitted?.arguments ?? {}
      return [counted(lineCount(content) + lines, 'line'), formatBytes(byteLength(content) + bytes)]
    }
    case 'glob':
      return [summary.files === 0 ? 'no files' : counted(summary.files ?? 0, 'file')]
    case 'skill':
      return [counted(summary.lines, 'line')]
    default:
      return []
  }
}

/** The time that it took or waits, if that is long enough. */
function elapsed(call: ToolCall, summary: Summary | null, now: number | null): string[] {
  const { startedAt, endedAt, draftedAt } = call
  // The time until the answer does not count.
  if (isAsked(call)) return []
  const duration = summary?.bash ? parseDuration(summary.bash.duration) : null
  if (duration !== null) return duration < NOTABLE_RUN ? [] : [formatDuration(duration)]
  const until = endedAt ?? now
  if (until === null) return []
  if (startedAt === null) {
    const waited = endedAt === null ? until - draftedAt : 0
    return waited < NOTABLE_WAIT ? [] : [formatDuration(waited)]
  }
  return endedAt !== null && until - startedAt < NOTABLE_RUN ? [] : [formatDuration(until - startedAt)]
}
