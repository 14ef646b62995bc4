/** A session as Markdown, for people, forges and `less`. Control characters are made visible. */
import { shownPrompt, unpromptedWords } from '../conversation/queries/shown-prompt.ts'
import { createBlocks } from '../markdown/blocks/blocks.ts'
import { fenceFor } from '../text/fence.ts'
import { oneLine, sanitize, sanitizeExact } from '../text/sanitize.ts'
import {
  authorOf,
  toRunningTurn,
  compactionFacts,
  dateTime,
  imageFact,
  noticeText,
  sessionFacts,
  taskFacts,
  thoughtFact,
  turnFacts,
  type TimeZone,
} from './fact-words.ts'
import type { Transcript, TranscriptEntry, TranscriptPart, TranscriptTask, TranscriptTurn } from './schema.ts'
import { shellWords, toolWords, type CodeSample, type ToolWords } from './tool-words.ts'
import { withoutEnd } from '../text/without-end.ts'

export function* toMarkdown(transcript: Transcript, zone: TimeZone): Generator<string> {
  yield `# ${escaped(transcript.title)}\n\n${sessionFacts(transcript, zone).map(escaped).join(' · ')}\n`
  for (const entry of transcript.entries) {
    yield entryPieces(entry, zone)
      .map(piece => `\n${piece}\n`)
      .join('')
  }
}

/** The pieces of an entry, to be separated by blank lines. */
function entryPieces(entry: TranscriptEntry, zone: TimeZone): string[] {
  switch (entry.kind) {
    case 'turn':
      return turnPieces(entry, zone)
    case 'compaction': {
      const line = note(compactionFacts(entry, zone).join(' '))
      return entry.summary === '' ? [line] : [line, quoted(entry.summary)]
    }
    case 'notice':
    case 'shell':
      return partPieces(entry)
    case 'cleared':
      return ['---', note(`${dateTime(entry.at, zone)} a new conversation`)]
    case 'agent_ended':
      return [note(`the agent ended: ${entry.reason}`)]
  }
}

function turnPieces(turn: TranscriptTurn, zone: TimeZone): string[] {
  const facts = turnFacts(turn)
  const at = dateTime(turn.at, zone)
  const asked = turn.unprompted
    ? [`## ${['Agent', at].filter(Boolean).join(' · ')}`, note(unpromptedWords(turn.unprompted))]
    : [...promptPieces(turn, zone), '## Agent']
  return [
    ...asked,
    ...turn.parts.flatMap(partPieces),
    ...(turn.plan === undefined ? [] : [turn.plan.map(planItem).join('\n')]),
    ...(turn.error === null ? [] : [`**Error:** ${escaped(turn.error)}`]),
    ...(facts.length === 0 ? [] : [note(facts.join(' · '))]),
  ]
}

function promptPieces(turn: TranscriptTurn, zone: TimeZone): string[] {
  const images = imageFact(turn)
  return [
    `## ${[authorOf(turn), dateTime(turn.at, zone)].filter(Boolean).join(' · ')}`,
    ...turn.before.map(text => fenced({ text: sanitize(text), language: '' })),
    quoted(shownPrompt(turn)),
    ...(turn.typed === undefined ? [] : [note('sent as'), fenced({ text: sanitize(turn.prompt), language: '' })]),
    ...(images === '' ? [] : [note(images)]),
  ]
}

function steerPieces(steer: Extract<TranscriptPart, { kind: 'steer' }>): string[] {
  const images = imageFact(steer)
  return [
    note(`you, ${toRunningTurn(steer)}`),
    ...(steer.before ?? []).map(text => fenced({ text: sanitize(text), language: '' })),
    quoted(shownPrompt({ ...steer, prompt: steer.text })),
    ...(images === '' ? [] : [note(images)]),
  ]
}

function planItem({ text, status }: NonNullable<TranscriptTurn['plan']>[number]): string {
  return `- [${status === 'completed' ? 'x' : ' '}] ${escaped(text)}${status === 'in_progress' ? ' (in progress)' : ''}`
}

function partPieces(part: TranscriptPart): string[] {
  switch (part.kind) {
    case 'text':
      return [closed(sanitize(part.text).trim())]
    case 'thought':
      return [note(thoughtFact(part)), ...(part.text.trim() === '' ? [] : [quoted(part.text)])]
    case 'steer':
      return steerPieces(part)
    case 'task':
      return taskPieces(part)
    case 'tool':
      return toolPieces(toolWords(part), part.parent !== null)
    case 'shell':
      return toolPieces(shellWords(part), false)
    case 'notice':
      return [note(noticeText(part)), ...(part.details === undefined ? [] : [quoted(part.details)])]
  }
}

/** What a subagent said and did, as a quotation. */
function taskPieces(task: TranscriptTask): string[] {
  const said = task.turns.flatMap(turn => [
    ...(turn.prompt === '' ? [] : [quoted(turn.prompt)]),
    ...turn.parts.flatMap(partPieces),
    ...(turn.error === null ? [] : [`**Error:** ${escaped(turn.error)}`]),
  ])
  const lines = said.join('\n\n').split('\n')
  return [note(taskFacts(task).join(' · ')), lines.map(line => `> ${line}`.trimEnd()).join('\n')]
}

function toolPieces({ name, subject, facts, input, output, diff }: ToolWords, isNested: boolean): string[] {
  const head = `${isNested ? '↳ ' : ''}**${escaped(name)}**`
  const title = [
    head,
    ...(subject === '' ? [] : [inlineCode(oneLine(subject))]),
    ...(facts.length === 0 ? [] : [`(${facts.map(escaped).join(', ')})`]),
  ].join(' ')
  const difference = diff?.map(({ sign, text }) => sign + text).join('\n')
  return [
    title,
    ...(input === null ? [] : [fenced(input)]),
    ...(output === null ? [] : [fenced(output)]),
    ...(difference === undefined ? [] : [fenced({ text: sanitizeExact(difference), language: 'diff' })]),
  ]
}

/** The agent's Markdown, with an end for a fence or a comment that would take what follows into it. */
function closed(text: string): string {
  if (!/^ {0,3}(?:`{3}|~{3}|<)/m.test(text)) return text
  const blocks = createBlocks()
  blocks.push(`${text}\n`)
  const line = blocks.closing()
  return line === null ? text : `${text}\n${line}`
}

/** A note in italics. */
function note(text: string): string {
  return `*${escaped(text.trim())}*`
}

/** A quote, with a mark before each line, so that the text cannot end it. */
function quoted(text: string): string {
  return sanitize(text)
    .trimEnd()
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n')
}

/** A fenced block, whose fences are longer than any run of backticks in the text. */
function fenced({ text, language }: CodeSample): string {
  const fence = fenceFor(text)
  return `${fence}${language}\n${withoutEnd(text, /\n/)}\n${fence}`
}

function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
}

/** The text in one line, with Markdown escaped. */
function escaped(text: string): string {
  return oneLine(sanitize(text)).replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`)
}
