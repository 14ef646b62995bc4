/** The files that a command may write, as far as its words show. For rules for edits, which match broadly. */
import type { CommandReach } from '../reading/reach.ts'
import { readingCommands, readingGit } from '../reading/reading-table.ts'
import { subcommandAt } from '../shell/git-inner.ts'
import { isMove, type SimpleCommand } from '../shell/line.ts'
import { lookup } from '../../text/lookup.ts'
import { wordSet } from '../../text/word-list.ts'

type Words = Pick<SimpleCommand, 'words'>

/** Programs that write the files in their words. */
const writers = wordSet('tee cp mv rm rmdir touch mkdir truncate ln dd install sed unlink shred chmod chown patch')
/** Programs that may put files into a folder, under the names that these have. */
const copiers = wordSet('cp mv ln install')
/** Programs that may change all that is below a folder. */
const folderWriters = wordSet('rm mv cp chmod chown chgrp')

/** The program without its folder; '' if it is not known. */
export const programOf = ({ words }: Words): string => words[0]?.value?.replace(/^.*\//, '') ?? ''

export const writesItsWords = (command: Words): boolean => writers.has(programOf(command))

/** The last name of a path; none if the path is not known. */
function lastName(path: string | null): string[] {
  return (
    path
      ?.split('/')
      .filter(name => name !== '')
      .slice(-1) ?? []
  )
}

/** The names that a command may write in a folder that it names; `*` for any. */
export function namesInto(command: Words): readonly string[] {
  return ['*', ...(copiers.has(programOf(command)) ? command.words.flatMap(({ value }) => lastName(value)) : [])]
}

/** The folders below which it may change anything, such as `rm -r a`; null for none. */
export function writingReach(command: Words): CommandReach | null {
  const program = programOf(command)
  const isDeleting = program === 'find' && command.words.some(({ value }) => value === '-delete')
  if (!folderWriters.has(program) && !isDeleting) return null
  return { reach: 'contents', from: command.words.slice(1).filter(({ value }) => !value?.startsWith('-')) }
}

/** Whether it writes no file that it names. A list, because any other program may do so: `rsync a b`, `perl -pi`. */
export function writesNothing(command: SimpleCommand): boolean {
  const program = programOf(command)
  if (program === 'git') {
    const name = command.words[subcommandAt(command.words)]?.value ?? ''
    return lookup(readingGit, name) !== undefined || name === 'add' || name === 'commit'
  }
  const isTest = program === 'test' || program === '['
  return isTest || isMove(command) || command.words.length === 0 || lookup(readingCommands, program) !== undefined
}
