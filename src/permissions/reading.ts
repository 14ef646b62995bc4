/** Checks whether a command only reads, and only inside the folder. The answer is no in doubt. */
import type { GitSetting } from '../agent/permission.ts'
import { climbs, pathOf } from './rules/call-paths.ts'
import { pathInside } from './paths.ts'
import type { Place } from './policy.ts'
import { gitCommand, repositoryReason } from './reading-git.ts'
import { optionsOf } from './reading-options.ts'
import { findTests, readingCommands, readingGit, readingWrappers, type ReadingCommand } from './reading-table.ts'
import { isMove, withInner, type CommandLine, type CommandWord, type SimpleCommand } from './shell/line.ts'
import { mayBePattern } from './shell/same-in-shells.ts'
import { lookup } from '../text/lookup.ts'

/** The reason of a command of which nothing is known. It is true for most commands, so questions do not show it. */
export const UNLISTED = 'it may change something'

/**
 * The reason why a command does more than read: a sentence without a full stop, null if it only reads. `git` has the settings that git needs
 * for that; null for another command.
 */
export type CommandReading = { reason: string | null; git: readonly GitSetting[] | null }

export type Reader = (command: SimpleCommand) => CommandReading

/**
 * Creates the check for the commands of one line. If the line first changes the folder (`cd src && ls`), a relative path must be
 * inside as seen from both folders, because the `cd` may fail.
 */
export function readerOf({ commands }: CommandLine, place: Place, from: string): Reader {
  const moves = commands.flatMap(withInner).filter(isMove)
  const target =
    moves[0] && moves[0] === commands[0] && moves[0].words[0]?.value === 'cd' ? folderOf(moves[0], place, from) : null
  const folders = target === null ? [from] : [from, target]
  const canMove = moves.length === 1 && target !== null
  const isAllowed = (path: string): boolean => folders.every(folder => isInside(path, folder, place))
  const isSet = (variable: string): boolean => place.isSet?.(variable) ?? false
  return function reading(command): CommandReading {
    const around = reasonAround(command, isAllowed)
    if (around !== null) return reads(around)
    const [inner] = command.inner
    const name = command.words[0]?.value
    // In zsh such a line runs a program, which NULLCMD names.
    if (name === undefined) return reads(command.isGroup ? null : 'it redirects without a command')
    const folder = folders.find(each => name !== null && place.isOfProject?.(name, each))
    if (folder !== undefined) return reads(`${name} is a program of the project`)
    if (command.isTransparent && inner) return readingWrappers.has(name ?? '') ? reading(inner) : reads(UNLISTED)
    if (name === 'cd') return reads(canMove ? null : 'it goes to another folder')
    if (moves.length > 0 && !canMove) return reads('it may run in another folder')
    if (!isAllowed('.')) return reads('it runs outside the folder')
    return name === 'git' ? readingOfGit(command) : reads(reasonOf(command.words, isAllowed, isSet))
  }

  function readingOfGit({ words }: SimpleCommand): CommandReading {
    const [git, own] = [words[0], gitCommand(words)]
    const to = own.folder?.value ?? '.'
    if (own.folder && (own.folder.value === null || to.startsWith('~'))) return reads(onlyWhenItRuns(own.folder))
    if (own.folder && !isAllowed(to)) return reads(readsOutside(own.folder))
    const places = folders.map(folder => pathOf(to, place, folder).real)
    const isAllowedThere = (path: string): boolean => places.every(folder => isInside(path, folder, place))
    const unread = git ? reasonOf([git, ...own.words], isAllowedThere, isSet) : UNLISTED
    if (unread !== null) return reads(unread)
    // Each folder may be in another repository.
    const answers = places.map(folder => place.git(folder))
    const isOfProject = (name: string): boolean => places.some(folder => place.isOfProject?.(name, folder) === true)
    const reason = repositoryReason(own, answers, isOfProject)
    return { reason, git: answers.flatMap(({ settings }) => settings) }
  }
}

const reads = (reason: string | null): CommandReading => ({ reason, git: null })

/** Whether a path in a command is inside the session's folder after links are resolved. */
function isInside(path: string, from: string, place: Place): boolean {
  // `~name` is another user's home folder.
  if (/^~[^/]/.test(path)) return false
  const { named, real } = pathOf(path, place, from)
  // `cd` resolves `..` by names, other programs by links.
  const ends = climbs(path) ? [real, place.resolve(named)] : [real]
  return ends.every(end => pathInside(place.folder, end) !== null)
}

function folderOf({ words, assignments, redirections }: SimpleCommand, place: Place, from: string): string | null {
  const to = words[1]?.value
  const isPlain = words.length === 2 && assignments.length === 0 && redirections.length === 0
  if (!isPlain || to === undefined || to === null || !isInside(to, from, place)) return null
  // `cd -2` and `cd +1` are folders of before, in zsh.
  if (/^[-+]/.test(to) || mayBePattern(words[1]?.text ?? '')) return null
  // CDPATH names other folders in which a relative one is looked for.
  if (!/^(?:[/~]|\.\.?(?:\/|$))/.test(to) && place.isSet?.('CDPATH')) return null
  return pathOf(to, place, from).real
}

