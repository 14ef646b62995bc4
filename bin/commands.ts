/**
 * The table of commands: `zotui sessions`, which do their work without the UI. A row says all that help, completion and the
 * reading of the command line need; what it runs is loaded only when it is called, and never holds React or Ink.
 */

/** A flag of a command, by its name without dashes. */
export type CommandFlag = {
  /** The flag's value as help names it, such as `FILE`; null for one that takes none. */
  value: string | null
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
export type RunCommand = (call: CommandCall) => Promise<0 | 1>

export type Command = {
  name: string
  /** Each word that it takes, as help names it; one in brackets may be left out. */
  takes: readonly string[]
  summary: string
  flags: Readonly<Record<string, CommandFlag>>
  load: () => Promise<{ run: RunCommand }>
}

export const commands: readonly Command[] = []

/** The command that a first argument names, if it is one. */
export function findCommand(word: string | undefined, table: readonly Command[] = commands): Command | null {
  return table.find(({ name }) => name === word) ?? null
}

/** The command as it is written: `export ID [--format NAME]`. */
export function synopsis({ name, takes, flags }: Command): string {
  const written = Object.entries(flags).map(([flag, { value }]) => `[--${flag}${value === null ? '' : ` ${value}`}]`)
  return [name, ...takes, ...written].join(' ')
}
