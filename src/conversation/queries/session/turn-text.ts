/** The text of one turn for an agent that does not know it, in more or less detail. */
import { attachedWords } from '../attached-words.ts'
import { hunksOf } from '../edit-result.ts'
import { causeWords } from '../shown-prompt.ts'
import type { Turn } from '../../state.ts'
import type { Notice, Shell, SteerPart, ToolCall } from '../../part.ts'
import { counted } from '../../../text/counted.ts'
import { fenceFor } from '../../../text/fence.ts'
import { beginningOf, headAndTail } from '../../../text/lines/head-and-tail.ts'
import { textAt } from '../../../text/member.ts'

/** How much of a turn is written, from nothing to all of it. `trimmed` and `cut` have every call, with a shorter and a longer part of its result. */
const LEVELS = ['none', 'line', 'short', 'trimmed', 'cut', 'whole'] as const
export type Level = (typeof LEVELS)[number]
type ShownLevel = Exclude<Level, 'none'>
type Detailed = Exclude<ShownLevel, 'line' | 'short'>

export type Saying = Turn | Shell | Notice

/**
 * `all` is what tools and files returned, and the arguments of calls, in full as far as they fit. `withheld` are those of another
 * provider, which the user has not shared: of each call only what it was about is written, since the contents of a write are a file, too.
 */
export type Results = 'all' | 'withheld'

/** Characters of a prompt and of an answer when there is room only for their beginnings. */
const SHORT_PROMPT = 400
const SHORT_ANSWER = 600
const LINE_PROMPT = 120
/** Characters of what a call is about. */
const SUBJECT = 160
/** Characters of each result, or other text that came with the prompt, and of the arguments of each call. */
const RESULT: Readonly<Record<Detailed, number>> = { trimmed: 600, cut: 3000, whole: Number.POSITIVE_INFINITY }
const ARGUMENTS: Readonly<Record<Detailed, number>> = { trimmed: 300, cut: 1500, whole: Number.POSITIVE_INFINITY }

export function sayingText(entry: Saying, level: Level, results: Results): string {
  if (level === 'none') return ''
  if (entry.kind === 'notice') return noticeText(entry, level)
  if (entry.kind === 'shell') return `The user ran a command themselves:\n- ${callLine(entry.tool)}`
  return turnText(entry, level, results)
}

/** Whether nothing of a turn is missing at the level `whole`: long results of old turns are not kept in memory. */
export function isWhole(turn: Turn, results: Results): boolean {
  return callsOf(turn).every(call => call.omitted === null) && (results === 'all' || !hasResults(turn))
}

/** Whether a turn has more than the words of the user and the answers: calls, or files that were sent along. */
export function hasResults(turn: Turn): boolean {
  return turn.before.length > 0 || callsOf(turn).length > 0 || steersOf(turn).some(({ before }) => before.length > 0)
}

function noticeText({ text, details = '' }: Notice, level: ShownLevel): string {
  const short = level === 'line' || level === 'short'
  const answer = short ? beginningOf(details, level === 'line' ? LINE_PROMPT : SHORT_ANSWER) : details
  return `The user asked another agent a side question and added its answer:\n${spoken(`${text}\n${answer}`)}`
}

function turnText(turn: Turn, level: ShownLevel, results: Results): string {
  const calls = callsOf(turn)
  if (level === 'line') {
    const said = turn.unprompted ? unprompted(turn) : `The user: ${quoted(turn.prompt)}`
    const words = [said, ...steersOf(turn).map(({ text }) => `The user, while you worked: ${quoted(text)}`)]
    const line = words.map(each => beginningOf(each.replaceAll(/\s+/g, ' ').trim(), LINE_PROMPT)).join(' ')
    return `${line}${calls.length > 0 ? ` (${counted(calls.length, 'tool call')})` : ''}`
  }
  const lines = promptLines(turn, level, results)
  if (level === 'short') {
    if (calls.length > 0) lines.push(`(${counted(calls.length, 'tool call')})`)
    for (const steer of steersOf(turn)) lines.push(...steerLines(steer, level, results))
    lines.push(...changedLine(turn), ...takenOver(turn, level))
    const answer = textsOf(turn).at(-1) ?? ''
    if (answer !== '') lines.push('You:', spoken(beginningOf(answer, SHORT_ANSWER)))
  } else lines.push(...detailedLines(turn, level, results), ...changedLine(turn), ...takenOver(turn, level))
  return [...lines, ...endingOf(turn)].join('\n')
}

