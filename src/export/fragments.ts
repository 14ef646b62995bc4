/** The pieces of a conversation as HTML: of an exported page, and of the page of `zotui serve`. */
import { shownPrompt, unpromptedWords } from '../conversation/queries/shown-prompt.ts'
import {
  authorOf,
  compactionFacts,
  dateTime,
  imageFact,
  noticeText,
  taskFacts,
  thoughtFact,
  toRunningTurn,
  turnFacts,
  type TimeZone,
} from './fact-words.ts'
import { codeBlock, diffBlock } from './html-code.ts'
import { richText } from './html-text.ts'
import { joined, Markup, markup } from './markup.ts'
import type { TranscriptEntry, TranscriptPart, TranscriptTask, TranscriptTurn } from './schema.ts'
import type { DiffLine } from '../text/diff-line.ts'
import { shellWords, toolWords, type CodeSample, type ToolWords } from './tool-words.ts'

/** How what may be long is drawn: a page that grows leaves out some of it. */
export type Drawing = {
  code: (sample: CodeSample) => Markup
  diff: (lines: readonly DiffLine[]) => Markup
  /** Text that stays as it is. */
  plain: (text: string) => Markup
  /** What somebody typed. */
  said: (text: string) => Markup
  /** Markdown. */
  rich: (text: string) => Markup
}

export const whole: Drawing = {
  code: codeBlock,
  diff: diffBlock,
  plain: text => markup`<pre><code>${text}</code></pre>`,
  said: text => markup`${text}`,
  rich: richText,
}

export function factsLine(name: 'facts' | 'ends', facts: readonly string[]): Markup {
  return facts.length === 0
    ? markup``
    : markup`<p class="${name}">${facts.map(fact => markup`<span>${fact}</span>`)}</p>`
}

export function entryMarkup(entry: TranscriptEntry, zone: TimeZone, drawing: Drawing = whole): Markup {
  switch (entry.kind) {
    case 'turn':
      return turnMarkup(entry, zone)
    case 'compaction': {
      const line = markup`<p class="note break">${compactionFacts(entry, zone).join(' · ')}</p>`
      return entry.summary === '' ? line : markup`${line}${fold('the summary', drawing.rich(entry.summary))}`
    }
    case 'notice':
    case 'shell':
      return partMarkup(entry, new Map(), drawing)
    case 'cleared':
      return markup`<p class="note break">${dateTime(entry.at, zone)} · a new conversation</p>`
    case 'agent_ended':
      return markup`<p class="problem">The agent ended: ${entry.reason}</p>`
  }
}

function turnMarkup(turn: TranscriptTurn, zone: TimeZone): Markup {
  const { outermost, madeBy } = nesting(turn.parts)
  const inner = outermost.map(part => partMarkup(part, madeBy, whole))
  return markup`<article>
${turnBeginning(turn, zone, whole)}
${joined(inner, '\n')}
${planMarkup(turn)}${problemMarkup(turn)}${turnEnd(turn)}
</article>`
}

/** The prompt, or what the turn began with. */
export function turnBeginning(turn: TranscriptTurn, zone: TimeZone, drawing: Drawing): Markup {
  return turn.unprompted ? causeMarkup(turn, turn.unprompted, zone) : promptMarkup(turn, zone, drawing)
}

export function problemMarkup({ error }: Pick<TranscriptTurn, 'error'>): Markup {
  return error === null ? markup`` : markup`<p class="problem">${error}</p>`
}

export function turnEnd(turn: TranscriptTurn): Markup {
  return factsLine('ends', turnFacts(turn))
}

function causeMarkup({ at }: TranscriptTurn, cause: NonNullable<TranscriptTurn['unprompted']>, zone: TimeZone): Markup {
  return markup`<p class="note">${unpromptedWords(cause)} <time>${dateTime(at, zone)}</time></p>`
}

function promptMarkup(turn: TranscriptTurn, zone: TimeZone, drawing: Drawing): Markup {
  const { prompt, typed, before } = turn
  const images = imageFact(turn)
  const attached = images === '' ? markup`` : markup`<p class="note">${images}</p>`
  const sent = before.map(text => fold('sent before it', drawing.plain(text)))
  const made = typed === undefined ? markup`` : fold('sent as', drawing.plain(prompt))
  return markup`<section class="you"><h2>${authorOf(turn)} <time>${dateTime(turn.at, zone)}</time></h2>
<div class="said">${drawing.said(shownPrompt(turn))}</div>${made}${sent}${attached}</section>`
}

