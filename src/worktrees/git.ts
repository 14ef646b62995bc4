/**
 * Runs git where it writes: in a worktree and in the folder of the user. Hooks do not run, nothing is signed, nobody is asked, and no
 * program is run that only the repository's own settings name. The user's own filters, such as git LFS, do run, unless the repository
 * has a setting that may name a program for them.
 */
import { createGit, type AskGit } from '../changes/run-git.ts'
import { mayNameProgram } from '../platform/git/repository-settings.ts'
import { problemOf, WorktreeProblem } from './problem.ts'

export type WorktreeGit = {
  folder: string
  ask: AskGit
  /** The output of git. @throws WorktreeProblem */
  get: (args: readonly string[], input?: Uint8Array) => Promise<Buffer>
  /** The output without its newline, such as an object or a path. @throws WorktreeProblem */
  line: (args: readonly string[], input?: Uint8Array) => Promise<string>
  /** The fields of an output that ends each with a NUL. @throws WorktreeProblem */
  fields: (args: readonly string[]) => Promise<string[]>
}

/** Milliseconds that one command may take: checking out a large repository takes minutes. */
const LIMIT = 600_000
/** The first git that merges without a working tree. */
const NEEDED = [2, 38] as const

const CALM = [
  'core.editor=:',
  'sequence.editor=:',
  'commit.gpgSign=false',
  'merge.verifySignatures=false',
  'submodule.recurse=false',
  'core.quotePath=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap(setting => ['-c', setting])

/** Settings that name programs for the content of files. */
const FILTERS = /^filter\..+\.(?:clean|smudge|process|required)$/s
const PROGRAMS = new RegExp(String.raw`${FILTERS.source}|^merge\..+\.driver$|^hook\..+\.command$`, 's')
/** The scopes of settings that belong to a repository. */
const OF_REPOSITORY = new Set(['local', 'worktree'])
/** The merge that git does without a driver. */
const USUAL_MERGE = 'git merge-file -q --marker-size=%L %A %O %B'

/** @throws WorktreeProblem */
export async function openGit(
  folder: string,
  env: NodeJS.ProcessEnv,
  variables: Readonly<Record<string, string>> = {},
): Promise<WorktreeGit> {
  const signal = new AbortController().signal
  const git = await createGit({ folder, env, signal, limit: LIMIT, variables: { GIT_EDITOR: ':', ...variables } })
  const calm: AskGit = (args, most, input) => git([...CALM, ...args], most, input)
  await requireVersion(calm, env['PATH'] ?? '')
  const off = await withoutPrograms(calm)
  return withThrowing(folder, (args, most, input) => calm([...off, ...args], most, input))
}

function withThrowing(folder: string, ask: AskGit): WorktreeGit {
  async function get(args: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const answer = await ask(args, undefined, input)
    if (!answer.ok) throw problemOf(answer)
    return answer.bytes
  }
  return {
    folder,
    ask,
    get,
    line: async (args, input) => (await get(args, input)).toString().replace(/\r?\n$/, ''),
    fields: async args => (await get(args)).toString().split('\0').slice(0, -1),
  }
}

/** The values of PATH whose git is new enough: nothing asks twice. */
const newEnough = new Set<string>()

async function requireVersion(git: AskGit, path: string): Promise<void> {
  if (newEnough.has(path)) return
  const answer = await git(['version'])
  if (!answer.ok) throw problemOf(answer)
  const [, found = '', major, minor] = /((\d+)\.(\d+)[\d.]*)/.exec(answer.bytes.toString()) ?? []
  const isOld = Number(major) < NEEDED[0] || (Number(major) === NEEDED[0] && Number(minor) < NEEDED[1])
  if (isOld) throw new WorktreeProblem(`worktrees need git ${NEEDED.join('.')}, and this is git ${found}`)
  newEnough.add(path)
}

/** Options that turn off the programs of the repository's own settings. */
async function withoutPrograms(git: AskGit): Promise<string[]> {
  const answer = await git(['config', '-z', '--show-scope', '--list'])
  if (!answer.ok) throw problemOf(answer)
  const fields = answer.bytes.toString().split('\0')
  const settings = fields.flatMap((scope, at) => (at % 2 === 0 ? [{ scope, key: keyOf(fields[at + 1] ?? '') }] : []))
  const filters = settings.some(found => !isOwn(found) && FILTERS.test(found.key))
  // git LFS and others have settings that name programs, too.
  const unknown = filters ? settings.find(found => isOwn(found) && mayNameProgram(found.key)) : undefined
  if (unknown)
    throw new WorktreeProblem(`a filter of yours may run what the setting ${unknown.key} of the repository names`)
  // Hooks do not run, whoever wants them.
  const keys = settings.flatMap(found =>
    PROGRAMS.test(found.key) && (isOwn(found) || found.key.startsWith('hook.')) ? [found.key] : [],
  )
  // Such a name cannot be overridden on a command line.
  const odd = keys.find(key => key.includes('='))
  if (odd !== undefined) throw new WorktreeProblem(`the repository's settings have a "=" in the name ${odd}`)
  return keys.flatMap(key => {
    const [, hook] = /^hook\.(.+)\.command$/is.exec(key) ?? []
    if (hook !== undefined) return ['-c', `hook.${hook}.enabled=false`]
    const [, name] = /^filter\.(.+)\.[a-z]+$/is.exec(key) ?? []
    if (name === undefined) return ['-c', `${key}=${USUAL_MERGE}`]
    return ['clean=', 'smudge=', 'process=', 'required=false'].flatMap(value => ['-c', `filter.${name}.${value}`])
  })
}

type FoundKey = { scope: string; key: string }

const isOwn = ({ scope }: FoundKey): boolean => OF_REPOSITORY.has(scope)

/** A key without a value has no newline. */
const keyOf = (setting: string): string => setting.replace(/\n.*$/s, '')
