/** The popup that completes the word at the caret: files, slash commands and their arguments. */
import { completionAt, type Completion } from '../../composer/completion.ts'
import { MOST_RANKED, rank, type Ranked } from '../../composer/ranking.ts'
import type { TextRange } from '../../composer/editor.ts'
import { withoutLines, type MentionedLines } from '../../composer/mentions.ts'
import { keyed } from '../../text/key-hints.ts'
import { lastMade } from '../../text/last-made.ts'
import type { ArgumentChoice } from './argument-completer.ts'
import { argumentAt, fileQueryAt } from './arguments.ts'
import type { KeyContext } from '../binding.ts'
import { absentCommand, helpOf, nearestCommand, parseSlash, unknownText, type SlashCommand } from '../slash.ts'
import { takesKeys, visibleQuestion, type AppState, type FoundSymbol } from '../state.ts'

export type PopupRow = {
  /** The text in the list. */
  label: string
  /** The beginning of the label; the rest is omitted if there is no room for it. */
  brief: string
  /** The offsets in the label that match the typed text, ascending. */
  positions: readonly number[]
  detail: string
  /** True if the label is a path, which is shortened in its middle. */
  isPath: boolean
  /** The range of the composer's text that it replaces. */
  range: TextRange
  /** The inserted text, unless a chip for `file` is inserted. */
  completed: string
  /** The path of a file; null for anything else. A directory is completed further. */
  file: string | null
  /** The lines typed after the path of a file. */
  lines?: MentionedLines | null
  /** True if the draft is then complete, so that Enter also sends it. */
  sends: boolean
}

export function contextOf(state: AppState, commands: readonly SlashCommand[]): KeyContext {
  if (state.page) return state.page
  if (state.picker) return 'picker'
  const question = visibleQuestion(state)
  // Until the question takes keys, they belong to the draft, and no popup is shown.
  if (question) return !takesKeys(state) ? 'composer' : question.typed ? 'typed' : 'question'
  return popupRows(state, commands).length > 0 ? 'popup' : 'composer'
}

/** The rows of the completion popup; none when there is nothing to complete or Esc closed it. */
export function popupRows(state: AppState, commands: readonly SlashCommand[]): PopupRow[] {
  const { text, caret } = state.editor
  if (state.vim && state.vim.mode !== 'insert') return []
  const completion = state.popup.closedFor === text ? null : completionAt(text, caret)
  if (completion === null) return []
  if (completion.kind === 'file') return fileRows(state, completion)
  // A text of several lines is no command.
  if (text.includes('\n')) return []
  return completion.kind === 'slash'
    ? commandRows(commands, completion, text.slice(completion.range.end))
    : argumentRows(state, commands, completion)
}

/** The hint that the draft is a note or no command, or that nothing matches it; null if there is nothing to say. */
export function noCommandHint(state: AppState, commands: readonly SlashCommand[]): string | null {
  const { text } = state.editor
  if (state.noting) return noteHint(state)
  if (state.files?.note) return state.files.note
  const argument = state.popup.closedFor === text ? null : argumentAt(state, commands)
  if (argument && argument.query !== '' && popupRows(state, commands).length === 0)
    return argument.completer.none?.(state) ?? null
  const slash = text.startsWith('/') ? parseSlash(text, commands) : null
  // A slash alone needs no hint yet.
  if (slash?.kind !== 'unknown' || slash.word === '/' || popupRows(state, commands).length > 0) return null
  if (absentCommand(slash, state.knownCommands))
    return `${unknownText(slash, commands, state)} Put a space before it to send it as text.`
  const similar = nearestCommand(slash, commands)
  return `No command ${slash.word}.${similar === null ? '' : ` Did you mean ${similar}?`} Put a space before it to send it as text.`
}

/** The hint while a note is written. */
export function noteHint({ keyNames }: AppState): string {
  return `${keyed(keyNames, '{composer.submit} adds this to AGENTS.md; {composer.stop} makes it a prompt')}.`
}

