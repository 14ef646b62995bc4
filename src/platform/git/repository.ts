/**
 * The repository of a folder as git itself describes it: which it is, and which settings apply. No file of git's is read here, so
 * nothing that is written in an unusual way is read differently.
 */
import { dirname, posix, resolve } from 'node:path'
import { isWithin } from '../within.ts'
import { effectOf, programsIn } from './repository-settings.ts'
import { COUNTED, SWITCHES, type ConfigPair, type GitVariables } from './switches.ts'

/** The meaning of a folder for a git command that only reads. */
export type GitSays = {
  /** The reason why the command may do more than read the repository: a sentence without a full stop. Null for none. */
  reason: string | null
  /** Whether a command that reads contents might fetch them. */
  isPartial: boolean
  /** The names in the user's own settings that may be programs, which git looks for in PATH. */
  programs: readonly string[]
  /** The settings that git needs besides `SWITCHES`. */
  settings: readonly ConfigPair[]
}

/** An answer to a question of ours, asked with the switches. */
export type GitWords = { ok: true; bytes: Buffer } | { ok: false; why: string; words: string; bytes?: Buffer }

/** `variables` are more variables for this git. Never rejects. */
export type QuestionedGit = (folder: string, args: readonly string[], variables?: GitVariables) => Promise<GitWords>

const asks = (reason: string): GitSays => ({ reason, isPartial: false, programs: [], settings: [] })

/** A folder without a repository: git has no settings but the user's own. */
const NONE: GitSays = { reason: null, isPartial: false, programs: [], settings: [] }

/** Asks git. `project` is the folder of the session, in which files may have been written by anyone. Both are absolute, without links. */
export async function askRepository(git: QuestionedGit, folder: string, project: string): Promise<GitSays> {
  const [found, config, ...blobs] = await Promise.all([
    findRepository(git, folder),
    git(folder, ['config', '-z', '--list', '--show-origin', '--show-scope']),
    // Without a file .gitmodules, git takes that of the index or of the last commit.
    ...[':.gitmodules', 'HEAD:.gitmodules'].map(blob => git(folder, ['config', '-z', '--list', `--blob=${blob}`])),
  ])
  if (found === null) return NONE
  if ('reason' in found) return asks(found.reason)
  if (!config.ok) return asks(refusalOf(config))
  const settings = settingsIn(config.bytes.toString())
  if (settings === null) return asks("git's settings cannot be read")
  const modules = await git(found.top, ['config', '-z', '--list', '-f', '.gitmodules'])
  return settingsSay(settings, found, project, [modules, ...blobs])
}

/** The files of a repository: of the index and of the last commit. All paths are absolute. */
export type GitTracks = {
  /** The top of the working tree; null if there is no repository. */
  top: string | null
  files: readonly string[]
}

