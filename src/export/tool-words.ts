/** Describes a tool call for a reader: its subject, input and output. */
import { languageOfPath } from '../markdown/code/highlight.ts'
import { formatDuration } from '../text/format.ts'
import { oneLine, sanitize, sanitizeExact, sanitizeTerminalOutput, type SafeText } from '../text/sanitize.ts'
import { unnumbered, type DiffLine } from '../text/diff-line.ts'
import { readDiff, type Diff } from '../tools/diff/diff.ts'
import { toldChanges } from '../tools/told-changes.ts'
import { permissionWords } from '../tools/permission.ts'
import { parseBashResult, resultText } from '../tools/result.ts'
import type { TranscriptShell, TranscriptTool } from './schema.ts'
import { textAt } from '../text/member.ts'

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

const STATES: Readonly<Record<TranscriptTool['state'], string>> = {
  composing: 'not finished',
  waiting: 'not run yet',
  running: 'running',
  ok: '',
  failed: 'failed',
  not_run: 'not run',
  aborted: 'stopped',
}

export function toolWords(tool: TranscriptTool): ToolWords {
  const command = tool.name === 'bash' ? argument(tool, 'command') : null
  const bash = tool.name === 'bash' ? parseBashResult(resultText(tool.result ?? []), command ?? undefined) : null
  const subject = subjectOf(tool)
  const result = tool.result === null ? null : (bash?.output ?? resultText(tool.result))
  const diff = tool.state === 'ok' ? diffOf(tool, result) : null
  const exit = bash === null || bash.exitCode === 0 ? '' : `exit ${bash.exitCode}`
  return {
    name: sanitizeExact(tool.name === '' ? 'tool' : tool.name),
    subject: sanitizeExact(subject.text),
    facts: facts((tool.permission && permissionWords(tool.permission)) || exit || STATES[tool.state], tool),
    failed: tool.state === 'failed',
    input: subject.isWhole ? null : inputOf(tool),
    output: diff !== null || result === null ? null : outputOf(tool, result),
    diff,
  }
}

/** The changes that the agent reports, or else those in an edit's result. */
function diffOf({ name, diffs = [], locations = [] }: TranscriptTool, result: string | null): DiffLine[] | null {
  const changes = toldChanges({ diffs, locations, hunkLines: [] })
  if (changes.length === 1) return changes.flatMap(({ diff }) => joined(diff))
  if (changes.length > 1) return changes.flatMap(({ path, diff }) => [[headOf(path)], joined(diff)].flat())
  const diff = name === 'edit' && result !== null ? readDiff(result, []) : null
  return diff && joined(diff)
}

function headOf(path: string): DiffLine {
  return unnumbered(' ', path)
}

function joined({ hunks }: Diff): DiffLine[] {
  return hunks.flatMap((hunk, index) => (index === 0 ? hunk : [gap, ...hunk]))
}

/** Describes a command that the user ran. */
export function shellWords(shell: TranscriptShell): ToolWords {
  const { command, exitCode, state, output } = shell
  const isWhole = isShort(command)
  return {
    name: sanitize('!'),
    subject: sanitizeExact(isWhole ? command : ''),
    facts: [
      ...facts(exitCode === null || exitCode === 0 ? STATES[state] : `exit ${exitCode}`, shell),
      ...(shell.shared ? [] : [sanitize('not shared with the agent')]),
    ],
    failed: state === 'failed',
    input: isWhole ? null : { text: sanitizeExact(command), language: 'bash' },
    output: output === '' ? null : { text: sanitizeTerminalOutput(output), language: '' },
    diff: null,
  }
}

const gap = unnumbered(' ', '…')

function facts(state: string, { startedAt, endedAt }: Pick<TranscriptTool, 'startedAt' | 'endedAt'>): SafeText[] {
  const took = startedAt === null || endedAt === null ? [] : [formatDuration(endedAt - startedAt)]
  return state === '' ? took : [sanitize(state), ...took]
}

/** `isWhole`: the subject contains all arguments of the call. */
function subjectOf(tool: TranscriptTool): { text: string; isWhole: boolean } {
  const path = argument(tool, 'path') ?? tool.diffs?.[0]?.path ?? null
  switch (tool.name) {
    case 'bash':
    case 'codemode': {
      const code = argument(tool, tool.name === 'bash' ? 'command' : 'code') ?? ''
      return isShort(code) ? { text: code, isWhole: true } : { text: '', isWhole: false }
    }
    case 'read':
      return { text: path ?? '', isWhole: path !== null }
    case 'edit':
      return { text: path ?? '', isWhole: path !== null && tool.state === 'ok' }
    case 'write':
      return { text: path ?? '', isWhole: false }
    case 'glob':
      return {
        text: [argument(tool, 'pattern') ?? '', ...(path === null ? [] : ['in', path])].join(' '),
        isWhole: true,
      }
    case 'skill':
      return { text: argument(tool, 'name') ?? '', isWhole: true }
    default: {
      const files = [...new Set((tool.diffs ?? []).map(diff => diff.path))]
      if (files.length > 0) return { text: files.join(', '), isWhole: tool.state === 'ok' }
      if (tool.title !== undefined) return { text: oneLine(sanitize(tool.title)), isWhole: false }
      const isSilent = tool.arguments === null || JSON.stringify(tool.arguments) === '{}'
      const places = (tool.locations ?? []).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))
      if (isSilent && places.length > 0) return { text: places.join(', '), isWhole: true }
      const all = tool.arguments === null ? '' : JSON.stringify(tool.arguments)
      return isShort(all) ? { text: all === '{}' ? '' : all, isWhole: true } : { text: '', isWhole: false }
    }
  }
}

function isShort(text: string): boolean {
  return text.length <= LONGEST_SUBJECT && !text.includes('\n')
}

function inputOf(tool: TranscriptTool): CodeSample | null {
  const of = (key: string, language: string): CodeSample | null => {
    const text = argument(tool, key)
    return text === null ? null : { text: sanitizeExact(text), language }
  }
  const known =
    tool.name === 'bash'
      ? of('command', 'bash')
      : tool.name === 'codemode'
        ? of('code', 'javascript')
        : tool.name === 'write'
          ? of('content', languageOfPath(argument(tool, 'path') ?? ''))
          : null
  if (known !== null || tool.arguments === null || tool.arguments === undefined) return known
  return { text: sanitizeExact(JSON.stringify(tool.arguments, null, 2)), language: 'json' }
}

function outputOf(tool: TranscriptTool, result: string): CodeSample | null {
  // The input already shows the written text.
  if (result === '' || (tool.name === 'write' && tool.state === 'ok')) return null
  const isFile = tool.state === 'ok' && tool.name === 'read'
  if (isFile) return { text: sanitizeExact(result), language: languageOfPath(argument(tool, 'path') ?? '') }
  return { text: sanitizeTerminalOutput(result), language: '' }
}

function argument(tool: TranscriptTool, key: string): string | null {
  return textAt(tool.arguments, key) ?? null
}
