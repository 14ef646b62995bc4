/** The keys and commands as the help lists them, on its page and as Markdown. */
import { keyLabel } from '../text/key-hints.ts'
import { tableRow } from '../text/markdown-table.ts'
import { isOfPage, type Binding } from './binding.ts'
import { helpOf, type BuiltInCommand, type CommandGroup, type SlashCommand } from './slash.ts'

/** Keys or commands that belong together, and what each does. */
export type HelpSection = { title: string; of: 'key' | 'command'; rows: readonly (readonly [string, string])[] }

/** The keys and the commands in groups, the most needed first. */
export function helpSections(bindings: readonly Binding[], commands: readonly SlashCommand[]): HelpSection[] {
  const keys = described(bindings)
  const builtIn = commands.filter((command): command is BuiltInCommand => command.kind === 'built-in')
  const ofFiles = commands.filter(({ kind }) => kind === 'prompt')
  const ofPages = Map.groupBy(
    keys.filter(({ context }) => isOfPage(context)),
    ({ heading, context }) => heading ?? context,
  )
  const ofComposer = keys.filter(({ context }) => !isOfPage(context))
  const sections = [
    ...groupedKeys(ofComposer).map(({ title, rows }) => keySection(title, rows)),
    ...[...ofPages].map(([title, rows]) => keySection(title, rows)),
    ...commandGroups.map(([name, title]) =>
      commandSection(
        title,
        builtIn.filter(({ group }) => group === name),
      ),
    ),
    commandSection('From files', ofFiles),
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

/** The keys and the commands in Markdown. */
export function helpText(bindings: readonly Binding[], commands: readonly SlashCommand[]): string {
  return helpSections(bindings, commands)
    .map(({ title, of, rows }) => table(title, of, rows.map(tableRow)))
    .join('\n\n')
}

function keySection(title: string, rows: readonly Binding[]): HelpSection {
  return { title, of: 'key', rows: rows.map(keyWords) }
}

function commandSection(title: string, rows: readonly SlashCommand[]): HelpSection {
  return { title, of: 'command', rows: rows.map(commandWords) }
}

/** Actions, and the commands of edits. Keys in no group are listed under Editing. */
const keyGroups: readonly { title: string; names: readonly string[] }[] = [
  {
    title: 'Sending',
    names: ['submit', 'newline', 'send_now', 'steer', 'queue_or_complete', 'queue_previous', 'queue_next'],
  },
  { title: 'Stopping', names: ['stop', 'interrupt', 'exit_or_delete', 'suspend', 'force_quit'] },
  { title: 'Prompts', names: ['up', 'down', 'search_history', 'stash', 'edit_outside', 'paste'] },
  { title: 'When the agent asks', names: ['question'] },
  { title: 'Editing', names: [] },
  {
    title: 'View and model',
    names: [
      'view',
      'copy_code',
      'raw',
      'thoughts',
      'next_detail',
      'redraw',
      'pick_model',
      'favourite',
      'next_mode',
      'list_running',
      'list_conversations',
      'news',
      'next_reasoning',
      'compact',
    ],
  },
]

const commandGroups: readonly (readonly [CommandGroup, title: string])[] = [
  ['conversation', 'The conversation'],
  ['agent', 'The agent'],
  ['program', 'The program'],
]

const nameOf = ({ action }: Binding): string => (action.do === 'edit' ? action.command.kind : action.do)

/** The keys of each group, in the order of its names. */
function groupedKeys(keys: readonly Binding[]): { title: string; rows: Binding[] }[] {
  const placed = new Set(keyGroups.flatMap(({ names }) => names))
  return keyGroups.map(({ title, names }) => ({
    title,
    rows:
      names.length === 0
        ? keys.filter(key => !placed.has(nameOf(key)))
        : names.flatMap(name => keys.filter(key => nameOf(key) === name)),
  }))
}

function table(title: string, first: string, rows: readonly string[]): string {
  return [`**${title}**`, '', tableRow([first, 'does']), '|---|---|', ...rows].join('\n')
}

function described(bindings: readonly Binding[]): Binding[] {
  return bindings.filter(({ isKnown, keys }) => isKnown !== true && keys.length > 0)
}

function keyWords({ keys, help }: Binding): [string, string] {
  return [keys.map(keyLabel).join(', '), help]
}

/** The keys that /help describes, and what they do. */
export function helpKeyRows(bindings: readonly Binding[]): [string, string][] {
  return described(bindings).map(keyWords)
}

function commandWords(command: SlashCommand): [string, string] {
  const { kind, name, argument, aliases } = command
  // The long names of prompt files are omitted.
  const others = kind === 'built-in' && aliases.length > 0 ? ` (${aliases.map(alias => `/${alias}`).join(' ')})` : ''
  return [`/${name}${argument ? ` ${argument}` : ''}`, `${helpOf(command)}${others}`]
}
