/**
 * The table of commands: `zotui sessions`, which do their work without the UI. A row says all that help, completion and the
 * reading of the command line need; what it runs is loaded only when it is called, and never holds React or Ink.
 */

/** A flag of a command, by its name without dashes. */
export type CommandFlag = {
  /** The flag's value as help names it, such as `FILE`; null for one that takes none. */
  value: string | null
  /** What its value may be, where that is known. */
  words?: readonly string[]
  /** One letter, without its dash. */
  short?: string
  help: string
}

/** What was written behind the command's name. */
export type CommandCall = {
  /** What is no flag, in order. */
  words: readonly string[]
  /** Whether the flag was given. */
  has: (flag: string) => boolean
  /** The flag's value, null where it was not given. */
  value: (flag: string) => string | null
}

/** Does the work and resolves to the exit code; throws a UserError for what the person can put right. */
export type RunCommand = (call: CommandCall, commands: readonly ProgramCommand[]) => Promise<0 | 1>

export type ProgramCommand = {
  name: string
  /** Each word that it takes, as help names it; one in brackets may be left out. */
  takes: readonly string[]
  /** What its first word may be, where that is known. */
  words?: readonly string[]
  summary: string
  flags: Readonly<Record<string, CommandFlag>>
  load: () => Promise<{ run: RunCommand }>
}

export const commands: readonly ProgramCommand[] = [
  {
    name: 'sessions',
    takes: [],
    summary: 'Lists the sessions of this folder, the newest first.',
    flags: {
      all: { value: null, short: 'a', help: 'those of all folders' },
      json: { value: null, help: 'as JSON' },
    },
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'show',
    takes: ['ID'],
    summary: 'Prints a session, in Markdown; ID may be `last`.',
    flags: {},
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'export',
    takes: ['ID'],
    summary: 'Writes a session into a file of this folder.',
    flags: {
      format: {
        value: 'NAME',
        words: ['md', 'html', 'json', 'zotsession'],
        short: 'f',
        help: 'md, html, json or zotsession; else by the name of the file, else md',
      },
      output: { value: 'FILE', short: 'o', help: 'the file or folder to write; - for standard output' },
      force: { value: null, help: 'write over a file that is there' },
    },
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    takes: ['FILE'],
    summary: 'Makes a session of a .zotsession.',
    flags: {},
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'usage',
    takes: [],
    summary: 'Tells what was used, by model and by day.',
    flags: {
      days: { value: 'N', short: 'd', help: 'of the last N days; else 30' },
      folder: { value: null, help: 'in this folder only' },
      json: { value: null, help: 'as JSON' },
    },
    load: () => import('./commands/usage.ts'),
  },
  {
    name: 'replay',
    takes: ['FILE'],
    summary: 'Plays what --record wrote, or prints what it comes to.',
    flags: {
      speed: { value: 'N', help: 'so many times as fast' },
      paused: { value: null, help: 'begins paused: Space goes on, Right takes one step' },
      'at-once': { value: null, help: 'without a pause' },
    },
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'doctor',
    takes: [],
    summary: 'Says what works here and what does not; safe to paste.',
    flags: { json: { value: null, help: 'as JSON' } },
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    takes: ['SHELL'],
    words: ['bash', 'zsh', 'fish'],
    summary: 'Prints what makes bash, zsh or fish complete flags and commands.',
    flags: {},
    load: () => import('./commands/completion.ts'),
  },
]

/** The command that a first argument names, if it is one. */
export function findCommand(
  word: string | undefined,
  table: readonly ProgramCommand[] = commands,
): ProgramCommand | null {
  return table.find(({ name }) => name === word) ?? null
}

/** The command as it is written: `export ID [--format NAME]`. */
export function synopsis({ name, takes, flags }: ProgramCommand): string {
  const written = Object.entries(flags).map(([flag, { value }]) => `[--${flag}${value === null ? '' : ` ${value}`}]`)
  return [name, ...takes, ...written].join(' ')
}
