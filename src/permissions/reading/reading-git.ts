/** The place and the words of a git command, and the reason against it in the repositories there. */
import { lookup } from '../../text/lookup.ts'
import type { RepositoryAnswer } from '../policy.ts'
import { readingGit } from './reading-table.ts'
import type { CommandWord } from '../shell/line.ts'

/** `folder` is the word after `-C`; null without one. `words` begin with the subcommand. */
export type GitCommand = { folder: CommandWord | null; words: readonly CommandWord[] }

/** Global options that change nothing for a command that only reads. */
const plain = new Set(['--no-pager', '--no-optional-locks'])

/** Takes a command apart. Other options before the subcommand stay, and no row of the table fits them. */
export function gitCommand([, ...rest]: readonly CommandWord[]): GitCommand {
  let folder: CommandWord | null = null
  let at = 0
  for (; at < rest.length; at++) {
    const value = rest[at]?.value ?? ''
    if (plain.has(value)) continue
    // A second one would be seen from the first.
    if (value !== '-C' || folder !== null) break
    folder = rest[++at] ?? null
  }
  return { folder, words: rest.slice(at) }
}

/** Programs that git runs by their names in PATH, whatever the repository: it checks a signature, or has a text as it is. */
const named = ['cat', 'gpg', 'gpgsm', 'ssh-keygen']

/** The reason against a command that only reads by its words; null for none. `isOfProject` is about the programs in PATH. */
export function repositoryReason(
  { words }: GitCommand,
  answers: readonly RepositoryAnswer[],
  isOfProject: (name: string) => boolean,
): string | null {
  const against = answers.find(({ reason }) => reason !== null)
  if (against) return against.reason
  const fetches = answers.some(({ isPartial }) => isPartial)
  if (fetches && lookup(readingGit, words[0]?.value ?? '')?.readsContent === true)
    return 'it may fetch what this partial clone lacks'
  const programs = new Set([...named, ...answers.flatMap(answer => answer.programs)])
  const own = [...programs].find(isOfProject)
  return own === undefined ? null : `git may run ${own}, which is a program of the project`
}