/** Asks git which files it tracks; null if it does not say, or if they are too many. */
export async function askTracked(git: QuestionedGit, folder: string): Promise<GitTracks | null> {
  const found = await git(folder, ['rev-parse', '--show-toplevel'])
  if (!found.ok) return isNone(found.words) ? { top: null, files: [] } : null
  const top = resolve(folder, found.bytes.toString().replace(/\r?\n$/, ''))
  const [index, commit] = await Promise.all([
    git(top, ['ls-files', '-z']),
    git(top, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD']),
  ])
  // Before the first commit there is only the index.
  const isFirst = !commit.ok && commit.words.startsWith('fatal: Not a valid object name HEAD')
  if (!index.ok || (!commit.ok && !isFirst)) return null
  const names = [index, commit].flatMap(answer => (answer.ok ? answer.bytes.toString().split('\0').slice(0, -1) : []))
  return { top, files: [...new Set(names)].map(name => resolve(top, name)) }
}

const isNone = (words: string): boolean => words.startsWith('fatal: not a git repository (or any ')

/** The repository that git takes in a folder, null for none, or the reason why it is not that of the folder. */
async function findRepository(
  git: QuestionedGit,
  folder: string,
): Promise<FoundRepository | { reason: string } | null> {
  const args = ['rev-parse', '--absolute-git-dir', '--git-common-dir', '--is-bare-repository', '--show-toplevel']
  const answer = await git(folder, args)
  if (!answer.ok && isNone(answer.words)) return null
  if (!answer.ok) return { reason: refusalOf(answer) }
  const [gitDir = '', commonDir = '', isBare, top = '', ...others] = answer.bytes.toString().split(/\r?\n/)
  // A path with a newline in it makes more lines.
  if (isBare !== 'false' || others.join('') !== '' || others.length > 1 || top === '')
    return { reason: "git's folder has an unusual name or kind" }
  const found = { gitDir: resolve(folder, gitDir), commonDir: resolve(folder, commonDir), top: resolve(top) }
  const reason = await misplacement(git, folder, found)
  return reason === null ? found : { reason }
}

/** Whether the working tree that git takes in a folder is one around it, with a `.git` of its own that leads to the same repository. */
export async function isOwnTree(git: QuestionedGit, folder: string): Promise<boolean> {
  const answer = await git(folder, ['rev-parse', '--absolute-git-dir', '--show-toplevel'])
  const [gitDir = '', top = ''] = answer.ok ? answer.bytes.toString().split(/\r?\n/) : []
  return top !== '' && isWithin(resolve(top), folder) && (await leadsBack(git, resolve(top), resolve(folder, gitDir)))
}

/**
 * The top of the repository of a folder; null for none. A reason if the repository that git takes is not that folder's: a git that writes
 * would write into another one.
 */
export async function ownRepository(
  git: QuestionedGit,
  folder: string,
): Promise<{ top: string } | { reason: string } | null> {
  const found = await findRepository(git, folder)
  return found === null || 'reason' in found ? found : { top: found.top }
}

/** Whether git finds the repository from the top of its working tree alone. */
async function leadsBack(git: QuestionedGit, top: string, gitDir: string): Promise<boolean> {
  const back = await git(top, ['rev-parse', '--absolute-git-dir'], { GIT_CEILING_DIRECTORIES: dirname(top) })
  return back.ok && resolve(top, back.bytes.toString().replace(/\r?\n$/, '')) === gitDir
}

type FoundRepository = { gitDir: string; commonDir: string; top: string }
type FoundSetting = { scope: string; origin: string; setting: ConfigPair }

function refusalOf({ why, words }: Exclude<GitWords, { ok: true }>): string {
  if (why === 'missing') return 'there is no git that could say which settings apply'
  const [first = ''] = words.split('\n')
  return why === 'failed' && first !== '' ? `git says: ${first.slice(0, 200)}` : 'git does not say which settings apply'
}

/** The settings in the order in which they apply; null if there is something else. */
function settingsIn(text: string): FoundSetting[] | null {
  const fields = text.split('\0')
  if (fields.pop() !== '' || fields.length % 3 !== 0) return null
  return Array.from({ length: fields.length / 3 }, (_, at) => {
    const [scope = '', origin = '', pair = ''] = fields.slice(at * 3, at * 3 + 3)
    return { scope, origin, setting: keyAndValue(pair) }
  })
}

/** A key without a value means true. */
function keyAndValue(pair: string): ConfigPair {
  const end = pair.indexOf('\n')
  return end < 0 ? [pair, 'true'] : [pair.slice(0, end), pair.slice(end + 1)]
}

/** The reason why the repository is not the one of this folder, so that git would read other files; null if it is. */
async function misplacement(
  git: QuestionedGit,
  folder: string,
  { gitDir, commonDir, top }: FoundRepository,
): Promise<string | null> {
  if (!isWithin(top, folder)) return `git works in ${top}`
  if (gitDir === resolve(top, '.git')) return commonDir === gitDir ? null : `git's own folder leads to ${commonDir}`
  // A submodule: its own folder names the working tree, and that leads back.
  if (!(await leadsBack(git, top, gitDir))) return `git works in ${top} with the repository ${gitDir}`
  if (commonDir === gitDir) return (await namesTree(git, top, gitDir)) ? null : otherRepository(gitDir)
  if (dirname(gitDir) !== resolve(commonDir, 'worktrees')) return otherRepository(gitDir)
  // A linked worktree: the repository knows it.
  const listed = await git(top, ['worktree', 'list', '--porcelain'])
  const isListed =
    listed.ok &&
    listed.bytes
      .toString()
      .split(/\r?\n/)
      .includes(`worktree ${toGit(top)}`)
  return isListed ? null : otherRepository(gitDir)
}

const otherRepository = (gitDir: string): string => `the repository is in ${gitDir}, which does not name this folder`

/** Whether the repository's own setting names the working tree. */
async function namesTree(git: QuestionedGit, top: string, gitDir: string): Promise<boolean> {
  const named = await git(top, ['config', '-z', '--get', 'core.worktree'])
  return named.ok && resolve(gitDir, named.bytes.toString().replace(/\0$/, '')) === top
}

/** git writes slashes on Windows, too. */
const toGit = (path: string): string => path.replaceAll('\\', posix.sep)

function settingsSay(
  found: readonly FoundSetting[],
  { gitDir, commonDir, top }: FoundRepository,
  project: string,
  modules: readonly GitWords[],
): GitSays {
  const last = new Map(found.flatMap(({ scope, setting: [key, value] }) => (scope === 'command' ? [[key, value]] : [])))
  const ignored = SWITCHES.find(([key, value]) => last.get(key.toLowerCase()) !== value)
  if (ignored) return asks(`this git does not take ${ignored[0]} from its environment`)
  const overrides: ConfigPair[] = []
  const programs: string[] = []
  let isPartial = false
  for (const { scope, origin, setting } of found) {
    const file = origin.startsWith('file:') ? resolve(top, origin.slice('file:'.length)) : null
    const isProjects = file !== null && isWithin(project, file)
    const isUsers = scope === 'system' || scope === 'global' || scope === 'command'
    if (isUsers && !isProjects) {
      programs.push(...programsIn(setting))
      continue
    }
    // An edit could change them before git reads them.
    if (isProjects && ![gitDir, commonDir].some(own => file !== null && isWithin(own, file)))
      return asks(`git takes settings from ${file}, a file of the project`)
    const effect = effectOf(setting)
    if (effect === 'asks') return asks(`the setting ${setting[0]} of the repository can change what git runs or reads`)
    overrides.push(...effect.override)
    isPartial ||= effect.isPartial === true
  }
  for (const each of modules) {
    if (!each.ok && isAbsent(each.words)) continue
    if (!each.ok) return asks(refusalOf(each))
    for (const pair of each.bytes.toString().split('\0').slice(0, -1)) {
      const setting = keyAndValue(pair)
      if (!/^submodule\..*\.ignore$/s.test(setting[0])) continue
      const effect = effectOf(setting)
      if (effect !== 'asks') overrides.push(...effect.override)
    }
  }
  if (overrides.length > 0 && last.get(COUNTED[0]) !== COUNTED[1])
    return asks('the repository has settings that git 2.31 or newer can be told to ignore, and this one is older')
  return { reason: null, isPartial, programs, settings: overrides }
}

/** git's message where there is no .gitmodules. */
function isAbsent(words: string): boolean {
  return /No such file or directory|unable to resolve config blob|invalid object name|does not exist/.test(words)
}
