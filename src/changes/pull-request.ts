/** Asks GitHub's `gh`, if the user has it, for the patch of a pull request. */
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { whyNoGit } from '../platform/held-places.ts'
import { ownGitEnvironment } from '../platform/git/switches.ts'
import { findProgram, helperEnvironment } from '../platform/programs.ts'
import { collect } from '../platform/shell/collect.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'

export type PullRequest = {
  number: number
  /** `OWNER/NAME` or `HOST/OWNER/NAME`; null for the repository of the folder. */
  repo: string | null
}

export type PullRequestOptions = {
  /** The folder to run in, which is on this machine. */
  folder: string
  /** The folder whose own programs are not started. */
  project?: string
  env: NodeJS.ProcessEnv
  signal?: AbortSignal
  /** In milliseconds and in bytes. */
  limit?: number
  most?: number
}

/** `why` is a whole sentence. */
export type PullRequestPatch = { ok: true; bytes: Buffer } | { ok: false; why: string }

const LIMIT = 60_000
const MOST = 32 * 1024 * 1024
/** Characters of the words of `gh` that are shown. */
const SHOWN = 300

/** Nobody is asked, nothing is coloured or paged, and nothing else is looked for. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_NO_EXTENSION_UPDATE_NOTIFIER: '1',
  GH_PAGER: 'cat',
  PAGER: 'cat',
  NO_COLOR: '1',
  GH_BROWSER: 'false',
}
const LOUD: ReadonlySet<string> = new Set(['GH_FORCE_TTY', 'CLICOLOR_FORCE', 'GH_DEBUG', 'DEBUG', 'GH_REPO'])

/** A number after `#`, or the address of a pull request; null for anything else. */
export function pullRequestOf(text: string): PullRequest | null {
  const number = /^#(\d{1,9})$/.exec(text)?.[1]
  if (number !== undefined) return { number: Number(number), repo: null }
  const url = /^https:\/\/([\w.-]+(?::\d+)?)\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,9})(?:[/?#].*)?$/.exec(text)
  if (!url) return null
  const [, host = '', owner = '', name = '', of = ''] = url
  return { number: Number(of), repo: host === 'github.com' ? `${owner}/${name}` : `${host}/${owner}/${name}` }
}

/** The repository in the address of a git remote; null if it is none of a server. */
export function repositoryOf(url: string): string | null {
  const parts =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/(?:[^@/]*@)?|(?:[^@/\s]+@))([\w.-]+)(?::\d+(?=\/))?[:/]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(
      url,
    )
  if (!parts) return null
  const [, host = '', owner = '', name = ''] = parts
  return host === 'github.com' ? `${owner}/${name}` : `${host}/${owner}/${name}`
}

/** The program; null if the user has none outside of the project. */
export function findGh({ folder, project = folder, env }: PullRequestOptions): string | null {
  return findProgram('gh', env, project)
}

export const NO_GH = 'A pull request is read by gh, which was not found: https://cli.github.com'

/** Never rejects. */
export async function pullRequestPatch(
  { number, repo }: PullRequest,
  options: PullRequestOptions,
): Promise<PullRequestPatch> {
  const { folder, project = folder, env, signal, limit = LIMIT, most = MOST } = options
  const file = findGh(options)
  if (file === null) return { ok: false, why: NO_GH }
  // gh asks git for the remotes.
  const held = whyNoGit([folder, project])
  if (held !== null) return { ok: false, why: `${held}: gh was not asked.` }
  const quiet = { ...ownGitEnvironment(helperEnvironment(env, project)), ...QUIET }
  const args = ['pr', 'diff', String(number), '--color', 'never', ...(repo === null ? [] : ['--repo', repo])]
  const subprocess = execa(file, args, {
    cwd: folder,
    env: Object.fromEntries(Object.entries(quiet).filter(([name]) => !LOUD.has(name))),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    encoding: 'buffer',
    buffer: false,
    timeout: limit,
    ...(signal && { cancelSignal: signal }),
    killDescendants: true,
    killSignal: 'SIGKILL',
  })
  const output = collect(subprocess.stdout, most, () => subprocess.kill())
  const errors = collect(subprocess.stderr, 64 * 1024, () => undefined)
  const { exitCode, timedOut, isCanceled } = await subprocess
  const bytes = output()
  if (isCanceled) return { ok: false, why: 'gh was stopped.' }
  if (timedOut) return { ok: false, why: 'gh did not answer in time.' }
  if (bytes === null) return { ok: false, why: `The diff of pull request #${number} is too large to show.` }
  if (exitCode === 0) return { ok: true, bytes }
  const words = oneLine(sanitize(stripVTControlCharacters(errors()?.toString() ?? ''))).trim()
  return { ok: false, why: words === '' ? 'gh failed, and did not say why.' : `gh failed: ${words.slice(0, SHOWN)}` }
}
