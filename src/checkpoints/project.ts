/** The folder of the checkpoints, and the settings of its own git repository. */
import { dirname, resolve, sep } from 'node:path'
import type { AskGit } from '../changes/run-git.ts'
import { isOwnTree } from '../platform/git/repository.ts'
import { isWithin } from '../platform/within.ts'
import type { Disk } from './disk.ts'

export type ProjectOptions = {
  folder: string
  disk: Disk
  /** The user's home folder. */
  home: string
}

export type Project = {
  /** The root of the repository, or the folder itself. Absolute, without links. */
  root: string
  git: ProjectGit | null
  /** Ignore rules from outside the folder. */
  rules: string
}

type ProjectGit = {
  objects: string
  index: string
  /** `sha1` or `sha256`. */
  format: string
  /** Git settings that affect how files are compared, as pairs for `-c`. */
  settings: readonly string[]
  convertsLineEnds: boolean
}

/** `off` is the reason why this folder has no checkpoints. It completes a sentence: `Files are not kept: ...`. */
export type FoundProject = { ok: true; project: Project } | { ok: false; off: string }

/** The time limit of git's answers about the repository, in milliseconds. */
const LIMIT = 5_000
const MOST_RULES = 256 * 1024
/** The settings of `core` by which git compares files. */
const COMPARING = ['ignorecase', 'filemode', 'symlinks', 'precomposeunicode']
const SETTINGS = String.raw`^core\.(${[...COMPARING, 'autocrlf', 'excludesfile'].join('|')})$`
/** Generated files, for folders without a repository and its ignore rules. */
const WITHOUT_GIT = `node_modules/ .hg/ .svn/ .jj/ .venv/ __pycache__/ .tox/ .gradle/ .next/ .cache/ target/debug/ target/release/`

export async function findProject({ folder, disk, home }: ProjectOptions): Promise<FoundProject> {
  const own = (await disk.realPath(folder)) ?? resolve(folder)
  const homes = [resolve(home), (await disk.realPath(home)) ?? resolve(home)]
  const isTooHigh = (path: string): boolean => dirname(path) === path || homes.some(each => isWithin(path, each))
  if (isTooHigh(own)) return { ok: false, off: 'this is your home folder, or a folder above it' }
  if (own.split(sep).includes('.git')) return { ok: false, off: 'this folder belongs to git' }
  const git = await disk.git({ folder: own, limit: LIMIT })
  const parts =
    'rev-parse --path-format=absolute --show-toplevel --git-path objects --git-path index --git-path info/exclude'
  const answer = await git([...parts.split(' '), '--show-object-format'])
  if (!answer.ok && answer.why === 'held') return { ok: false, off: answer.words }
  if (!answer.ok && answer.why === 'missing') return { ok: false, off: 'git is not installed' }
  const lines = answer.ok ? answer.bytes.toString().trimEnd().split(/\r?\n/) : []
  const [top = '', objects = '', index = '', exclude = '', format = ''] = lines
  const isOwn = await isOwnTree(async (at, args, variables) => {
    const asked = await disk.git({ folder: at, project: own, limit: LIMIT, ...(variables && { variables }) })
    return asked(args)
  }, own)
  // A repository in the home folder tracks a few files of it, not everything below; and its settings may lead to any other folder.
  if (lines.length !== 5 || isTooHigh(top) || !isOwn) {
    return { ok: true, project: { root: own, git: null, rules: WITHOUT_GIT.split(' ').join('\n') } }
  }
  const settings = await settingsOf(git)
  const everywhere = await globalRules(git, { disk, home, isSet: settings.has('core.excludesfile') })
  const lineEnds = settings.get('core.autocrlf')
  return {
    ok: true,
    project: {
      root: (await disk.realPath(top)) ?? top,
      git: {
        objects,
        index,
        format,
        settings: COMPARING.flatMap(name => {
          const value = booleanOf(settings.get(`core.${name}`))
          return value === undefined ? [] : ['-c', `core.${name}=${value}`]
        }),
        convertsLineEnds: /^input$/i.test(lineEnds ?? '') || booleanOf(lineEnds) === true,
      },
      rules: [everywhere, await disk.readText(exclude, MOST_RULES)].join('\n'),
    },
  }
}

/** Git's settings that matter here, by their names in lower case. Of several values the last one counts, as it does for git. */
async function settingsOf(git: AskGit): Promise<ReadonlyMap<string, string>> {
  const answer = await git(['config', '-z', '--get-regexp', SETTINGS])
  const entries = answer.ok ? answer.bytes.toString().split('\0').slice(0, -1) : []
  // A name without a value means true.
  return new Map(entries.map(entry => [/^[^\n]*/.exec(entry)?.[0] ?? '', /\n([^]*)$/.exec(entry)?.[1] ?? 'true']))
}

/** True and false as git writes them; undefined for anything else. */
function booleanOf(value: string | undefined): boolean | undefined {
  if (/^(?:true|yes|on|1)$/i.test(value ?? '?')) return true
  return /^(?:false|no|off|0|)$/i.test(value ?? '?') ? false : undefined
}

/** The rules of `core.excludesFile`, which the project may have set, or of its default. */
async function globalRules(
  git: AskGit,
  { disk, home, isSet }: Pick<ProjectOptions, 'disk' | 'home'> & { isSet: boolean },
): Promise<string> {
  // Git knows what a path begins with: `~`, the home of another user.
  const answer = isSet ? await git(['config', '--type=path', '--get', 'core.excludesFile']) : null
  const file =
    answer?.ok === true ? answer.bytes.toString().trimEnd() : `${disk.config ?? `${home}/.config`}/git/ignore`
  return disk.readText(file, MOST_RULES)
}
