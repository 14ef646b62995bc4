/** Facts about a session and its turns, in words. */
import { counted } from '../text/counted.ts'
import { attachedWords } from '../conversation/queries/attached-words.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { stopWords } from '../conversation/queries/stop-words.ts'
import type { Usage } from '../agent/event.ts'
import type {
  Transcript,
  TranscriptCompaction,
  TranscriptNotice,
  TranscriptPart,
  TranscriptTask,
  TranscriptTurn,
} from './schema.ts'

/** The time zone by its IANA name; undefined for the local one. */
export type TimeZone = string | undefined

/** The largest number of milliseconds that is a valid date. */
const LAST_DATE = 8.64e15

/** A time such as `2026-11-22 14:02`; empty where it is invalid. */
export function dateTime(at: number | null, zone: TimeZone): string {
  if (at === null || !(Math.abs(at) <= LAST_DATE)) return ''
  // Sweden writes dates as ISO does.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone }).format(at)
}

export function sessionFacts(transcript: Transcript, zone: TimeZone): string[] {
  const { agent, entries, usage, usageIsPartial, project } = transcript
  const turns = entries.filter(entry => entry.kind === 'turn').length
  return [
    dateTime(transcript.startedAt, zone),
    project ?? '',
    [agent.provider, agent.model].filter(Boolean).join('/'),
    [agent.name, agent.version].filter(Boolean).join(' '),
    counted(turns, 'turn'),
    ...usageFacts(usage, usageIsPartial),
  ].filter(fact => fact !== '')
}

const ENDS: Readonly<Record<TranscriptTurn['outcome'], string>> = {
  running: 'still running',
  done: '',
  aborted: 'stopped',
  failed: 'failed',
  refused: 'refused by the agent',
  agent_ended: 'the agent ended',
  zotui_ended: 'zotui was closed',
}

const COMPACTIONS: Readonly<Record<TranscriptCompaction['outcome'], string>> = {
  running: 'is being compacted',
  done: 'compacted',
  nothing: 'not compacted: there was nothing to compact yet',
  failed: 'not compacted',
  aborted: 'not compacted',
}

export function compactionFacts({ at, outcome, error }: TranscriptCompaction, zone: TimeZone): string[] {
  return [dateTime(at, zone), `conversation ${COMPACTIONS[outcome]}`, error ?? ''].filter(fact => fact !== '')
}

/** The files or images that go with a prompt, in words; empty where there are none. */
export function imageFact({ images, files = [] }: Pick<TranscriptTurn, 'images' | 'files'>): string {
  const attached = attachedWords(files)
  if (attached !== '') return `with ${attached}`
  if (images.length === 0) return ''
  return `with ${counted(images.length, 'image')}`
}

/** A notice as one text, with its source and its hint. */
export function noticeText({ source, text, hint }: TranscriptNotice): string {
  return [source === null ? '' : `${source}:`, text, hint ?? ''].filter(Boolean).join(' ')
}

export function thoughtFact({ startedAt, endedAt }: Extract<TranscriptPart, { kind: 'thought' }>): string {
  return endedAt === null ? 'Thinking' : `Thought for ${formatDuration(endedAt - startedAt)}`
}

export function turnFacts({ outcome, stoppedFrom, at, endedAt, usage, stop }: TranscriptTurn): string[] {
  const took = endedAt === null ? '' : formatDuration(endedAt - at)
  const end =
    stoppedFrom === undefined || outcome !== 'aborted' ? ENDS[outcome] : `${ENDS[outcome]} from ${stoppedFrom}`
  return [end, stop === undefined ? '' : (stopWords(stop) ?? ''), took, ...usageFacts(usage, false)].filter(
    fact => fact !== '',
  )
}

function usageFacts({ input, cacheRead, cacheWrite, output, costUsd }: Usage, isPartial: boolean): string[] {
  const sent = input + cacheRead + cacheWrite
  if (sent + output === 0) return []
  const cached = sent > 0 && cacheRead > 0 ? `, ${formatPercent(cacheRead / sent)} cached` : ''
  return [
    `${formatTokens(sent)} tokens in${cached}`,
    `${formatTokens(output)} out`,
    costUsd === null ? 'cost unknown' : `${isPartial ? '≥ ' : ''}${formatCost(costUsd)}`,
  ]
}

/** Who says a prompt. */
export function authorOf({ by, from }: Pick<TranscriptTurn, 'by' | 'from'>): string {
  return by ?? (from === undefined ? 'You' : `You, from ${from}`)
}

export function toRunningTurn({ from }: Extract<TranscriptPart, { kind: 'steer' }>): string {
  return from === undefined ? 'to the running turn' : `to the running turn, from ${from}`
}

/** A subagent in a line. */
export function taskFacts({ name, about, model, state, startedAt, endedAt }: TranscriptTask): string[] {
  const took = startedAt === null || endedAt === null ? '' : formatDuration(endedAt - startedAt)
  const title = [name || 'subagent', about].filter(words => words !== '').join(': ')
  return [title, state === 'idle' ? 'done' : state, took, model].filter(words => words !== '')
}
