/**
 * Completes the arguments of slash commands: one row for each command whose argument can be completed. The row's `load`
 * requests values that the state does not have yet.
 */
import type { Model } from '../../agent/backend.ts'
import { completionAt } from '../../composer/completion.ts'
import { withoutLines } from '../../composer/mentions.ts'
import { describeSetting, settingNames } from '../../config/schema.ts'
import { formatTokens } from '../../text/format.ts'
import { lastMade } from '../../text/last-made.ts'
import { modeOption } from '../agent-options.ts'
import { isNamedBy, modelName } from '../pickers/model-order.ts'
import { commandOf, type CommandName, type SlashCommand } from '../slash.ts'
import type { Choice } from '../pickers/picker.ts'
import type { AppState } from '../state.ts'
import { exportChoices } from './export-choices.ts'

export type ArgumentChoice = Choice & {
  /** False if Enter does not run the command with it; true by default. */
  sends?: boolean
  /** True if it is the current value. */
  isInUse?: boolean
}

export type ArgumentCompleter = {
  /** The known values; `label` is inserted. `query` is the typed part. */
  choices?: (state: AppState, query: string) => readonly ArgumentChoice[]
  /** Requests unknown values. Called when the user begins to type an argument. */
  load?: (sources: ArgumentSources) => void
  /** The hint while no known value matches. */
  none?: (state: AppState) => string | null
  /** True if it may also be a file of the project. */
  files?: boolean
}

/** Requests that a completer can make; the answers go into the state. */
export type ArgumentSources = { models: () => Promise<void> }

export const argumentCompleters: Partial<Record<CommandName, ArgumentCompleter>> = {
  help: { choices: () => [{ label: 'debug', detail: 'shows what the terminal sends for each key' }] },
  model: { choices: modelChoices, load: sources => void sources.models(), none: noModel },
  reasoning: { choices: reasoningChoices },
  mode: { choices: modeChoices },
  study: { files: true },
  theme: { choices: themeChoices, files: true },
  diff: { choices: () => [{ label: 'since', detail: 'asks for the prompt to compare with' }] },
  rewind: { choices: () => [{ label: 'undo', detail: 'undoes the last restore of files' }] },
  raw: { choices: () => ['on', 'off'].map(label => ({ label, detail: '' })) },
  export: { choices: () => exportChoices },
  skills: { choices: skillChoices },
  settings: { choices: () => settingNames.map(name => ({ label: name, detail: describeSetting(name) })) },
}

/** Called with each state: lets a completer load its values when its argument begins. */
export function createArgumentLoader(
  commands: () => readonly SlashCommand[],
  sources: ArgumentSources,
): (state: AppState) => void {
  let current: SlashCommand | null = null
  return state => {
    const at = argumentAt(state, commands())
    const command = at?.command ?? null
    if (command === current) return
    current = command
    at?.completer.load?.(sources)
  }
}

/** The argument at the caret, if it can be completed. */
export type ArgumentAt = { completer: ArgumentCompleter; command: SlashCommand; query: string }

export function argumentAt({ editor }: AppState, commands: readonly SlashCommand[]): ArgumentAt | null {
  const completion = completionAt(editor.text, editor.caret)
  if (completion?.kind !== 'slash-argument') return null
  const command = commandOf(completion.command, commands)
  const completer = command?.kind === 'built-in' ? argumentCompleters[command.name] : undefined
  return command && completer ? { completer, command, query: completion.query } : null
}

/** The file query at the caret: the text after an `@`, or an argument that may be a file and looks like a path. */
export function fileQueryAt(state: AppState, commands: readonly SlashCommand[]): string | null {
  const { text, caret } = state.editor
  const completion = completionAt(text, caret)
  if (completion?.kind === 'file') return withoutLines(completion.query).path
  const argument = argumentAt(state, commands)
  return argument?.completer.files === true && /[./]/.test(argument.query) ? argument.query : null
}

/** Another provider needs a restart of the agent: its models are offered only if their names contain the query. */
function modelChoices({ models, chat }: AppState, query: string): readonly ArgumentChoice[] {
  if (models === null) return []
  const { provider, model: used } = chat.agent
  return choicesOfModels(models, JSON.stringify([provider, used, query]), () => {
    const isOnly = (id: string): boolean => id === query && models.filter(each => each.id === id).length === 1
    return models.flatMap(model => {
      const isOwn = model.provider === provider
      if (!isOwn && !isNamedBy(model, query)) return []
      const known = isOwn ? [inUse(model.id, used), provider] : [model.hasKey === false ? 'no key' : '']
      const facts = [...known, windowOf(model)]
      const label = isOwn ? model.id : modelName(model)
      return [
        {
          label,
          detail: facts.filter(part => part !== '').join('  '),
          sends: isOwn || label === query || isOnly(model.id),
        },
      ]
    })
  })
}

function noModel({ models, startup }: AppState): string | null {
  if (models === null) return null
  const other = startup.demo ? '' : ' One that is not listed: /restart --provider NAME --model ID'
  return `No model matches.${other}`
}

const choicesOfModels = lastMade<readonly ArgumentChoice[]>()

function windowOf({ contextWindow }: Model): string {
  return contextWindow === null ? '' : formatTokens(contextWindow)
}

function reasoningChoices({ chat }: AppState): ArgumentChoice[] {
  const { reasoning, reasoningLevels } = chat.agent
  if (reasoningLevels.length === 0) return []
  const used = reasoning || 'off'
  return ['off', ...reasoningLevels].map(label => ({ label, detail: inUse(label, used), isInUse: label === used }))
}

function modeChoices({ chat }: AppState): ArgumentChoice[] {
  const option = modeOption(chat.options)
  return (option?.choices ?? []).map(({ value, name }) => ({
    label: value,
    detail: [inUse(value, String(option?.value)), name].filter(part => part !== '').join(': '),
    isInUse: value === option?.value,
  }))
}

function themeChoices({ themes }: AppState): ArgumentChoice[] {
  return themes.offered.map(({ name, detail }) => ({
    label: name,
    detail: [inUse(name, themes.used), detail].filter(part => part !== '').join(': '),
    isInUse: name === themes.used,
  }))
}

function inUse(choice: string, used: string): string {
  return choice === used ? 'in use' : ''
}

function skillChoices({ reading }: AppState): Choice[] {
  if (reading === null || reading === 'awaited') return []
  return reading.skills.items.map(({ name, description }) => ({ label: name, detail: description }))
}
