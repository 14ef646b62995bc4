/**
 * The table of subcommands, such as `zotui sessions`, which run without the UI. Help, completion and the reading of the
 * command line use it; `run-command.ts` loads what they do.
 */
import { named, written, type FlagRows } from './flags.ts'

/** The arguments after the command's name. */
export type CommandCall = {
  /** The arguments that are not flags, in order. */
  words: readonly string[]
  /** Whether the flag was given, by its name in camelCase. */
  has: (flag: string) => boolean
  /** The flag's value, null where it was not given. */
  value: (flag: string) => string | null
}

export type SubcommandName =
  | 'sessions'
  | 'show'
  | 'export'
  | 'import'
  | 'conversations'
  | 'attach'
  | 'stop'
  | 'usage'
  | 'replay'
  | 'checkpoints'
  | 'worktrees'
  | 'doctor'
  | 'permissions'
  | 'prompts'
  | 'completion'

export type ProgramCommand<Name extends string = string> = {
  name: Name
  /** The names of its arguments in the help; one in brackets is optional. */
  takes: readonly string[]
  /** The possible values of its first argument, if they are known. */
  words?: readonly string[]
  summary: string
  flags: FlagRows
}

export const commands: readonly ProgramCommand<SubcommandName>[] = [
  {
    name: 'sessions',
    takes: [],
    summary: 'List the sessions of this folder, newest first.',
    flags: {
      all: { type: 'boolean', shortFlag: 'a', text: 'list the sessions of all folders' },
      json: { type: 'boolean', text: 'print JSON' },
    },
  },
  {
    name: 'show',
    takes: ['ID'],
    summary: 'Print a session as Markdown. ID may be `last`.',
    flags: {},
  },
  {
    name: 'export',
    takes: ['ID'],
    summary: 'Save a session to a file.',
    flags: {
      format: {
        type: 'string',
        value: 'NAME',
        completes: ['md', 'html', 'json', 'zotsession'],
        shortFlag: 'f',
        text: 'md, html, json or zotsession (default: by the file name, or md)',
      },
      output: {
        type: 'string',
        value: 'FILE',
        completes: 'file',
        shortFlag: 'o',
        text: 'the file or folder to write to; - for standard output',
      },
      force: { type: 'boolean', text: 'overwrite an existing file' },
    },
  },
  {
    name: 'import',
    takes: ['FILE'],
    summary: 'Import a .zotsession file as a session.',
    flags: {},
  },
  {
    name: 'conversations',
    takes: [],
    summary: 'List the conversations that run in the background.',
    flags: { json: { type: 'boolean', text: 'print JSON' } },
  },
  {
    name: 'attach',
    takes: ['ID'],
    summary: 'Open a conversation that runs in the background. Leaving it does not end it.',
    flags: {},
  },
  {
    name: 'stop',
    takes: ['ID'],
    summary: 'Stop a conversation in the background.',
    flags: {},
  },
  {
    name: 'usage',
    takes: [],
    summary: 'Show tokens and cost by model and day.',
    flags: {
      days: { type: 'string', value: 'N', shortFlag: 'd', text: 'the last N days (default: 30)' },
      folder: { type: 'boolean', text: 'only this folder' },
      json: { type: 'boolean', text: 'print JSON' },
    },
  },
  {
    name: 'replay',
    takes: ['SESSION|FILE'],
    summary: 'Play a session or its file; without a terminal, print the transcript.',
    flags: {
      speed: { type: 'string', value: 'N', text: 'play N times as fast' },
      paused: { type: 'boolean', text: 'start paused: Space plays, Right takes one step' },
      atOnce: { type: 'boolean', text: 'play without pauses' },
    },
  },
  {
    name: 'checkpoints',
    takes: ['[ACTION]', '[ID]'],
    words: ['list', 'show', 'restore', 'undo', 'prune'],
    summary: 'List the checkpoints of this folder, show what restoring one would do, and restore it.',
    flags: {
      keepMine: { type: 'boolean', text: 'restore: keep files that you have changed since then' },
      force: { type: 'boolean', text: 'restore: also overwrite files that you have changed' },
      json: { type: 'boolean', text: 'print JSON' },
    },
  },
  {
    name: 'worktrees',
    takes: ['[ACTION]'],
    words: ['list', 'clean'],
    summary: 'List the git worktrees of the conversations in this project, and remove those that contain no work.',
    flags: { json: { type: 'boolean', text: 'print JSON' } },
  },
  {
    name: 'doctor',
    takes: [],
    summary: 'Check the machine and the terminal. The report is safe to share.',
    flags: { json: { type: 'boolean', text: 'print JSON' } },
  },
  {
    name: 'permissions',
    takes: ['ACTION', 'COMMAND'],
    words: ['test'],
    summary: 'Show whether a command would run without asking, and which rule decides: `permissions test "COMMAND"`.',
    flags: {
      mode: {
        type: 'string',
        value: 'MODE',
        completes: ['ask', 'edits', 'allow', 'plan', 'read'],
        text: 'test in this mode',
      },
      cwd: { type: 'string', value: 'DIR', completes: 'folder', text: 'test in this folder' },
      json: { type: 'boolean', text: 'print JSON' },
    },
  },
  {
    name: 'prompts',
    takes: ['[NAME]'],
    summary: 'List the commands that come from files, or print the file of one.',
    flags: {},
  },
  {
    name: 'completion',
    takes: ['SHELL'],
    words: ['bash', 'zsh', 'fish'],
    summary: 'Print the completion script for bash, zsh or fish.',
    flags: {},
  },
]

/** The command of this name, or null. */
export function findCommand(word: string | undefined): ProgramCommand<SubcommandName> | null {
  return commands.find(({ name }) => name === word) ?? null
}

/** The command with its arguments and flags: `export ID [--format NAME]`. */
export function synopsis({ name, takes, flags }: ProgramCommand): string {
  const options = named(flags).map(({ shortFlag: _short, ...flag }) => `[${written(flag)}]`)
  return [name, ...takes, ...options].join(' ')
}
