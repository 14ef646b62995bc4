/** The keys and commands as the help lists them, on its page and as Markdown. */
import { keyLabel } from '../text/key-hints.ts'
import { tableRow } from '../text/markdown-table.ts'
import { isOfPage, type Binding } from './binding.ts'
import { helpOf, type BuiltInCommand, type CommandName, type SlashCommand } from './slash.ts'

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
    ...grouped(ofComposer, keyGroups, ({ action }) => (action.do === 'edit' ? action.command.kind : action.do)).map(
      ({ title, rows }) => keySection(title, rows),
    ),
    ...[...ofPages].map(([title, rows]) => keySection(title, rows)),
    ...grouped(builtIn, commandGroups, command => command.name).map(({ title, rows }) => commandSection(title, rows)),
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

type HelpGroup<Name> = { title: string; names: readonly Name[] }

/** Actions, and the commands of edits. Keys in no group are listed under Editing. */
const keyGroups: readonly HelpGroup<string>[] = [
  { title: 'Sending', names: ['submit', 'newline', 'send_now', 'queue_or_complete', 'queue_previous', 'queue_next'] },
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

/** Commands in no group are listed under The program. */
const commandGroups: readonly HelpGroup<CommandName>[] = [
  {
    title: 'The conversation',
    names: ['clear', 'compact', 'retry', 'now', 'rewind', 'fork', 'resume', 'rename', 'copy', 'raw', 'diff', 'export'],
  },
  {
    title: 'The agent',
    names: [
      'study',
      'permissions',
      'plan',
      'running',
      'agent',
      'btw',
      'mode',
      'options',
      'model',
      'reasoning',
      'usage',
      'context',
      'skills',
      'memory',
      'login',
      'logout',
      'restart',
    ],
  },
  { title: 'The program', names: [] },
]

/** Each group with its rows, in the order of its names. */
function grouped<Row, Name extends string>(
  all: readonly Row[],
  groups: readonly HelpGroup<Name>[],
  nameOf: (row: Row) => string,
): { title: string; rows: Row[] }[] {
  const placed = new Set<string>(groups.flatMap(({ names }) => names))
  return groups
    .map(({ title, names }) => ({
      title,
      rows:
        names.length === 0
          ? all.filter(row => !placed.has(nameOf(row)))
          : names.flatMap(name => all.filter(row => nameOf(row) === name)),
    }))
    .filter(({ rows }) => rows.length > 0)
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
