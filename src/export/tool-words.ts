/** Describes a tool call for a reader: its subject, input and output. */
import type { ToolCall } from '../conversation/part.ts'
import { languageOfPath } from '../markdown/code/highlight.ts'
import { formatDuration } from '../text/format.ts'
import { lookup } from '../text/lookup.ts'
import { oneLine, sanitize, sanitizeExact, sanitizeTerminalOutput, type SafeText } from '../text/sanitize.ts'
import { unnumbered, type DiffLine } from '../text/diff-line.ts'
import { textArgument } from '../tools/arguments.ts'
import { describeCall, stateWords, subjectText, type CallFact } from '../tools/describe-call.ts'
import type { Diff } from '../tools/diff/diff.ts'
import { reportedChanges } from '../tools/reported-changes.ts'
import { resultText } from '../tools/result.ts'
import { summaryOf } from '../tools/summary.ts'
import type { TranscriptShell, TranscriptTool } from './schema.ts'

/** A text and its language, '' for none. */
export type CodeSample = { text: SafeText; language: string }

export type ToolWords = {
  name: SafeText
  /** The subject in one line; empty where there is no short one. */
  subject: SafeText
  /** The outcome of the call and its duration. */
  facts: readonly SafeText[]
  failed: boolean
  input: CodeSample | null
  output: CodeSample | null
  /** The difference that an edit made, instead of an output. */
  diff: readonly DiffLine[] | null
}

/** In characters. Longer subjects go into the input. */
const LONGEST_SUBJECT = 120

/** `written`: the JSON text of arguments that are not complete yet. */
export function toolWords(tool: TranscriptTool, written = ''): ToolWords {
  const call = { ...callOf(tool), argumentsText: written }
  const { name, subject, facts } = describeCall(call, { now: null })
  const bash = summaryOf(call)?.bash
  const result = tool.result === null ? null : (bash?.output ?? resultText(tool.result))
  const diff = diffOf(call)
  const text = subjectText(subject)
  const isInSubject = subject.kind === 'files' || subject.kind === 'text' || isShort(text)
  return {
    name: sanitizeExact(name),
    subject: oneLine(sanitizeExact(isInSubject ? text : '')),
    facts: facts.map(factText),
    failed: tool.state === 'failed',
    input: isInSubject && subject.isWhole ? null : inputOf(call),
    // The result of a steered call is the user's words, which stand below it.
    output: diff !== null || result === null || tool.steered ? null : outputOf(call, result),
    diff,
  }
}

/** The stored call as a call of the conversation. What is not stored, such as lines of the files, is not known. */
function callOf({
  title = '',
  diffs = [],
  locations = [],
  permission,
  heldIn,
  letOutBy,
  steered,
  ...tool
}: TranscriptTool): ToolCall {
  const held = { ...(steered && { steered }), ...(heldIn && { heldIn }), ...(letOutBy && { letOutBy }) }
  return { ...NOT_STORED, ...tool, root: tool.id, title, diffs, locations, ...(permission && { permission }), ...held }
}

const NOT_STORED = {
  withdrawn: false,
  does: null,
  argumentsText: '',
  called: true,
  draftedAt: 0,
  progress: '',
  progressDropped: 0,
  shown: null,
  omitted: null,
  hunkLines: [],
  image: null,
} as const

function factText(fact: CallFact): SafeText {
  return oneLine(sanitizeExact(fact.kind === 'changes' ? `+${fact.added} -${fact.removed}` : fact.words))
}

/** The changes that the agent reports, below their files if those are several, or else those in an edit's result. */
function diffOf(call: ToolCall): DiffLine[] | null {
  const changes = reportedChanges(call)
  if (changes.length > 1) return changes.flatMap(({ path, diff }) => [[unnumbered(' ', path)], joined(diff)].flat())
  const diff = summaryOf(call)?.diff
  return diff ? joined(diff) : null
}

function joined({ hunks }: Diff): DiffLine[] {
  return hunks.flatMap((hunk, index) => (index === 0 ? hunk : [gap, ...hunk]))
}

/** Describes a command that the user ran. */
export function shellWords({
  command,
  exitCode,
  state,
  output,
  startedAt,
  endedAt,
  shared,
}: TranscriptShell): ToolWords {
  const isWhole = isShort(command)
  const outcome = exitCode === null || exitCode === 0 ? stateWords(state, null)[0] : `exit ${exitCode}`
  const took = startedAt === null || endedAt === null ? [] : [formatDuration(endedAt - startedAt)]
  return {
    name: sanitize('!'),
    subject: sanitizeExact(isWhole ? command : ''),
    facts: [
      ...(outcome === '' ? [] : [sanitize(outcome)]),
      ...took,
      ...(shared ? [] : [sanitize('not shared with the agent')]),
    ],
    failed: state === 'failed',
    input: isWhole ? null : { text: sanitizeExact(command), language: 'bash' },
    output: output === '' ? null : { text: sanitizeTerminalOutput(output), language: '' },
    diff: null,
  }
}

const gap = unnumbered(' ', '…')

function isShort(text: string): boolean {
  return text.length <= LONGEST_SUBJECT && !text.includes('\n')
}

function inputOf(call: ToolCall): CodeSample | null {
  const key = lookup(INPUTS, call.name)
  const text = key === undefined ? undefined : textArgument(call, key)
  if (text !== undefined) return { text: sanitizeExact(text), language: languageOf(call) }
  const { arguments: all } = call
  return all === null || all === undefined
    ? null
    : { text: sanitizeExact(JSON.stringify(all, null, 2)), language: 'json' }
}

/** The argument that is the input of a tool, for those that have one. */
const INPUTS: Readonly<Record<string, string>> = { bash: 'command', codemode: 'code', write: 'content' }

function languageOf(call: ToolCall): string {
  if (call.name === 'bash') return 'bash'
  return call.name === 'codemode' ? 'javascript' : languageOfPath(textArgument(call, 'path') ?? '')
}

function outputOf(call: ToolCall, result: string): CodeSample | null {
  // The input already shows the written text.
  if (result === '' || (call.name === 'write' && call.state === 'ok')) return null
  if (call.state === 'ok' && call.name === 'read') return { text: sanitizeExact(result), language: languageOf(call) }
  return { text: sanitizeTerminalOutput(result), language: '' }
}
