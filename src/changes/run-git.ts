/**
 * Runs git on a folder. A repository's settings and attributes are untrusted: no program that they name is run, nothing is
 * fetched, only `hunks/git-index.ts` writes, and git's time is limited.
 */
import { execa } from 'execa'
import { whyNoGit } from '../platform/held-places.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import { recorded } from '../platform/remote/given-up.ts'
import { enter, type RemoteMachine } from '../platform/remote/machine.ts'
import { quoted } from '../platform/shell/quoting.ts'
import { collect } from '../platform/shell/collect.ts'
import { ownGitEnvironment, ownGitLines } from '../platform/git/switches.ts'
import { findProgram, helperEnvironment } from '../platform/programs.ts'

export type GitAnswer =
  | { ok: true; bytes: Buffer }
  /**
   * `held`: no git of ours may run there; `words` says why. `none`: there is no repository. `missing`: git is not installed. `large`: the answer is too large. `failed`: git failed; `words` is
   * its message, and `bytes` what it wrote before.
   */
  | {
      ok: false
      why: 'held' | 'none' | 'missing' | 'slow' | 'large' | 'failed' | 'stopped'
      words: string
      bytes?: Buffer
    }

export type GitOptions = {
  folder: string
  /** The folder whose own programs are not started, if git runs in another one. */
  project?: string | undefined
  env: NodeJS.ProcessEnv
  /** Stops it. */
  signal?: AbortSignal | undefined
  /** Milliseconds that each question may take. */
  limit: number
  /** Whether git may write: then it may remove its lock before it is killed. */
  writes?: boolean
  /** Bytes of any answer, if less than a question allows. */
  most?: number
  /** The machine that the folder is on; this one by default. */
  remote?: { machine: Pick<RemoteMachine, 'ask'>; files: ProjectFiles } | undefined
  /** Git's own variables, such as `GIT_DIR`, for a repository that is not found from the folder. */
  variables?: Readonly<Record<string, string>>
  /** A file on that machine for the process id of the last git, which may outlive its caller. */
  pidFile?: string | undefined
}

/** `input` goes to git's standard input. */
export type AskGit = (args: readonly string[], most?: number, input?: Uint8Array) => Promise<GitAnswer>

/** Default bytes of an answer. */
const MOST = 32 * 1024 * 1024

/** An argument that every git started here has. */
export const MARK = '--literal-pathspecs'

/** Creates a git for questions that read no file's content; see `withoutFilters`. Never rejects. */
export async function createGit(options: GitOptions): Promise<AskGit> {
  const { remote } = options
  if (remote) {
    const { most: all = Infinity } = options
    return (args, most = MOST, input) => askThere(remote.machine, args, Math.min(most, all), options, input)
  }
  const file = findProgram('git', options.env, options.project ?? options.folder)
  if (file === null) return async () => ({ ok: false, why: 'missing', words: '' })
  const { most: all = Infinity } = options
  return (args, most = MOST, input) => ask(file, ['--no-pager', MARK, ...args], Math.min(most, all), options, input)
}

/** A git that may write to the index: it runs no filter and no hook either. */
export async function withoutPrograms(git: AskGit): Promise<AskGit> {
  // Newer ones are settings, which an empty folder of hooks does not turn off.
  const hooks = await namesOf(git, String.raw`^hook\..+\.command$`)
  if (!Array.isArray(hooks)) return async () => hooks
  const off = hooks.flatMap(name => ['-c', `hook.${name}.enabled=false`])
  const plain = await withoutFilters(git)
  return (args, most, input) => plain([...off, ...args], most, input)
}

/** A git for all questions that runs no filter of the project. */
export async function withoutFilters(git: AskGit): Promise<AskGit> {
  const filters = await namesOf(git, String.raw`^filter\..+\.(clean|smudge|process|required)$`)
  if (!Array.isArray(filters)) return async () => filters
  const off = filters.flatMap(name =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap(value => ['-c', `filter.${name}.${value}`]),
  )
  return (args, most, input) => git([...off, ...args], most, input)
}

/** The names in the middle of git's settings of some programs, which git would run to compare files or after it has written. */
async function namesOf(git: AskGit, keys: string): Promise<string[] | Exclude<GitAnswer, { ok: true }>> {
  const answer = await git(['config', '-z', '--name-only', '--get-regexp', keys])
  // Without a match, git fails silently.
  if (!answer.ok) return answer.why === 'failed' && answer.words === '' ? [] : answer
  const names = answer.bytes
    .toString()
    .split('\0')
    .flatMap(key => /^(?:filter|hook)\.(.+)\.[a-z]+$/is.exec(key)?.[1] ?? [])
  // Such a name cannot be overridden on a command line.
  if (names.some(name => name.includes('=')))
    return { ok: false, why: 'failed', words: 'a filter or a hook has a "=" in its name' }
  return [...new Set(names)]
}

async function ask(
  file: string,
  args: readonly string[],
  most: number,
  { folder, project = folder, env, signal, limit, variables, writes = false }: GitOptions,
  input?: Uint8Array,
): Promise<GitAnswer> {
  if (signal?.aborted) return { ok: false, why: 'stopped', words: '' }
  const held = whyNoGit([folder, project])
  if (held !== null) return { ok: false, why: 'held', words: held }
  const subprocess = execa(file, args, {
    cwd: folder,
    env: { ...ownGitEnvironment(helperEnvironment(env, project)), ...variables },
    extendEnv: false,
    reject: false,
    ...(input ? { input } : { stdin: 'ignore' as const }),
    encoding: 'buffer',
    buffer: false,
    timeout: limit,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    killSignal: writes ? 'SIGTERM' : 'SIGKILL',
  })
  const output = collect(subprocess.stdout, most, () => subprocess.kill())
  const errors = collect(subprocess.stderr, 4096, () => {})
  const { exitCode, timedOut, isCanceled } = await subprocess
  if (isCanceled) return { ok: false, why: 'stopped', words: '' }
  if (timedOut) return { ok: false, why: 'slow', words: '' }
  const bytes = output()
  if (bytes === null) return { ok: false, why: 'large', words: '' }
  const words = errors()?.toString().trim() ?? 'a very long message'
  return exitCode === 0 ? { ok: true, bytes } : { ok: false, why: 'failed', words, bytes }
}

/** Exit code of the script where there is no git; git itself has no such code. */
const NO_GIT = 48

async function askThere(
  machine: Pick<RemoteMachine, 'ask'>,
  args: readonly string[],
  most: number,
  { folder, signal, limit, variables = {}, pidFile }: GitOptions,
  input?: Uint8Array,
): Promise<GitAnswer> {
  const feed = input ? `printf %s ${quoted(Buffer.from(input).toString('base64'))} | base64 -d | ` : ''
  const command = ['git', '--no-pager', MARK, ...args]
  const script = [
    `${enter(folder)} || exit 1; command -v git >/dev/null || exit ${NO_GIT}`,
    ownGitLines(variables),
    feed + (pidFile === undefined ? command.map(quoted).join(' ') : recorded(command, pidFile)),
  ].join('\n')
  const answer = await machine.ask(script, { most, limit, ...(signal && { signal }) })
  if (!answer.ok)
    return { ok: false, why: answer.why === 'lost' ? 'failed' : answer.why, words: 'the connection was lost' }
  if (answer.code === NO_GIT) return { ok: false, why: 'missing', words: '' }
  if (answer.code === 0) return { ok: true, bytes: answer.bytes }
  const words = answer.words.trim()
  return { ok: false, why: words.includes('not a git repository') ? 'none' : 'failed', words }
}