const PLAN_SIGNS = { completed: '☑', in_progress: '◐', pending: '☐' } as const

export function planMarkup({ plan = [] }: TranscriptTurn): Markup {
  const items = plan.map(({ text, status }) => markup`<li class="${status}">${PLAN_SIGNS[status]} ${text}</li>`)
  return items.length === 0 ? markup`` : markup`<ul class="note">${items}</ul>`
}

export function fold(title: string, inside: Markup): Markup {
  return markup`<details><summary><span class="about">${title}</span></summary><div class="inside">${inside}</div></details>`
}

type ExportedTool = Extract<TranscriptPart, { kind: 'tool' }>
/** The calls that each call made. */
type MadeBy = ReadonlyMap<TranscriptPart, readonly ExportedTool[]>

/** A call is inside of the newest earlier one with the id of its parent: an agent may repeat ids, or name a call as its own parent. */
function nesting(parts: readonly TranscriptPart[]): { outermost: TranscriptPart[]; madeBy: MadeBy } {
  const outermost: TranscriptPart[] = []
  const madeBy = new Map<TranscriptPart, ExportedTool[]>()
  const newest = new Map<string, ExportedTool>()
  for (const part of parts) {
    const parent = part.kind === 'tool' && part.parent !== null ? newest.get(part.parent) : undefined
    if (part.kind !== 'tool' || !parent) outermost.push(part)
    else madeBy.get(parent)?.push(part)
    if (part.kind !== 'tool') continue
    madeBy.set(part, [])
    newest.set(part.id, part)
  }
  return { outermost, madeBy }
}

export function partMarkup(part: TranscriptPart, madeBy: MadeBy, drawing: Drawing): Markup {
  switch (part.kind) {
    case 'text':
      return drawing.rich(part.text)
    case 'shell':
      return toolMarkup(shellWords(part), [], drawing)
    case 'notice': {
      const line = markup`<p class="note ${part.level}">${noticeText(part)}</p>`
      return part.details === undefined ? line : markup`${line}${fold('the summary', drawing.rich(part.details))}`
    }
    case 'steer':
      return steerMarkup(part, drawing)
    case 'thought':
      return fold(thoughtFact(part), drawing.rich(part.text))
    case 'task':
      return fold(
        taskFacts(part).join(' · '),
        joined(
          part.turns.map(turn => taskTurn(turn, drawing)),
          '\n',
        ),
      )
    case 'tool': {
      const calls = madeBy.get(part) ?? []
      return toolMarkup(
        toolWords(part),
        calls.map(call => partMarkup(call, madeBy, drawing)),
        drawing,
      )
    }
  }
}

function steerMarkup(steer: Extract<TranscriptPart, { kind: 'steer' }>, drawing: Drawing): Markup {
  const images = imageFact(steer)
  const sent = (steer.before ?? []).map(text => fold('sent before it', drawing.plain(text)))
  const said = markup`<div class="said">${drawing.said(shownPrompt({ ...steer, prompt: steer.text }))}</div>`
  const facts = images === '' ? markup`` : markup`<p class="note">${images}</p>`
  return markup`<section class="prompt"><p class="note">${toRunningTurn(steer)}</p>${sent}${said}${facts}</section>`
}

/** A turn of a subagent. */
export function taskTurn({ prompt, parts, error }: TranscriptTask['turns'][number], drawing: Drawing): Markup {
  const { outermost, madeBy } = nesting(parts)
  const asked = prompt === '' ? markup`` : markup`<div class="said">${drawing.said(prompt)}</div>`
  const inner = outermost.map(part => partMarkup(part, madeBy, drawing))
  return markup`${asked}${joined(inner, '\n')}${problemMarkup({ error })}`
}

/** Changes to files are unfolded, since people look for them. */
export function toolMarkup(
  { name, subject, facts, failed, input, output, diff }: ToolWords,
  calls: readonly Markup[],
  drawing: Drawing,
): Markup {
  const inside = [
    ...(input === null ? [] : [drawing.code(input)]),
    ...calls,
    ...(output === null ? [] : [drawing.code(output)]),
    ...(diff === null ? [] : [drawing.diff(diff)]),
  ]
  const kinds = [failed ? 'failed' : '', inside.length === 0 ? 'plain' : ''].join(' ').trim()
  const title = markup`<b>${name}</b><span class="about">${subject}</span><span class="end">${facts.join(', ')}</span>`
  const open = new Markup(diff === null ? '' : ' open')
  return markup`<details class="${kinds}"${open}><summary>${title}</summary><div class="inside">${inside}</div></details>`
}