type Allows = (path: string) => boolean

const onlyWhenItRuns = ({ text }: CommandWord): string => `${text} is known only when it runs`
const readsOutside = ({ text }: CommandWord): string => `it reads ${text}, outside the folder`
const maybeMore = ({ text }: CommandWord): string => `${text} may do more than read`

/** The reason against the variables and redirections of a command; null for none. */
function reasonAround({ assignments, redirections }: SimpleCommand, isAllowed: Allows): string | null {
  const [assigned] = assignments
  if (assigned !== undefined) return `it sets ${/^\w*/.exec(assigned)?.[0] ?? ''}`
  for (const { target, writes } of redirections) {
    if (target === null || target.value === '/dev/null') continue
    if (writes) return `it writes ${target.text}`
    if (target.value === null) return onlyWhenItRuns(target)
    if (mayBePattern(target.text)) return onlyWhenItRuns(target)
    if (!isAllowed(target.value)) return readsOutside(target)
  }
  return null
}

function reasonOf(
  [first, ...rest]: readonly CommandWord[],
  isAllowed: Allows,
  isSet: (variable: string) => boolean,
): string | null {
  const name = first?.value
  if (first === undefined || name === undefined) return null
  if (name === null) return onlyWhenItRuns(first)
  if (name === 'find') return reasonOfFind(rest, isAllowed)
  const isGit = name === 'git'
  const found = isGit ? row(readingGit, rest[0]?.value) : row(readingCommands, name)
  if (!found) return UNLISTED
  const words = isGit ? rest.slice(1) : rest
  return reasonOfWords(isGit ? { ...found, revisions: true } : found, words, isAllowed, isSet)
}

function row(table: Readonly<Record<string, ReadingCommand>>, name: string | null | undefined): ReadingCommand | null {
  return lookup(table, name ?? '') ?? null
}

function reasonOfWords(
  command: ReadingCommand,
  words: readonly CommandWord[],
  isAllowed: Allows,
  isSet: (variable: string) => boolean,
): string | null {
  const { operands, options, maybePaths, refused, unknown } = optionsOf(command, words)
  const { variable, without = '' } = command.configuredBy ?? {}
  if (variable !== undefined && isSet(variable) && !options.has(without)) return `${variable} may change what it does`
  if (unknown) return onlyWhenItRuns(unknown)
  if (refused) return maybeMore(refused)
  const outside = maybePaths.find(({ value }) => value !== null && !isAllowed(value))
  return outside ? readsOutside(outside) : reasonOfOperands(command, operands, isAllowed)
}

function reasonOfOperands(
  { operands, revisions, most = Infinity, namesOnly, fits, firstFits, allFit }: ReadingCommand,
  words: readonly CommandWord[],
  isAllowed: Allows,
): string | null {
  const [first] = words
  if (operands === 'none' && first) return maybeMore(first)
  const written = words[most]
  if (written) return `it may write ${written.text}`
  for (const [at, word] of words.entries()) {
    const { text, value } = word
    const isPath = operands === 'paths' || (operands === 'word then paths' && at > 0)
    const isGlob =
      value === null &&
      namesOnly &&
      /^[\w./-]*(?<=[\w/-])[*?]+[\w.-]*$|^[*?][\w.*?-]*$/.test(text) &&
      !/\.\.|\*\*/.test(text)
    if (value === null && !isGlob) return onlyWhenItRuns(word)
    if (isPath && !revisions && mayBePattern(text)) return onlyWhenItRuns(word)
    if (isPath && !isAllowed(value ?? text)) return readsOutside(word)
    if (at === 0 && firstFits && !firstFits.test(value ?? '')) return maybeMore(word)
    if (fits && !fits.test(value ?? '')) return maybeMore(word)
  }
  const more = allFit?.(words.map(({ value }) => value ?? '')) ?? true
  return more || !first ? null : maybeMore(first)
}

function reasonOfFind(words: readonly CommandWord[], isAllowed: Allows): string | null {
  const start = words.findIndex(({ value }) => value === null || /^[-!(,)]/.test(value))
  const paths = words.slice(0, start < 0 ? undefined : start)
  const outside = paths.find(({ value }) => value !== null && !isAllowed(value))
  if (outside) return readsOutside(outside)
  const pattern = paths.find(({ text }) => mayBePattern(text))
  if (pattern) return onlyWhenItRuns(pattern)
  for (const word of words.slice(paths.length)) {
    const { value } = word
    if (value === null) return onlyWhenItRuns(word)
    if (value.startsWith('-') && !/^-\d+[a-zA-Z]?$/.test(value) && !findTests.has(value)) return maybeMore(word)
  }
  return null
}
