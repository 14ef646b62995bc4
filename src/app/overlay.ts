/** What opens below the composer: the popup that completes, and the lists that are searched by typing. */
import type { Model } from '../agent/backend.ts'
import { completionAt, rank, type Completion } from '../composer/completion.ts'
import type { TextRange } from '../composer/editor.ts'
import type { Context } from './keymap.ts'
import type { SlashCommand } from './slash.ts'
import type { AppState, Choice, ChoicePicker, FoundPrompt, HistoryPicker, ModelPicker, Picker } from './state.ts'

export type PopupRow = {
  /** What stands in the list. */
  label: string
  detail: string
  /** What it takes the place of in the composer's text. */
  range: TextRange
  /** What it puts there, unless it becomes a chip for `file`. */
  completed: string
  /** The path of a file; null for anything else, also for a directory, which is gone on in. */
  file: string | null
  /** Whether Enter sends as well: the line is then complete. */
  sends: boolean
}

export function contextOf(state: AppState, commands: readonly SlashCommand[]): Context {
  if (state.picker) return 'picker'
  return popupRows(state, commands).length > 0 ? 'popup' : 'composer'
}

/** The rows of the completion popup; none when there is nothing to complete or Esc closed it. */
export function popupRows(state: AppState, commands: readonly SlashCommand[]): PopupRow[] {
  const { text, caret } = state.editor
  const completion = state.popup.closedFor === text ? null : completionAt(text, caret)
  if (completion === null) return []
  if (completion.kind === 'file') return fileRows(state, completion.range)
  // With more lines it is no command.
  if (text.includes('\n')) return []
  return completion.kind === 'slash'
    ? commandRows(commands, completion, text.slice(completion.range.end))
    : argumentRows(state, commands, completion)
}

function fileRows({ files }: AppState, range: TextRange): PopupRow[] {
  return (files?.paths ?? []).map(path => {
    const isFolder = path.endsWith('/')
    // The quote stays open, so that the path can go on.
    const completed = /[\s"]/.test(path) ? `@"${path}` : `@${path}`
    return { label: path, detail: '', range, completed, file: isFolder ? null : path, sends: false }
  })
}

type SlashCompletion = Extract<Completion, { kind: 'slash' }>
type ArgumentCompletion = Extract<Completion, { kind: 'slash-argument' }>

function commandRows(commands: readonly SlashCommand[], { query, range }: SlashCompletion, rest: string): PopupRow[] {
  const named = commands.flatMap(command => [command.name, ...command.aliases].map(name => ({ command, name })))
  const found = query === '' ? commands : rank(query, named, each => each.name).map(each => each.item.command)
  // What begins as typed goes before what is only called so otherwise: /co is /compact, not /usage for its /cost.
  const begun = found.filter(command => command.name.startsWith(query.toLowerCase()))
  return [...new Set([...begun, ...found])].map(command => ({
    label: `/${command.name}${command.argument ? ` ${command.argument}` : ''}`,
    detail: command.help,
    range,
    completed: `/${command.name}${command.argument && rest === '' ? ' ' : ''}`,
    file: null,
    sends: true,
  }))
}

function argumentRows(
  state: AppState,
  commands: readonly SlashCommand[],
  { command: word, query, range }: ArgumentCompletion,
): PopupRow[] {
  const command = commands.find(each => each.name === word || each.aliases.includes(word))
  const choices = command ? choicesOf(command, state) : []
  const found = query === '' ? choices : rank(query, choices, choice => choice.name).map(each => each.item)
  return found.map(({ name, detail }) => ({ label: name, detail, range, completed: name, file: null, sends: true }))
}

/** What a command's argument may be, as far as that can be listed. */
function choicesOf({ name }: SlashCommand, { chat, themes }: AppState): { name: string; detail: string }[] {
  if (name === 'theme') {
    return themes.offered.map(theme => ({
      name: theme.name,
      detail: [isUsed(theme.name, themes.used), theme.detail].filter(part => part !== '').join(': '),
    }))
  }
  const { reasoning, reasoningLevels } = chat.agent
  if (name !== 'reasoning' || reasoningLevels.length === 0) return []
  return ['off', ...reasoningLevels].map(level => ({ name: level, detail: isUsed(level, reasoning || 'off') }))
}

const isUsed = (choice: string, used: string): string => (choice === used ? 'in use' : '')

export type PickerRow = { model: Model; positions: readonly number[] }

export function pickerRows(picker: ModelPicker): PickerRow[] {
  const models = picker.models ?? []
  if (picker.filter === '') return models.map(model => ({ model, positions: [] }))
  return rank(picker.filter, models, model => model.id).map(each => ({ model: each.item, positions: each.positions }))
}

/** An answer with its place among all, and which of its letters the filter found. */
export type ChoiceRow = { choice: Choice; index: number; positions: readonly number[] }

export function choiceRows({ filter, choices }: ChoicePicker): ChoiceRow[] {
  const all = choices.map((choice, index) => ({ choice, index, positions: [] }))
  if (filter === '') return all
  return rank(filter, all, row => row.choice.label).map(({ item, positions }) => ({
    choice: item.choice,
    index: item.index,
    positions,
  }))
}

export function rowCount(picker: Picker): number {
  switch (picker.kind) {
    case 'history':
      return picker.found.length
    case 'models':
      return pickerRows(picker).length
    case 'choice':
      return choiceRows(picker).length
  }
}

/** The list with another filter, at its first row. */
export function filtered(picker: Picker, filter: string): Picker {
  if (picker.kind !== 'history') return { ...picker, filter, selected: 0 }
  return { ...picker, filter, selected: 0, found: promptsWith(filter, picker.prompts) }
}

export function historyPicker(
  scope: HistoryPicker['scope'],
  filter: string,
  prompts: readonly FoundPrompt[],
): HistoryPicker {
  return { kind: 'history', scope, filter, selected: 0, prompts, found: promptsWith(filter, prompts) }
}

/** No more of a prompt is searched than this. */
const SEARCHED = 10_000

/** Those in which all the words are, in any case; their order stays, which is that of time. */
function promptsWith(filter: string, prompts: readonly FoundPrompt[]): readonly FoundPrompt[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return prompts
  return prompts.filter(({ text }) => {
    const searched = text.slice(0, SEARCHED).toLowerCase()
    return words.every(word => searched.includes(word))
  })
}