/** The cause is in words of the agent, which cannot pass for the user's. */
function unprompted(turn: Turn): string {
  const cause = turn.unprompted ? causeWords(turn.unprompted) : ''
  return `You went on by yourself${cause === '' ? '.' : `: ${spoken(oneLine(cause))}`}`
}

function promptLines(turn: Turn, level: Exclude<ShownLevel, 'line'>, results: Results): string[] {
  if (turn.unprompted) return [beginningOf(unprompted(turn), SHORT_PROMPT)]
  return saidLines('The user:', turn, level, results)
}

/** Words that the user said while the agent worked. */
function steerLines(
  { text: prompt, ...steer }: SteerPart,
  level: Exclude<ShownLevel, 'line'>,
  results: Results,
): string[] {
  return saidLines('The user, while you worked:', { prompt, ...steer }, level, results)
}

function saidLines(
  who: string,
  turn: Pick<Turn, 'prompt' | 'images' | 'mentions' | 'before'>,
  level: Exclude<ShownLevel, 'line'>,
  results: Results,
): string[] {
  const lines = [who, quoted(level === 'short' ? beginningOf(turn.prompt, SHORT_PROMPT) : turn.prompt)]
  const images = turn.images.length
  if (images > 0)
    lines.push(
      images === 1 ? '(With an image, which is not repeated.)' : `(With ${images} images, which are not repeated.)`,
    )
  const files = attachedWords(turn.mentions)
  if (results === 'all' && level !== 'short') {
    if (files !== '') lines.push(`(With the content of files: ${oneLine(files)}.)`)
    for (const text of turn.before) lines.push('Sent along with it:', fenced(text, RESULT[level]))
  } else if (files !== '') lines.push(`(With the content of files, which is not repeated: ${oneLine(files)}.)`)
  return lines
}

/** What the agent said and did, in the order in which it happened. */
function detailedLines(turn: Turn, level: Detailed, results: Results): string[] {
  const lines: string[] = []
  let isSpeaking = false
  let isFirst = true
  for (const part of turn.parts) {
    if (part.withdrawn) continue
    if (part.kind === 'steer') {
      lines.push(...steerLines(part, level, results))
      isSpeaking = false
      isFirst = true
    } else if (part.kind === 'text' && part.text.trim() !== '') {
      lines.push(isSpeaking ? '' : 'You:', spoken(part.text.trim()))
      isSpeaking = true
    } else if (part.kind === 'tool' && part.parent === null) {
      if (isSpeaking || isFirst) lines.push('Your tool calls:')
      isSpeaking = false
      isFirst = false
      lines.push(...callLines(part, level, results))
    }
  }
  return lines
}

function callLines(call: ToolCall, level: Detailed, results: Results): string[] {
  if (results === 'withheld') return [`- ${callLine(call)}`]
  const args = oneLine(headAndTail(argumentsOf(call), ARGUMENTS[level]))
  const line = `- ${oneLine(call.name)} ${args}`.trimEnd() + countsOf(call) + stateOf(call)
  const result = resultOf(call)
  return result === '' ? [line] : [line, fenced(result, RESULT[level])]
}

/** The result; of a call that was cut off, what it had printed. */
function resultOf({ result, progress }: ToolCall): string {
  if (result === null) return progress
  return result
    .map(each => (each.type === 'text' ? each.text : `(An image, ${each.mimeType}: not repeated.)`))
    .join('\n')
}

function argumentsOf({ arguments: args, argumentsText }: ToolCall): string {
  return args === undefined || args === null ? argumentsText : JSON.stringify(args)
}

