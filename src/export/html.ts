/**
 * A session as one self-contained HTML page: no network, no other file. Its security policy allows only the page's own style and
 * script, by their checksums.
 */
import { shownPrompt, unpromptedWords } from '../conversation/queries/shown-prompt.ts'
import { createHash } from 'node:crypto'
import {
  authorOf,
  compactionFacts,
  dateTime,
  imageFact,
  noticeText,
  sessionFacts,
  taskFacts,
  thoughtFact,
  toRunningTurn,
  turnFacts,
  type TimeZone,
} from './fact-words.ts'
import { codeBlock, diffBlock } from './html-code.ts'
import { richText } from './html-text.ts'
import { joined, Markup, markup } from './markup.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import type { Transcript, TranscriptEntry, TranscriptPart, TranscriptTask, TranscriptTurn } from './schema.ts'
import { shellWords, toolWords, type ToolWords } from './tool-words.ts'
import { turnPlots } from './turn-plots.ts'

export function* toHtml(transcript: Transcript, zone: TimeZone): Generator<string> {
  yield beginning(transcript, zone).source
  for (const entry of transcript.entries) yield `${entryMarkup(entry, zone).source}\n`
  yield ending.source
}

function beginning(transcript: Transcript, zone: TimeZone): Markup {
  const policy = [
    `default-src 'none'`,
    `style-src '${checksum(pageStyle)}'`,
    `script-src '${checksum(pageScript)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="zotui">
<title>${transcript.title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<header>
<h1>${transcript.title}</h1>
${factsLine('facts', sessionFacts(transcript, zone))}
${turnPlots(transcript)}
</header>
<main>
${searchBar}
`
}

const ending = markup`</main>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`

/** Hidden until the script runs, since it needs the script. */
const searchBar = markup`<div class="find" hidden><input type="search" placeholder="Search" aria-label="Search"><output></output><button type="button">Open all</button></div>`

function checksum(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function factsLine(name: 'facts' | 'ends', facts: readonly string[]): Markup {
  return facts.length === 0
    ? markup``
    : markup`<p class="${name}">${facts.map(fact => markup`<span>${fact}</span>`)}</p>`
}

function entryMarkup(entry: TranscriptEntry, zone: TimeZone): Markup {
  switch (entry.kind) {
    case 'turn':
      return turnMarkup(entry, zone)
    case 'compaction': {
      const line = markup`<p class="note break">${compactionFacts(entry, zone).join(' · ')}</p>`
      return entry.summary === '' ? line : markup`${line}${fold('the summary', richText(entry.summary))}`
    }
    case 'notice':
    case 'shell':
      return partMarkup(entry, new Map())
    case 'cleared':
      return markup`<p class="note break">${dateTime(entry.at, zone)} · a new conversation</p>`
    case 'agent_ended':
      return markup`<p class="problem">The agent ended: ${entry.reason}</p>`
  }
}

function turnMarkup(turn: TranscriptTurn, zone: TimeZone): Markup {
  const { parts, error } = turn
  const problem = error === null ? markup`` : markup`<p class="problem">${error}</p>`
  const { outermost, madeBy } = nesting(parts)
  const inner = outermost.map(part => partMarkup(part, madeBy))
  return markup`<article>
${turn.unprompted ? causeMarkup(turn, turn.unprompted, zone) : promptMarkup(turn, zone)}
${joined(inner, '\n')}
${planMarkup(turn)}${problem}${factsLine('ends', turnFacts(turn))}
</article>`
}

function causeMarkup({ at }: TranscriptTurn, cause: NonNullable<TranscriptTurn['unprompted']>, zone: TimeZone): Markup {
  return markup`<p class="note">${unpromptedWords(cause)} <time>${dateTime(at, zone)}</time></p>`
}

function promptMarkup(turn: TranscriptTurn, zone: TimeZone): Markup {
  const { prompt, typed, before } = turn
  const images = imageFact(turn)
  const attached = images === '' ? markup`` : markup`<p class="note">${images}</p>`
  const sent = before.map(text => fold('sent before it', markup`<pre><code>${text}</code></pre>`))
  const made = typed === undefined ? markup`` : fold('sent as', markup`<pre><code>${prompt}</code></pre>`)
  return markup`<section class="you"><h2>${authorOf(turn)} <time>${dateTime(turn.at, zone)}</time></h2>
<div class="said">${shownPrompt(turn)}</div>${made}${sent}${attached}</section>`
}

const PLAN_SIGNS = { completed: '☑', in_progress: '◐', pending: '☐' } as const

function planMarkup({ plan = [] }: TranscriptTurn): Markup {
  const items = plan.map(({ text, status }) => markup`<li class="${status}">${PLAN_SIGNS[status]} ${text}</li>`)
  return items.length === 0 ? markup`` : markup`<ul class="note">${items}</ul>`
}

function fold(title: string, inside: Markup): Markup {
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

function partMarkup(part: TranscriptPart, madeBy: MadeBy): Markup {
  switch (part.kind) {
    case 'text':
      return richText(part.text)
    case 'shell':
      return toolMarkup(shellWords(part), [])
    case 'notice': {
      const line = markup`<p class="note ${part.level}">${noticeText(part)}</p>`
      return part.details === undefined ? line : markup`${line}${fold('the summary', richText(part.details))}`
    }
    case 'steer':
      return steerMarkup(part)
    case 'thought':
      return fold(thoughtFact(part), richText(part.text))
    case 'task':
      return fold(taskFacts(part).join(' · '), joined(part.turns.map(taskTurn), '\n'))
    case 'tool': {
      const calls = madeBy.get(part) ?? []
      return toolMarkup(
        toolWords(part),
        calls.map(call => partMarkup(call, madeBy)),
      )
    }
  }
}

function steerMarkup(steer: Extract<TranscriptPart, { kind: 'steer' }>): Markup {
  const images = imageFact(steer)
  const sent = (steer.before ?? []).map(text => fold('sent before it', markup`<pre><code>${text}</code></pre>`))
  const said = markup`<div class="said">${shownPrompt({ ...steer, prompt: steer.text })}</div>`
  const facts = images === '' ? markup`` : markup`<p class="note">${images}</p>`
  return markup`<section class="prompt"><p class="note">${toRunningTurn(steer)}</p>${sent}${said}${facts}</section>`
}

/** A turn of a subagent. */
function taskTurn({ prompt, parts, error }: TranscriptTask['turns'][number]): Markup {
  const { outermost, madeBy } = nesting(parts)
  const asked = prompt === '' ? markup`` : markup`<div class="said">${prompt}</div>`
  const problem = error === null ? markup`` : markup`<p class="problem">${error}</p>`
  const inner = outermost.map(part => partMarkup(part, madeBy))
  return markup`${asked}${joined(inner, '\n')}${problem}`
}

/** Changes to files are unfolded, since people look for them. */
function toolMarkup(
  { name, subject, facts, failed, input, output, diff }: ToolWords,
  calls: readonly Markup[],
): Markup {
  const inside = [
    ...(input === null ? [] : [codeBlock(input)]),
    ...calls,
    ...(output === null ? [] : [codeBlock(output)]),
    ...(diff === null ? [] : [diffBlock(diff)]),
  ]
  const kinds = [failed ? 'failed' : '', inside.length === 0 ? 'plain' : ''].join(' ').trim()
  const title = markup`<b>${name}</b><span class="about">${subject}</span><span class="end">${facts.join(', ')}</span>`
  const open = new Markup(diff === null ? '' : ' open')
  return markup`<details class="${kinds}"${open}><summary>${title}</summary><div class="inside">${inside}</div></details>`
}
