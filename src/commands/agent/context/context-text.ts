/** The text of /context: the use of the model's window, and the files that the agent loads on its own. */
import { counted } from '../../../text/counted.ts'
import type { Instructions, StartupContext, SourceList, Skill } from '../../../agent/startup-context.ts'
import {
  usageKinds,
  contextUsageOf,
  type ContextUsage,
  type UsageKind,
} from '../../../conversation/queries/context-usage.ts'
import type { ChatState } from '../../../conversation/state.ts'
import { formatPercent, formatTokens } from '../../../text/format.ts'
import { WINDOW_LANGUAGE } from '../../../markdown/code/window-language.ts'
import { loadLanguage } from '../../../markdown/code/languages.ts'
import { folderLabel } from '../../../platform/project.ts'
import type { AppContext } from '../../../app/context/context.ts'
import { plainMarkdown, tableRow } from '../../../text/markdown-table.ts'
import { gridRows, tokensOfCell } from './window-grid.ts'

export type ContextFacts = {
  chat: ChatState
  /** The files that the agent read at its start; null if they are unknown. */
  reading: StartupContext | null
  /** True if these files have changed since. */
  isOutdated: boolean
  /** The percentage of the window at which the conversation is compacted automatically; 0 for never. */
  compactAt: number
  showsUnicode: boolean
  /** False for a screen reader. */
  showsGrid: boolean
  /** Columns of the screen. */
  columns: number
  /** A path with `~` for the home folder. */
  label: (path: string) => string
}

/** The sign and the label of each kind. */
const KINDS: Readonly<Record<UsageKind, readonly [sign: string, words: string]>> = {
  system: ['s', 'system, tools, rest'],
  instructions: ['i', 'AGENTS.md'],
  skills: ['k', 'list of skills'],
  memory: ['m', 'earlier context'],
  prompts: ['p', 'your prompts'],
  answers: ['a', 'answers'],
  reasoning: ['r', 'reasoning'],
  tools: ['t', 'calls and results'],
}
const RESERVE = '-'

/** Prints the use of the window in the conversation. */
export async function showContext(context: AppContext): Promise<void> {
  const { backend, state, settings, host, showsUnicode, show } = context
  const [files] = await Promise.all([backend.reading('at once'), loadLanguage(WINDOW_LANGUAGE)])
  const { chat, reading: atStart } = state()
  const reading = atStart === 'awaited' ? null : atStart
  const { compactAt, screenReader } = settings.values()
  const text = contextText({
    chat,
    reading,
    isOutdated: reading !== null && files !== null && filesOf(files) !== filesOf(reading),
    compactAt: backend.abilities.has('compact') ? compactAt : 0,
    showsUnicode,
    showsGrid: !screenReader,
    columns: context.composerWidth(),
    label: path => (host ? folderLabel(path, host.home) : path),
  })
  show(text)
}

function filesOf({ systemPrompt, instructions, skills }: StartupContext): string {
  return JSON.stringify([systemPrompt, instructions.items, skills.items])
}

/** The text in Markdown. */
export function contextText(facts: ContextFacts): string {
  const { chat, reading, showsGrid } = facts
  const fill = contextUsageOf(chat, reading)
  const window = chat.agent.contextWindow
  return [
    `**context**: ${usedWords(fill, window)}`,
    window !== null && showsGrid ? grid(fill, window, facts) : shareTable(fill, window, facts),
    ...notes(fill, window, facts),
    ...(reading === null ? [] : readingPieces(reading, facts)),
    ...(facts.isOutdated
      ? [`The files have changed since ${chat.agent.name} started: /restart makes it read them.`]
      : []),
  ].join('\n\n')
}

function usedWords({ used, isReported }: ContextUsage, window: number | null): string {
  const about = isReported ? '' : 'about '
  if (window === null) return `${about}${formatTokens(used)} tokens; the size of the window is unknown`
  return `${about}${formatTokens(used)} of ${formatTokens(window)} tokens (${formatPercent(used / window)})`
}

function reserveOf(window: number, { compactAt }: ContextFacts): number {
  return compactAt === 0 ? 0 : Math.round(window * (1 - compactAt / 100))
}

const freeSign = ({ showsUnicode }: ContextFacts): string => (showsUnicode ? '·' : '.')

/** The gap between the grid and its legend. */
const BESIDE = '   '

/** The grid, with its legend beside or below it; the largest part comes first. */
function grid(fill: ContextUsage, window: number, facts: ContextFacts): string {
  const shares = partsOf(fill)
  const last = { sign: RESERVE, tokens: reserveOf(window, facts) }
  const rows = gridRows(shares, freeSign(facts), last, { window, columns: facts.columns })
  const legend = legendLines(fill, window, facts)
  const widest = Math.max(...legend.map(line => line.length))
  const isBeside = (rows[0] ?? '').length + BESIDE.length + widest <= facts.columns && legend.length <= rows.length
  const lines = isBeside
    ? rows.map((row, index) => `${row}${BESIDE}${legend[index] ?? ''}`.trimEnd())
    : [...rows, '', ...legend]
  return [`\`\`\`${WINDOW_LANGUAGE}`, ...lines, '```'].join('\n')
}

