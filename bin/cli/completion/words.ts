/** The flags of zotui and of its commands, in one form for the completion of all shells. */
import type { ProgramCommand, CommandFlag } from '../commands.ts'
import { allFlags } from '../flags.ts'

export type Completable = {
  /** The name without the leading dashes. */
  name: string
  short: string | null
  help: string
  /** Whether the flag is repeatable. */
  many: boolean
  /** Its possible values: words, files, folders, or anything. Null for a flag without a value. */
  value: readonly string[] | 'file' | 'folder' | 'any' | null
}

export type CompletableCommand = {
  name: string
  help: string
  takesFile: boolean
  takes: readonly string[]
  flags: readonly Completable[]
}

export const ownFlags: readonly Completable[] = allFlags.map(
  ({ name, shortFlag, text, type, isMultiple, completes }) => ({
    name,
    short: shortFlag ?? null,
    help: text,
    many: isMultiple === true,
    value: type === 'boolean' ? null : (completes ?? 'any'),
  }),
)

const FILES = /FILE|DIR/

const HELP: Completable = { name: 'help', short: 'h', help: 'show this help', many: false, value: null }

export function completableCommands(table: readonly ProgramCommand[]): CompletableCommand[] {
  return table.map(({ name, summary, takes, flags, words }) => ({
    name,
    help: summary,
    takesFile: takes.some(word => FILES.test(word)),
    takes: words ?? [],
    flags: Object.entries(flags)
      .map(([name, flag]) => completable(name, flag))
      .concat(HELP),
  }))
}

function completable(name: string, { value, short, help, words }: CommandFlag): Completable {
  const kind = words ?? (value === null ? null : FILES.test(value) ? 'file' : 'any')
  return { name, short: short ?? null, help, many: false, value: kind }
}
