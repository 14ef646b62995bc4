/** The files whose content a git command may print. For rules against reading, which match broadly. */
import { lookup } from '../../text/lookup.ts'
import type { CommandWord } from '../shell/line.ts'
import { gitCommand } from './reading-git.ts'
import { optionsOf } from './reading-options.ts'
import { readingGit, type ReadingCommand } from './reading-table.ts'

export type PrintedByGit = {
  /** Files of the index and of the last commit, as they are there and in the folder, or of any commit. */
  from: 'tracked' | 'any'
  /** The files and folders, as written, to which it is limited; null for all. */
  within: readonly string[] | null
}

/** Whether a word without `--` can only be a path. One that is a path and a revision is an error for git. */
export type IsPath = (word: string) => boolean

/** Options of `diff`, `log` and `show` with which they print lines of files; the others of their rows do not. */
const printing = new Set(`-p -u -U -c -m -L -S -G --patch --unified --word-diff --check`.split(' '))
/** Options with which `diff` and `show` print names and numbers instead of lines. */
const formats = new Set(
  `-s --no-patch --stat --numstat --shortstat --name-only --name-status --summary --raw --compact-summary --quiet`.split(
    ' ',
  ),
)
/** Options that add revisions: a tag may be a file itself. */
const adding = new Set('--all --branches --tags --remotes'.split(' '))
/** Reading commands that print no lines of files, with the options of their rows. */
const naming = new Set('branch describe ls-files ls-tree merge-base remote rev-list rev-parse shortlog tag'.split(' '))

/** Commands that do more than read, and print none either with these options. */
const quiet = new Set(
  `add am apply bisect branch checkout cherry-pick clean clone commit config fetch fsck gc help init merge mv prune pull push rebase
   reflog remote reset restore revert rm stash submodule switch tag version worktree`.split(/\s+/),
)
const quietOptions: ReadingCommand = {
  short: 'aAm:qfundDb:B:c:C:F:srxt',
  long: `abort all all-tags allow-empty amend author= autostash branch= cached continue create date= delete depth= detach ff-only file=
    force force-with-lease get global hard include-untracked index init keep keep-index local merge message= mirror mixed no-edit no-ff
    no-gpg-sign no-rebase no-tags no-verify orphan ours prune quiet rebase recursive set-upstream set-upstream-to= signoff
    single-branch skip soft source= squash staged tags theirs track unset update worktree`.split(/\s+/),
  operands: 'words',
}
/** Subcommands that print lines with no option. */
const quietStash = new Set('push pop apply drop list save clear create store branch'.split(' '))

const ANY: PrintedByGit = { from: 'any', within: null }

/** Null for a command that prints names, numbers and messages only, or nothing. */
export function printedByGit(words: readonly CommandWord[], isPath: IsPath): PrintedByGit | null {
  const [first, ...rest] = gitCommand(words).words
  if (first === undefined) return null
  const name = first.value ?? ''
  const command = lookup(readingGit, name)
  if (command) {
    const read = optionsOf(command, rest)
    if (!read.refused && !read.unknown) return printedByReading(name, command, rest, isPath)
  }
  return isQuiet(name, rest) ? null : ANY
}

function isQuiet(name: string, words: readonly CommandWord[]): boolean {
  if (name === '--version' || name === '--help') return true
  if (!quiet.has(name)) return false
  const { operands, refused, unknown } = optionsOf(quietOptions, words)
  if (refused || unknown) return false
  return name !== 'stash' || operands.length === 0 || quietStash.has(operands[0]?.value ?? '')
}

function printedByReading(
  name: string,
  command: ReadingCommand,
  words: readonly CommandWord[],
  isPath: IsPath,
): PrintedByGit | null {
  if (naming.has(name)) return null
  const { options } = optionsOf(command, words)
  if (name === 'status') return options.has('-v') || options.has('--verbose') ? { from: 'tracked', within: null } : null
  const isPrinting = [...options].some(option => printing.has(option))
  const isFormat = [...options].some(option => formats.has(option))
  const { paths, revisions } = divided(command, words, isPath)
  const isHead = revisions.every(({ value }) => /^(?:HEAD|@)$/.test(value ?? ''))
  // Any other revision may be a file itself.
  const isCommit =
    ![...options].some(option => adding.has(option)) &&
    revisions.every(({ value }) => /^(?:HEAD|@)(?:[~^]\d*)*$/.test(value ?? ''))
  if (name === 'diff') {
    if (isFormat && !isPrinting) return null
    return { from: isHead && revisions.length < 2 && !options.has('--merge-base') ? 'tracked' : 'any', within: paths }
  }
  if (name === 'show') {
    if (isFormat && !isPrinting && isCommit) return null
    return { from: 'any', within: isCommit ? paths : null }
  }
  if (name === 'log') {
    if (!isPrinting) return null
    // These follow a file to its earlier names.
    return { from: 'any', within: options.has('-L') || options.has('--follow') ? null : paths }
  }
  return ANY
}

/** The operands: paths that are written out, and revisions. `paths` is null if there are none, or if one may stand for others. */
function divided(
  command: ReadingCommand,
  words: readonly CommandWord[],
  isPath: IsPath,
): { paths: readonly string[] | null; revisions: readonly CommandWord[] } {
  const end = words.findIndex(({ value }) => value === '--')
  const after = end < 0 ? [] : words.slice(end + 1)
  const { operands } = optionsOf(command, end < 0 ? words : words.slice(0, end))
  const revisions = operands.filter(({ value }) => value === null || !isPath(value))
  const paths = [...operands.filter(word => !revisions.includes(word)), ...after].map(({ value }) => value)
  const isPlain = paths.every(path => path !== null && path !== '' && !/^:|[*?[\\]/.test(path))
  // It may be the value of an option, and then the words after it are revisions.
  const isValue = optionsOf(command, words).maybePaths.some(({ value }) => value === '--')
  return {
    paths: isPlain && !isValue && paths.length > 0 ? paths.filter(path => path !== null) : null,
    revisions: isValue ? [...revisions, ...after] : revisions,
  }
}
