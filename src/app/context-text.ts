/** What /context says: what fills the window of the model, and what the agent reads by itself. */
import type { Instructions, Reading, Shelf, Skill } from '../agent/reading.ts'
import { fillKinds, fillOf, type Fill, type FillKind } from '../chat/fill.ts'
import type { ChatState } from '../chat/state.ts'
import { formatPercent, formatTokens } from '../text/format.ts'
import { WINDOW_LANGUAGE } from '../markdown/window-language.ts'
import { loadLanguage } from '../markdown/languages.ts'
import { folderLabel } from '../project.ts'
import type { Context } from './context.ts'
import { plainMarkdown, tableRow } from './texts.ts'
import { gridRows, tokensOfCell } from './window-grid.ts'

export type ContextFacts = {
  chat: ChatState
  /** What it read when it was started, and whether the files say something else by now. */
  reading: Reading | null
  isOutdated: boolean
  /** Of the window, the percent at which the conversation is compacted by itself; 0 where it is not. */
  compactAt: number
  showsUnicode: boolean
  /** False for who hears the screen: then it is said in words alone. */
  showsGrid: boolean
  /** A path as people write it. */
  label: (path: string) => string
}

/** By kind: its sign, and what it is. */
const KINDS: Readonly<Record<FillKind, readonly [sign: string, words: string]>> = {
  system: ['s', 'system, tools, the rest'],
  instructions: ['i', 'instructions (AGENTS.md)'],
  skills: ['k', 'list of skills'],
  memory: ['m', 'told of before'],
  prompts: ['p', 'your prompts'],
  answers: ['a', 'answers'],
  reasoning: ['r', 'reasoning'],
  tools: ['t', 'tools: calls, results'],
}
const RESERVE = '-'

/** Says it in the conversation. */
export async function tellContext({ backend, state, settings, desk, showsUnicode, show }: Context): Promise<void> {
  const [files] = await Promise.all([backend.reading?.('at once'), loadLanguage(WINDOW_LANGUAGE)])
  const { chat, reading: atStart } = state()
  const reading = atStart === 'awaited' ? null : atStart
  const { compactAt, screenReader } = settings.values()
  const text = contextText({
    chat,
    reading,
    isOutdated: reading !== null && files !== undefined && filesOf(files) !== filesOf(reading),
    compactAt: backend.compact ? compactAt : 0,
    showsUnicode,
    showsGrid: !screenReader,
    label: path => (desk ? folderLabel(path, desk.home) : path),
  })
  show(text)
}

function filesOf({ systemPrompt, instructions, skills }: Reading): string {
  return JSON.stringify([systemPrompt, instructions.items, skills.items])
}

/** In Markdown. */
export function contextText(facts: ContextFacts): string {
  const { chat, reading, showsGrid } = facts
  const fill = fillOf(chat, reading)
  const window = chat.agent.contextWindow
  return [
    `**context**: ${usedWords(fill, window)}`,
    ...(window !== null && showsGrid ? [grid(fill, window, facts)] : []),
    shareTable(fill, window, facts),
    ...notes(fill, window, facts),
    ...(reading === null ? [] : readingPieces(reading, facts)),
    ...(facts.isOutdated
      ? [`The files have changed since ${chat.agent.name} was started: /restart makes it read them.`]
      : []),
  ].join('\n\n')
}

function usedWords({ used, isReported }: Fill, window: number | null): string {
  const about = isReported ? '' : 'about '
  if (window === null) return `${about}${formatTokens(used)} tokens; how large the window is, is not known`
  return `${about}${formatTokens(used)} of ${formatTokens(window)} tokens (${formatPercent(used / window)})`
}

function reserveOf(window: number, { compactAt }: ContextFacts): number {
  return compactAt === 0 ? 0 : Math.round(window * (1 - compactAt / 100))
}

const freeSign = ({ showsUnicode }: ContextFacts): string => (showsUnicode ? '·' : '.')

function grid({ parts }: Fill, window: number, facts: ContextFacts): string {
  const shares = fillKinds.map(kind => ({ sign: KINDS[kind][0], tokens: parts[kind] }))
  const last = { sign: RESERVE, tokens: reserveOf(window, facts) }
  return [`\`\`\`${WINDOW_LANGUAGE}`, ...gridRows(shares, freeSign(facts), last, window), '```'].join('\n')
}

