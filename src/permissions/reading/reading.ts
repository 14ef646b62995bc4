/** Checks whether a command only reads, and only inside the folder. A command that is not understood does more. */
import type { GitSetting } from '../../agent/permission.ts'
import { createBelow } from './below.ts'
import { climbs, pathOf } from '../rules/call-paths.ts'
import { isOpenTo } from '../paths.ts'
import type { Place } from '../policy.ts'
import { reachOf } from './reach.ts'
import {
  maybeMore,
  onlyWhenItRuns,
  readsOutside,
  reasonOfFind,
  reasonOfLinks,
  reasonOfOperands,
  type ReadingArea,
} from './reading-operands.ts'
import { gitCommand, repositoryReason } from './reading-git.ts'
import { optionsOf } from './reading-options.ts'
import { readingCommands, readingGit, readingWrappers, type ReadingCommand } from './reading-table.ts'
import { isMove, withInner, type CommandLine, type CommandWord, type SimpleCommand } from '../shell/line.ts'
import { mayBePattern } from '../shell/same-in-shells.ts'
import { lookup } from '../../text/lookup.ts'

/** The reason of a command of which nothing is known. It is true for most commands, so questions do not show it. */
export const UNLISTED = 'it may change something'

/**
 * The reason why a command does more than read: a sentence without a full stop, null if it only reads. `git` has the settings that git needs
 * for that; null for another command.
 */
export type CommandReading = { reason: string | null; git: readonly GitSetting[] | null }

/** Checks one command of the line. */
export type Reader = (command: SimpleCommand) => CommandReading

/**
 * Creates the check for the commands of one line. If the line first changes the folder (`cd src && ls`), a relative path must be
 * inside as seen from both folders, because the `cd` may fail.
 */
export function readerOf({ commands }: CommandLine, place: Place, from: string): Reader {
  const moves = commands.flatMap(withInner).filter(isMove)
  // Where a command runs decides which programs and which settings of git it finds.
  const own: Place = { ...place, more: [] }
  const target =
    moves[0] && moves[0] === commands[0] && moves[0].words[0]?.value === 'cd' ? targetOfMove(moves[0], own, from) : null
  const folders = target === null ? [from] : [from, target]
  const canMove = moves.length === 1 && target !== null
  const isAllowed = (path: string): boolean => folders.every(folder => isInside(path, folder, place))
  const area: ReadingArea = { place, folders, isAllowed, below: createBelow(place) }
  return function reading(command): CommandReading {
    if (place.isOtherShell?.()) return reads('the shell here may read it in its own way')
    const around = reasonAround(command, isAllowed)
    if (around !== null) return reads(around)
    const [inner] = command.inner
    const name = command.words[0]?.value
    // In zsh such a line runs a program, which NULLCMD names.
    if (name === undefined) return reads(command.isGroup ? null : 'it redirects without a command')
    const started = name === null ? [] : [name, ...(lookup(readingCommands, name)?.starts ?? [])]
    const folder = folders.find(each => started.some(program => place.isOfProject?.(program, each)))
    if (folder !== undefined) return reads(`${name} is a program of the project`)
    if (command.isTransparent && inner) return readingWrappers.has(name ?? '') ? reading(inner) : reads(UNLISTED)
    if (name === 'cd') return reads(canMove ? null : 'it goes to another folder')
    if (moves.length > 0 && !canMove) return reads('it may run in another folder')
    if (!folders.every(folder => isInside('.', folder, own))) return reads('it runs outside the folder')
    return name === 'git' ? readingOfGit(command) : reads(reasonOf(command, area))
  }

  function readingOfGit({ words }: SimpleCommand): CommandReading {
    const [git, command] = [words[0], gitCommand(words)]
    const to = command.folder?.value ?? '.'
    if (command.folder && (command.folder.value === null || to.startsWith('~')))
      return reads(onlyWhenItRuns(command.folder))
    if (command.folder && !folders.every(folder => isInside(to, folder, own)))
      return reads(readsOutside(command.folder))
    const places = folders.map(folder => pathOf(to, place, folder).real)
    const isAllowedThere = (path: string): boolean => places.every(folder => isInside(path, folder, own))
    const there = { ...area, place: own, folders: places, isAllowed: isAllowedThere }
    const unread = git ? reasonOf({ words: [git, ...command.words] }, there) : UNLISTED
    if (unread !== null) return reads(unread)
    // Each folder may be in another repository.
    const answers = places.map(folder => place.git(folder))
    const isOfProject = (name: string): boolean => places.some(folder => place.isOfProject?.(name, folder) === true)
    const reason = repositoryReason(command, answers, isOfProject)
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
  return ends.every(end => isOpenTo(place, end))
}

/** The folder to which a `cd` goes; null if it may go to another folder, or out of the session's folder. */
function targetOfMove({ words, assignments, redirections }: SimpleCommand, place: Place, from: string): string | null {
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

/** The reason against the variables and redirections of a command; null for none. */
function reasonAround({ assignments, redirections }: SimpleCommand, isAllowed: Allows): string | null {
  const [assigned] = assignments
  if (assigned !== undefined) return `it sets ${/^\w*/.exec(assigned)?.[0] ?? ''}`
  for (const { target, writes, descriptor } of redirections) {
    // Another descriptor may be a pipe of the agent.
    if (descriptor !== null && !/^[012-]$/.test(descriptor)) return `it uses the descriptor ${descriptor}`
    if (target === null || target.value === '/dev/null') continue
    if (writes) return `it writes ${target.text}`
    if (target.value === null) return onlyWhenItRuns(target)
    if (mayBePattern(target.text)) return onlyWhenItRuns(target)
    if (!isAllowed(target.value)) return readsOutside(target)
  }
  return null
}

/** The reason against the words of a command; null for none. */
function reasonOf(command: Pick<SimpleCommand, 'words'>, area: ReadingArea): string | null {
  const [first, ...rest] = command.words
  const name = first?.value
  if (first === undefined || name === undefined) return null
  if (name === null) return onlyWhenItRuns(first)
  const isGit = name === 'git'
  const found = isGit ? row(readingGit, rest[0]?.value) : row(readingCommands, name)
  if (!found) return UNLISTED
  const words = isGit ? rest.slice(1) : rest
  if (isGit) return reasonOfWords({ ...found, isGit: true }, words, area)
  const { reach, from } = reachOf(command, area.place) ?? { reach: 'linked', from: [] }
  const reason = name === 'find' ? reasonOfFind(rest, area) : reasonOfWords(found, words, area)
  return reason ?? reasonOfLinks(reach, from, area)
}

function row(table: Readonly<Record<string, ReadingCommand>>, name: string | null | undefined): ReadingCommand | null {
  return lookup(table, name ?? '') ?? null
}

function reasonOfWords(command: ReadingCommand, words: readonly CommandWord[], area: ReadingArea): string | null {
  const { operands, options, maybePaths, refused, unknown } = optionsOf(command, words)
  const { variable, unlessOption = '' } = command.configuredBy ?? {}
  if (variable !== undefined && area.place.isSet?.(variable) && !options.has(unlessOption))
    return `${variable} may change what it does`
  if (unknown) return onlyWhenItRuns(unknown)
  if (refused) return maybeMore(refused)
  const outside = maybePaths.find(({ value }) => value !== null && !area.isAllowed(value))
  if (outside) return readsOutside(outside)
  // On some systems an option after an operand is an operand, too.
  const written = [...operands, ...maybePaths][command.most ?? Infinity]
  return written ? `it may write ${written.text}` : reasonOfOperands(command, operands, area)
}