/** Text that is data: a fence that nothing in it can close. */
function fenced(text: string, limit: number): string {
  const shown = quoted(headAndTail(text.replace(/\n+$/, ''), limit))
  const fence = fenceFor(shown)
  return `${fence}tool-output\n${shown}\n${fence}`
}

function callsOf(turn: Turn): ToolCall[] {
  return [...turn.parts].filter(
    (part): part is ToolCall => part.kind === 'tool' && !part.withdrawn && part.parent === null,
  )
}

function steersOf(turn: Turn): SteerPart[] {
  return [...turn.parts].filter((part): part is SteerPart => part.kind === 'steer' && !part.withdrawn)
}

function textsOf(turn: Turn): string[] {
  return [...turn.parts].flatMap(part =>
    part.kind === 'text' && !part.withdrawn && part.text.trim() !== '' ? [part.text.trim()] : [],
  )
}

function takenOver(turn: Turn, level: ShownLevel): string[] {
  return [...turn.parts].flatMap(part => (part.kind === 'notice' && part.isTakenOver ? [noticeText(part, level)] : []))
}

function endingOf({ outcome }: Turn): string[] {
  switch (outcome) {
    case 'aborted':
      return ['(The user stopped you there.)']
    case 'failed':
      return ['(Then an error ended it.)']
    case 'agent_ended':
    case 'zotui_ended':
      return ['(Then you were cut off.)']
    case 'done':
    case 'refused':
    case null:
      return []
  }
}

function callLine(tool: ToolCall): string {
  const about = oneLine(`${tool.name} ${subjectOf(tool.arguments)}`)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${beginningOf(about, SUBJECT)}${countsOf(tool)}${stateOf(tool)}`
}

function stateOf({ state, steered }: ToolCall): string {
  if (steered && state === 'not_run') return ' (not run: the user said something first)'
  return state === 'ok' ? '' : ` (${state.replace('_', ' ')})`
}

/** The argument that a call is about: the first line of the first of the usual names that it has. '' for none: others may be long texts. */
function subjectOf(args: unknown): string {
  const names = ['command', 'path', 'pattern', 'name', 'query', 'url']
  const subject = names.map(name => textAt(args, name)).find(text => text !== undefined) ?? ''
  return subject.trimStart().split('\n', 1).join('')
}

function countsOf(tool: ToolCall): string {
  const text = tool.name === 'edit' ? tool.result?.find(content => content.type === 'text') : undefined
  const lines = (text?.type === 'text' ? hunksOf(text.text) : null)?.flat() ?? []
  if (lines.length === 0) return ''
  const count = (sign: string): number => lines.filter(line => line.sign === sign).length
  const { added = 0, removed = 0 } = tool.omitted?.result ?? {}
  return ` (+${count('+') + added} -${count('-') + removed})`
}

function changedLine(turn: Turn): string[] {
  const paths = [...turn.parts].flatMap(part => {
    if (part.kind !== 'tool' || part.withdrawn || part.state !== 'ok') return []
    if (part.diffs.length > 0) return part.diffs.map(({ path }) => oneLine(path))
    return part.name === 'write' || part.name === 'edit' ? [oneLine(subjectOf(part.arguments))] : []
  })
  const changed = [...new Set([...paths, ...turn.byCommands.files.map(({ path }) => oneLine(path))])]
  return changed.length === 0 ? [] : [`Files that you changed: ${changed.join(', ')}`]
}

/** Text that is not the user's: it cannot pass for their words either. */
export function spoken(text: string): string {
  return quoted(text).replaceAll(/^(\s*)The user(?=[^\n]{0,60}:)/gim, '$1[The user]')
}

/** Text that cannot begin a line of its own. */
function oneLine(text: string): string {
  return quoted(text).replaceAll(/[\n\r\u2028\u2029]+/g, ' ')
}

/** Neutralises the digest's own tags, so that quoted text cannot end it. */
export function quoted(text: string): string {
  return text.replaceAll(/<(\/?)earlier-conversation>/gi, '<$1earlier_conversation>')
}
