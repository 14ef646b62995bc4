/** The flags of zotui and of its commands, in one form for the completion of all shells. */
import type { ProgramCommand } from '../command.ts'
import { allFlags, flagsOf, type NamedFlag } from '../flags.ts'

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

export const ownFlags = allFlags.map(completable)

export function completableCommands(table: readonly ProgramCommand[]): CompletableCommand[] {
  return table.map(command => ({
    name: command.name,
    help: command.summary,
    takesFile: command.takes.some(word => /FILE|DIR/.test(word)),
    takes: command.words ?? [],
    flags: flagsOf(command).map(completable),
  }))
}

function completable({ name, shortFlag, text, type, isMultiple, completes }: NamedFlag): Completable {
  return {
    name,
    short: shortFlag ?? null,
    help: text,
    many: isMultiple === true,
    value: type === 'boolean' ? null : (completes ?? 'any'),
  }
}