function fileRows({ files }: AppState, { query, range }: Completion): PopupRow[] {
  if (files?.symbols) return files.symbols.map(symbol => symbolRow(symbol, range))
  const { lines } = withoutLines(query)
  return (files?.found ?? []).map(({ path, positions }) => {
    const isFolder = path.endsWith('/')
    // The quote stays open, so that the path can continue.
    const completed = /[\s"]/.test(path) ? `@"${path}` : `@${path}`
    const file = isFolder ? null : path
    return popupRow({ label: path, positions, isPath: true, range, completed, file, lines })
  })
}

function symbolRow({ name, kind, path, lines, positions }: FoundSymbol, range: TextRange): PopupRow {
  const place = lines === null ? path : `${path}:${lines.from}`
  const detail = [kind, place].filter(part => part !== '').join('  ')
  return popupRow({ label: name, positions, detail, range, completed: '', file: path, lines })
}

type RowFacts = Pick<PopupRow, 'label' | 'positions' | 'range'> & Partial<PopupRow>

/** A row with the defaults of most rows. */
function popupRow(facts: RowFacts): PopupRow {
  const { label } = facts
  return { brief: label, detail: '', isPath: false, completed: label, file: null, sends: false, ...facts }
}

type SlashCompletion = Extract<Completion, { kind: 'slash' }>
type ArgumentCompletion = Extract<Completion, { kind: 'slash-argument' }>
type FoundCommand = { command: SlashCommand; name: string; positions: readonly number[] }

function commandRows(commands: readonly SlashCommand[], { query, range }: SlashCompletion, rest: string): PopupRow[] {
  return commandsFor(commands, query).map(found => rowOf(found, query, range, rest))
}

function rowOf(found: FoundCommand, query: string, range: TextRange, rest: string): PopupRow {
  const { command, name, positions } = found
  return popupRow({
    label: `/${command.name}${command.argument ? ` ${command.argument}` : ''}`,
    brief: `/${command.name}`,
    positions: name === command.name ? positions.map(at => at + 1) : [],
    detail: name === command.name ? helpOf(command) : `/${name}: ${helpOf(command)}`,
    range,
    completed: `/${command.name}${command.argument && rest === '' ? ' ' : ''}`,
    sends: isMeant(found, query),
  })
}

/** True if Enter runs the command at once. Text that is only similar to a name is completed first. */
function isMeant({ command, name }: FoundCommand, query: string): boolean {
  const typed = query.toLowerCase()
  if (name === typed) return true
  // A prompt costs money, so a command that takes an argument waits for it.
  const isPrompt = command.kind === 'prompt' || command.sendsPrompt
  return name.startsWith(typed) && !(isPrompt && command.argument !== null)
}

/**
 * Lists each command once, by its best matching name: exact matches first, then names that begin with the typed text,
 * then such aliases, then similar names, best first. The other groups are in the order of the table.
 */
function commandsFor(commands: readonly SlashCommand[], query: string): FoundCommand[] {
  if (query === '') return commands.map(command => ({ command, name: command.name, positions: [] }))
  const typed = query.toLowerCase()
  const named = commands.flatMap(command => namesOf(command, typed).map(name => ({ command, name })))
  const ranked = rank(query, named, each => each.name).map(({ item: { command, name }, positions }) => ({
    command,
    name,
    positions,
  }))
  const begun = ranked
    .filter(({ name }) => name.startsWith(typed))
    .toSorted((a, b) => commands.indexOf(a.command) - commands.indexOf(b.command))
  const best = new Map<SlashCommand, FoundCommand>()
  const inOrder = [
    ...begun.filter(({ name }) => name === typed),
    ...begun.filter(({ command, name }) => name === command.name),
    ...begun,
    ...ranked,
  ]
  for (const each of inOrder) if (!best.has(each.command)) best.set(each.command, each)
  return [...best.values()]
}

/**
 * The names that find a command. The long name of a custom command, `project:review`, is similar to too much, so it
 * must begin with the typed text.
 */
function namesOf({ kind, name, aliases }: SlashCommand, typed: string): string[] {
  return [name, ...(kind === 'built-in' ? aliases : aliases.filter(alias => alias.startsWith(typed)))]
}

const none: readonly ArgumentChoice[] = []
const rankedChoices = lastMade<readonly Ranked<ArgumentChoice>[]>()

function argumentRows(
  state: AppState,
  commands: readonly SlashCommand[],
  { query, range }: ArgumentCompletion,
): PopupRow[] {
  const choices = argumentAt(state, commands)?.completer.choices?.(state, query) ?? none
  const ranked = rankedChoices(choices, query, () =>
    query === ''
      ? choices.slice(0, MOST_RANKED).map(item => ({ item, positions: [] }))
      : rank(query, choices, choice => choice.label),
  )
  const rows = ranked.map(({ item: { label, detail, sends = true }, positions }) =>
    popupRow({ label, positions, detail, range, sends }),
  )
  const found = fileQueryAt(state, commands) === null ? [] : (state.files?.found ?? [])
  const files = found.map(({ path, positions }) =>
    popupRow({ label: path, positions, isPath: true, range, sends: !path.endsWith('/') }),
  )
  return [...rows, ...files]
}
