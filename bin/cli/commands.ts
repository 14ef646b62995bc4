/**
 * The table of subcommands, such as `zotui sessions`, which run without the UI. Help, completion and the reading of the
 * command line use it. The code of a command is loaded on demand, and never imports React or Ink.
 */

/** A flag of a command, by its name without dashes. */
export type CommandFlag = {
  /** The name of its value in the help, such as `FILE`; null for a flag without a value. */
  value: string | null
  /** Its possible values, if they are known. */
  words?: readonly string[]
  /** One letter, without its dash. */
  short?: string
  help: string
}

/** The arguments after the command's name. */
export type CommandCall = {
  /** The arguments that are not flags, in order. */
  words: readonly string[]
  /** Whether the flag was given. */
  has: (flag: string) => boolean
  /** The flag's value, null where it was not given. */
  value: (flag: string) => string | null
}

/** Runs the command and resolves to the exit code. Throws a UserError for a problem that the user can fix. */
export type RunCommand = (call: CommandCall, commands: readonly ProgramCommand[]) => Promise<0 | 1>

export type ProgramCommand = {
  name: string
  /** The names of its arguments in the help; one in brackets is optional. */
  takes: readonly string[]
  /** The possible values of its first argument, if they are known. */
  words?: readonly string[]
  summary: string
  flags: Readonly<Record<string, CommandFlag>>
  load: () => Promise<{ run: RunCommand }>
}

export const commands: readonly ProgramCommand[] = [
  {
    name: 'sessions',
    takes: [],
    summary: 'List the sessions of this folder, newest first.',
    flags: {
      all: { value: null, short: 'a', help: 'list the sessions of all folders' },
      json: { value: null, help: 'print JSON' },
    },
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'show',
    takes: ['ID'],
    summary: 'Print a session as Markdown. ID may be `last`.',
    flags: {},
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'export',
    takes: ['ID'],
    summary: 'Save a session to a file.',
    flags: {
      format: {
        value: 'NAME',
        words: ['md', 'html', 'json', 'zotsession'],
        short: 'f',
        help: 'md, html, json or zotsession (default: by the file name, or md)',
      },
      output: { value: 'FILE', short: 'o', help: 'the file or folder to write to; - for standard output' },
      force: { value: null, help: 'overwrite an existing file' },
    },
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    takes: ['FILE'],
    summary: 'Import a .zotsession file as a session.',
    flags: {},
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'usage',
    takes: [],
    summary: 'Show tokens and cost by model and day.',
    flags: {
      days: { value: 'N', short: 'd', help: 'the last N days (default: 30)' },
      folder: { value: null, help: 'only this folder' },
      json: { value: null, help: 'print JSON' },
    },
    load: () => import('./commands/usage.ts'),
  },
  {
    name: 'replay',
    takes: ['FILE'],
    summary: 'Play a recording made with --record; without a terminal, print its transcript.',
    flags: {
      speed: { value: 'N', help: 'play N times as fast' },
      paused: { value: null, help: 'start paused: Space plays, Right takes one step' },
      'at-once': { value: null, help: 'play without pauses' },
    },
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'doctor',
    takes: [],
    summary: 'Check the machine and the terminal. The report is safe to share.',
    flags: { json: { value: null, help: 'print JSON' } },
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    takes: ['SHELL'],
    words: ['bash', 'zsh', 'fish'],
    summary: 'Print the completion script for bash, zsh or fish.',
    flags: {},
    load: () => import('./commands/completion.ts'),
  },
]

/** The command of this name, or null. */
export function findCommand(
  word: string | undefined,
  table: readonly ProgramCommand[] = commands,
): ProgramCommand | null {
  return table.find(({ name }) => name === word) ?? null
}

/** The command with its arguments and flags: `export ID [--format NAME]`. */
export function synopsis({ name, takes, flags }: ProgramCommand): string {
  const written = Object.entries(flags).map(([flag, { value }]) => `[--${flag}${value === null ? '' : ` ${value}`}]`)
  return [name, ...takes, ...written].join(' ')
}
