/** The bare repository that keeps the files of one folder. Nothing of it is in the folder, and the folder's own is only read. */
import { existsSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { createGit, type AskGit, type GitAnswer } from '../changes/run-git.ts'
import { makeFolder } from '../platform/folders.ts'
import { pathWithin } from '../platform/within.ts'
import { storedFolderName } from '../storage/folder-name.ts'
import { replaceFile } from '../storage/replace-file.ts'
import type { Project } from './project.ts'

export type Shadow = {
  folder: string
  project: Project
  index: string
  /** Sees only what the shadow itself holds. */
  git: AskGit
  /** Sees the objects of the project's repository as well. */
  gitWithProject: AskGit
  /** The project's own repository, for questions about its attributes. */
  projectGit: AskGit
}

export type ShadowOptions = {
  stateFolder: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  /** Milliseconds that each question may take. */
  limit: number
}

/** A step of a checkpoint at which git failed. */
export class GitFailure extends Error {
  readonly why: Exclude<GitAnswer, { ok: true }>['why']

  constructor({ why, words }: Exclude<GitAnswer, { ok: true }>) {
    const said = { none: 'there is no repository', missing: 'git is not installed', slow: 'git took too long' }
    const reasons = { ...said, large: 'there are too many files', stopped: 'it was stopped', failed: `git: ${words}` }
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

/** The fields of an answer that ends each with a NUL. */
export const fieldsOf = (bytes: Buffer): string[] => bytes.toString().split('\0').slice(0, -1)

/** Files are kept as they are: byte for byte, whatever the project's attributes say. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding -crlf -eol\n'

export const shadowsFolder = (stateFolder: string): string => join(stateFolder, 'checkpoints')

export const shadowFolder = (stateFolder: string, project: Project): string =>
  join(shadowsFolder(stateFolder), storedFolderName(project.root))

/**
 * Opens the shadow of a project, and makes it if it is missing or was not finished. One program at a time may do this.
 * @throws GitFailure, and what the system throws.
 */
export async function openShadow(
  project: Project,
  { stateFolder, env, signal, limit }: ShadowOptions,
): Promise<Shadow> {
  const folder = shadowFolder(stateFolder, project)
  const index = join(folder, 'zotui-index')
  makeFolder(folder)
  if (!existsSync(join(folder, 'zotui-root'))) {
    const make = await createGit({ folder: stateFolder, env, signal, limit })
    // A killed git left it.
    rmSync(join(folder, 'config.lock'), { force: true })
    const format = `--object-format=${project.git?.format ?? 'sha1'}`
    await answerOf(make(['init', '--bare', '--quiet', '--template=', '--shared=0600', format, folder]))
  }
  makeFolder(join(folder, 'info'))
  replaceFile(join(folder, 'info', 'attributes'), ATTRIBUTES)
  replaceFile(join(folder, 'info', 'exclude'), `${project.rules}\n${ownRule(project.root, stateFolder)}`)
  // Written last: it says that all is there.
  replaceFile(join(folder, 'zotui-root'), project.root)
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
  const options = { folder: project.root, env, signal, limit }
  const withSettings = (git: AskGit): AskGit => {
    const settings = [...FIXED, ...(project.git?.settings ?? [])]
    return (args, most, input) => git([...settings, ...args], most, input)
  }
  return {
    folder,
    project,
    index,
    git: withSettings(await createGit({ ...options, variables })),
    gitWithProject: withSettings(await createGit({ ...options, variables: { ...variables, ...alternates } })),
    projectGit: await createGit(options),
  }
}

export const namesOf = (paths: readonly string[]): Buffer => Buffer.from(paths.map(path => `${path}\0`).join(''))

/** Settings of the user's that would change what is kept. */
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

/** Removes what a killed git left. To be called by the only one that uses the shadow. */
export function removeLocks({ index }: Shadow): void {
  rmSync(`${index}.lock`, { force: true })
}

/** Leaves out our own files, where they are in the project. */
function ownRule(root: string, stateFolder: string): string {
  const path = pathWithin(root, stateFolder)
  return path === null || path === '' ? '' : `/${path.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`)}/\n`
}

/** Git separates several folders with colons, and reads a quoted one as in C. */
function quoted(path: string): string {
  return /[:"\\\n]/.test(path)
    ? `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
    : path
}
