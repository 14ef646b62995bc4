/** Takes a git command apart, and says whether the repositories in which it runs let it do more than read. */
import { lookup } from '../../text/lookup.ts'
import type { RepositoryAnswer } from '../policy.ts'
import { readingGit } from './reading-table.ts'
import type { CommandWord } from '../shell/line.ts'

/** `folder` is the word after `-C`; null without one. `words` begin with the subcommand. */
export type GitCommand = { folder: CommandWord | null; words: readonly CommandWord[] }

/** Global options that change nothing for a command that only reads. */
const harmlessOptions = new Set(['--no-pager', '--no-optional-locks'])

/** Takes a command apart. Any other option before the subcommand stays in `words`, and so is no subcommand of the table. */
export function gitCommand([, ...rest]: readonly CommandWord[]): GitCommand {
  let folder: CommandWord | null = null
  let at = 0
  for (; at < rest.length; at++) {
    const value = rest[at]?.value ?? ''
    if (harmlessOptions.has(value)) continue
    // A second `-C` would start at the folder of the first.
    if (value !== '-C' || folder !== null) break
    folder = rest[++at] ?? null
  }
  return { folder, words: rest.slice(at) }
}

/** Programs that git looks for in PATH in any repository: to check a signature, or for a text converter that we replace by `cat`. */
const programsOfGit = ['cat', 'gpg', 'gpgsm', 'ssh-keygen']

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
  const programs = new Set([...programsOfGit, ...answers.flatMap(answer => answer.programs)])
  const projects = [...programs].find(isOfProject)
  return projects === undefined ? null : `git may run ${projects}, which is a program of the project`
}