type ContextPart = { sign: string; words: string; tokens: number; about: string }

/** The parts that are not empty, the largest first. */
function partsOf({ parts }: ContextUsage): ContextPart[] {
  return usageKinds
    .filter(kind => parts[kind] > 0)
    .map(kind => ({ sign: KINDS[kind][0], words: KINDS[kind][1], tokens: parts[kind], about: '~' }))
    .toSorted((one, other) => other.tokens - one.tokens)
}

/** The parts with the free and the reserved one, if the size of the window is known. */
function allParts(fill: ContextUsage, window: number | null, facts: ContextFacts): ContextPart[] {
  const parts = partsOf(fill)
  if (window === null) return parts
  const reserve = Math.min(reserveOf(window, facts), Math.max(0, window - fill.used))
  const free = Math.max(0, window - fill.used - reserve)
  const about = fill.isReported ? '' : '~'
  parts.push({ sign: freeSign(facts), words: 'free', tokens: free, about })
  if (reserve > 0) parts.push({ sign: RESERVE, words: 'kept for compacting', tokens: reserve, about })
  return parts
}

function cellsOf({ words, tokens, about }: ContextPart, window: number | null): string[] {
  return [words, `${about}${formatTokens(tokens)}`, ...(window === null ? [] : [formatPercent(tokens / window)])]
}

function legendLines(fill: ContextUsage, window: number, facts: ContextFacts): string[] {
  const parts = allParts(fill, window, facts)
  const cells = parts.map(part => cellsOf(part, window))
  const widthOf = (column: number): number => Math.max(...cells.map(row => row[column]?.length ?? 0))
  const widths = [0, 1, 2].map(widthOf)
  return parts.map(({ sign }, index) => {
    const [words = '', tokens = '', share = ''] = cells[index] ?? []
    const [first = 0, second = 0, third = 0] = widths
    return `${sign} ${words.padEnd(first)}  ${tokens.padStart(second)}  ${share.padStart(third)}`
  })
}

function shareTable(fill: ContextUsage, window: number | null, facts: ContextFacts): string {
  const head = ['what', 'tokens', ...(window === null ? [] : ['share'])]
  const rule = head.map(title => (title === 'what' ? '---' : '---:')).join('|')
  const rows = allParts(fill, window, facts).map(part => tableRow(cellsOf(part, window)))
  return [tableRow(head), `|${rule}|`, ...rows].join('\n')
}

function notes({ isReported }: ContextUsage, window: number | null, { chat, showsGrid }: ContextFacts): string[] {
  const { name } = chat.agent
  const total = isReported
    ? `${name} reported the total with its last answer; numbers with ~ are estimates.`
    : `All numbers are estimates: ${name} reports the total with its next answer.`
  const cell = window !== null && showsGrid ? ` Each square is ${formatTokens(tokensOfCell(window))} tokens.` : ''
  return [`${total}${cell}`]
}

function readingPieces({ systemPrompt, instructions, skills, isWhole }: StartupContext, facts: ContextFacts): string[] {
  const files = [...(systemPrompt === null ? [] : [systemPrompt]), ...instructions.items]
  const table = files.length === 0 ? [] : [instructionTable(files, systemPrompt, instructions, facts)]
  const pieces = [...table, ...(instructions.items.length > 0 ? [instructions.why] : []), ...skillPieces(skills)]
  const rest = isWhole ? null : 'There are more files than could be checked.'
  return [...pieces, rest].filter(piece => piece !== null)
}

function instructionTable(
  files: readonly Instructions[],
  systemPrompt: Instructions | null,
  { read }: SourceList<Instructions>,
  { chat, label }: ContextFacts,
): string {
  const title = `${chat.agent.name} reads`
  const rows = files.map(file => {
    const { path, tokens, problem } = file
    if (problem !== null) return [label(path), `left out: it ${problem}`]
    const size = `~${formatTokens(tokens ?? 0)} tokens`
    if (file === systemPrompt) return [label(path), `${size}, replaces its own system prompt`]
    return [label(path), read === 'yes' ? size : read === 'no' ? 'not read' : `${size}, perhaps`]
  })
  return [tableRow([title, '']), '|---|---|', ...rows.map(tableRow)].join('\n')
}

/** The maximum of skills that are named; the others are counted. */
const NAMED = 8

function skillPieces({ items, read, why }: SourceList<Skill>): (string | null)[] {
  if (items.length === 0) return []
  const taken = items.filter(({ state }) => state === 'taken')
  const broken = items.filter(({ state }) => state === 'broken').length
  const names = taken.slice(0, NAMED).map(({ name }) => name)
  const more = taken.length > NAMED ? `, and ${taken.length - NAMED} more` : ''
  const count = counted(taken.length, 'skill')
  const listed = taken.length === 0 ? 'No skill' : `${count}: ${names.join(', ')}${more}`
  const left = broken === 0 ? '' : `, ${broken} left out`
  return [`${plainMarkdown(`${listed}${left}`)}. /skills shows more.`, read === 'yes' ? null : why]
}
