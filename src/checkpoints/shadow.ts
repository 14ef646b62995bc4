/**
 * The bare repository with the checkpoints of one folder. It lies outside the folder, and the folder's own repository is only
 * read.
 */
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import type { AskGit, GitAnswer } from '../changes/run-git.ts'
import { pathWithin } from '../platform/within.ts'
import { storedFolderName } from '../storage/folder-name.ts'
import type { Disk } from './disk.ts'
import type { Project } from './project.ts'

export type Shadow = {
  folder: string
  disk: Disk
  project: Project
  index: string
  /** Sees only what the shadow itself holds. */
  git: AskGit
  /** Sees the objects of the project's repository as well. */
  gitWithProject: AskGit
  /** The project's own repository, for questions about its attributes. */
  projectGit: AskGit
  /** The variables of `gitWithProject`. */
  variables: Readonly<Record<string, string>>
}

export type ShadowOptions = {
  disk: Disk
  /** Milliseconds that each question may take. */
  limit: number
}

/** A git command of a checkpoint that failed. */
export class GitFailure extends Error {
  readonly why: Exclude<GitAnswer, { ok: true }>['why']

  constructor({ why, words }: Exclude<GitAnswer, { ok: true }>) {
    const said = {
      held: words,
      none: 'there is no repository',
      missing: 'git is not installed',
      slow: 'git took too long',
    }
    const reasons = {
      ...said,
      large: 'there are too many files',
      stopped: 'it was stopped',
      failed: words === '' ? 'git failed' : `git: ${words}`,
    }
    super(reasons[why])
    this.why = why
  }
}

/** The answer of git. @throws GitFailure */
export async function answerOf(asked: Promise<GitAnswer>): Promise<Buffer> {
  const answer = await asked
  if (!answer.ok) throw new GitFailure(answer)
  return answer.bytes
}

/** The NUL-terminated fields of git's output. */
export const fieldsOf = (bytes: Buffer): string[] => bytes.toString().split('\0').slice(0, -1)

/** Whether a name was not UTF-8, and so lost a part when it was read: it may be that of another file now. */
export const isLossy = (path: string): boolean => path.includes('\uFFFD')

/** Files are kept as they are: byte for byte, whatever the project's attributes say. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding -crlf -eol\n'

export const shadowsFolder = (stateFolder: string): string => join(stateFolder, 'checkpoints')

export const shadowFolder = ({ shadows }: Disk, { root }: Project): string => join(shadows, storedFolderName(root))

/**
 * Opens the shadow of a project, and makes it if it is missing or was not finished. One program at a time may do this.
 * @throws GitFailure, and what the system throws.
 */
export async function openShadow(project: Project, { disk, limit }: ShadowOptions): Promise<Shadow> {
  const folder = shadowFolder(disk, project)
  const index = join(folder, 'zotui-index')
  await disk.makeFolder(folder)
  if (!(await disk.exists(join(folder, 'zotui-root')))) {
    const make = await disk.git({ folder: disk.shadows, project: project.root, limit })
    // A killed git left it behind.
    await disk.remove([join(folder, 'config.lock')])
    const format = `--object-format=${project.git?.format ?? 'sha1'}`
    await answerOf(make(['init', '--bare', '--quiet', '--template=', '--shared=0600', format, folder]))
  }
  await disk.write(join(folder, 'info', 'attributes'), ATTRIBUTES)
  await disk.write(join(folder, 'info', 'exclude'), `${project.rules}\n${ownRule(project.root, dirname(disk.shadows))}`)
  // Written last: this file marks the shadow as complete.
  await disk.write(join(folder, 'zotui-root'), project.root)
  const person = { NAME: 'zotui', EMAIL: 'zotui@localhost' }
  const variables = {
    GIT_DIR: folder,
    GIT_WORK_TREE: project.root,
    GIT_INDEX_FILE: index,
    GIT_ATTR_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap(who =>
        Object.entries(person).map(([key, value]) => [`GIT_${who}_${key}`, value]),
      ),
    ),
  }
  const objects = project.git?.objects
  const alternates = objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) }
  const options = { folder: project.root, limit }
  const withProject = { ...variables, ...alternates }
  const withSettings = (git: AskGit): AskGit => {
    const settings = [...FIXED, ...(project.git?.settings ?? [])]
    return (args, most, input) => git([...settings, ...args], most, input)
  }
  return {
    folder,
    disk,
    project,
    index,
    git: withSettings(await disk.git({ ...options, variables })),
    gitWithProject: withSettings(await disk.git({ ...options, variables: withProject })),
    projectGit: await disk.git(options),
    variables: withProject,
  }
}

/** The same shadow, whose objects and references are on the disk when git says so. */
export function durably(shadow: Shadow): Shadow {
  const settings = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=batch']
  return { ...shadow, git: (args, most, input) => shadow.git([...settings, ...args], most, input) }
}

export const namesOf = (paths: readonly string[]): Buffer => Buffer.from(paths.map(path => `${path}\0`).join(''))

/** User settings that would change the stored content. */
const FIXED = [
  'core.excludesFile=',
  `core.attributesFile=${devNull}`,
  'core.autocrlf=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'index.sparse=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'gc.auto=0',
  // Only the user may read what is kept.
  'core.sharedRepository=0600',
].flatMap(setting => ['-c', setting])

/** Removes the lock files of a killed git. The caller must be the only user of the shadow. */
export async function removeLocks({ disk, index }: Shadow): Promise<void> {
  await disk.unlock(index)
}

/** Excludes zotui's own files, if they lie in the project. */
function ownRule(root: string, own: string): string {
  const path = pathWithin(root, own)
  return path === null || path === '' ? '' : `/${path.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`)}/\n`
}

/** Git separates several folders with colons, and reads a quoted one as in C. */
function quoted(path: string): string {
  return /[:"\\\n]/.test(path)
    ? `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
    : path
}