function shareTable(fill: Fill, window: number | null, facts: ContextFacts): string {
  const rows = fillKinds
    .filter(kind => fill.parts[kind] > 0)
    .map(kind => ({ sign: KINDS[kind][0], words: KINDS[kind][1], tokens: fill.parts[kind], about: '~' }))
  if (window !== null) {
    const reserve = Math.min(reserveOf(window, facts), Math.max(0, window - fill.used))
    const free = Math.max(0, window - fill.used - reserve)
    const about = fill.isReported ? '' : '~'
    rows.push({ sign: freeSign(facts), words: 'free', tokens: free, about })
    if (reserve > 0) rows.push({ sign: RESERVE, words: 'kept for compacting', tokens: reserve, about })
  }
  const hasSigns = window !== null && facts.showsGrid
  const signed = (sign: string): string[] => (hasSigns ? [sign] : [])
  const shared = (tokens: number): string[] => (window === null ? [] : [formatPercent(tokens / window)])
  const cells = rows.map(({ sign, words, tokens, about }) =>
    signed(sign).concat(words, `${about}${formatTokens(tokens)}`, shared(tokens)),
  )
  const head = [...(hasSigns ? [''] : []), 'what', 'tokens', ...(window === null ? [] : ['share'])]
  const rule = head.map(title => (title === 'what' || title === '' ? '---' : '---:')).join('|')
  return [tableRow(head), `|${rule}|`, ...cells.map(tableRow)].join('\n')
}

function notes({ isReported }: Fill, window: number | null, { chat, showsGrid }: ContextFacts): string[] {
  const { name } = chat.agent
  const total = isReported
    ? `${name} reported the total with its last answer; what is marked ~ is estimated.`
    : `All of it is estimated: ${name} reports the total with its next answer.`
  const cell = window !== null && showsGrid ? ` Each sign is ${formatTokens(tokensOfCell(window))} tokens.` : ''
  return [`${total}${cell}`]
}

function readingPieces({ systemPrompt, instructions, skills, isWhole }: Reading, facts: ContextFacts): string[] {
  const files = [...(systemPrompt === null ? [] : [systemPrompt]), ...instructions.items]
  const table = files.length === 0 ? [] : [instructionTable(files, systemPrompt, instructions, facts)]
  const pieces = [...table, ...(instructions.items.length > 0 ? [instructions.why] : []), ...skillPieces(skills)]
  const rest = isWhole ? null : 'There is more than could be looked at.'
  return [...pieces, rest].filter(piece => piece !== null)
}

function instructionTable(
  files: readonly Instructions[],
  systemPrompt: Instructions | null,
  { read }: Shelf<Instructions>,
  { chat, label }: ContextFacts,
): string {
  const title = `${chat.agent.name} reads`
  const rows = files.map(file => {
    const { path, tokens, problem } = file
    if (problem !== null) return [label(path), `left out: it ${problem}`]
    const size = `~${formatTokens(tokens ?? 0)} tokens`
    if (file === systemPrompt) return [label(path), `${size}, for its own system prompt`]
    return [label(path), read === 'yes' ? size : read === 'no' ? 'not read' : `${size}, perhaps`]
  })
  return [tableRow([title, '']), '|---|---|', ...rows.map(tableRow)].join('\n')
}

/** Names of skills that are said before it is a number only. */
const NAMED = 8

function skillPieces({ items, read, why }: Shelf<Skill>): (string | null)[] {
  if (items.length === 0) return []
  const taken = items.filter(({ state }) => state === 'taken')
  const broken = items.filter(({ state }) => state === 'broken').length
  const names = taken.slice(0, NAMED).map(({ name }) => name)
  const more = taken.length > NAMED ? `, and ${taken.length - NAMED} more` : ''
  const count = `${taken.length} ${taken.length === 1 ? 'skill' : 'skills'}`
  const listed = taken.length === 0 ? 'No skill' : `${count}: ${names.join(', ')}${more}`
  const left = broken === 0 ? '' : `, ${broken} left out`
  return [`${plainMarkdown(`${listed}${left}`)}. /skills tells more.`, read === 'yes' ? null : why]
}
