/** What opens below the composer: the popup that completes commands, and the model picker. */
import type { Model } from '../agent/backend.ts'
import { rank } from '../composer/completion.ts'
import { edit, type Editor } from '../composer/editor.ts'
import type { Context } from './keymap.ts'
import type { SlashCommand } from './slash.ts'
import type { AppState, ModelPicker } from './state.ts'

export type PopupRow = {
  /** What stands in the list. */
  label: string
  detail: string
  /** What the composer's text becomes. */
  completed: string
}

export function contextOf(state: AppState, commands: readonly SlashCommand[]): Context {
  if (state.picker) return 'picker'
  return popupRows(state, commands).length > 0 ? 'popup' : 'composer'
}

/** The rows of the completion popup; none when there is nothing to complete or Esc closed it. */
export function popupRows(state: AppState, commands: readonly SlashCommand[]): PopupRow[] {
  const { text, caret } = state.editor
  if (!text.startsWith('/') || text.includes('\n') || state.popup.closedFor === text) return []
  const argument = /^\/(\S+)\s+(.*)$/.exec(text)
  if (argument) return argumentRows(state, commands, argument[1] ?? '', argument[2] ?? '')
  if (caret === 0 || /\s/.test(text)) return []
  return commandRows(commands, text.slice(1))
}

function commandRows(commands: readonly SlashCommand[], query: string): PopupRow[] {
  const named = commands.flatMap(command => [command.name, ...command.aliases].map(name => ({ command, name })))
  const found = query === '' ? commands : rank(query, named, each => each.name).map(each => each.item.command)
  // What begins as typed goes before what is only called so otherwise: /co is /compact, not /usage for its /cost.
  const begun = found.filter(command => command.name.startsWith(query.toLowerCase()))
  return [...new Set([...begun, ...found])].map(command => ({
    label: `/${command.name}${command.argument ? ` ${command.argument}` : ''}`,
    detail: command.help,
    completed: `/${command.name}${command.argument ? ' ' : ''}`,
  }))
}

function argumentRows(state: AppState, commands: readonly SlashCommand[], word: string, query: string): PopupRow[] {
  const command = commands.find(each => each.name === word || each.aliases.includes(word))
  const choices = command ? choicesOf(command, state) : []
  const found = query === '' ? choices : rank(query, choices, choice => choice.name).map(each => each.item)
  return found.map(({ name, detail }) => ({ label: name, detail, completed: `/${word} ${name}` }))
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

export function acceptRow(editor: Editor, row: PopupRow, width: number): Editor {
  return edit(editor, { kind: 'replace', range: { start: 0, end: editor.text.length }, text: row.completed }, width)
}

export type PickerRow = { model: Model; positions: readonly number[] }

export function pickerRows(picker: ModelPicker): PickerRow[] {
  const models = picker.models ?? []
  if (picker.filter === '') return models.map(model => ({ model, positions: [] }))
  return rank(picker.filter, models, model => model.id).map(each => ({ model: each.item, positions: each.positions }))
}
