/**
 * The settings for every git that nobody was asked about: zotui's own, and the agent's where it only reads. A repository's settings are untrusted,
 * and many of them name programs. These settings, set in the environment, win over those of its files.
 *
 * A program that git starts in turn gets the same environment, so they hold for a submodule, too.
 */
import { devNull } from 'node:os'
import { lookup } from '../../text/lookup.ts'
import { quoted } from '../shell/quoting.ts'

/** A setting as git lists it: `core.fsmonitor`, and its value. */
export type ConfigPair = readonly [key: string, value: string]

export type GitVariables = Readonly<Record<string, string>>

/** The settings for every such git. */
export const SWITCHES: readonly ConfigPair[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', devNull],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', 'none'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  // Files of a project can look like a repository.
  ['safe.bareRepository', 'explicit'],
  // git would run itself in a submodule, with the settings there.
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  // It runs the program that checks signatures.
  ['log.showSignature', 'false'],
  // A merge that is shown as a new merge runs the drivers of the repository.
  ['log.diffMerges', 'separate'],
]

/** No transport is allowed, so nothing is fetched, and nobody is asked for a password. git writes only what the command asks for. */
const VARIABLES: GitVariables = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
}

/** Variables that lead git to another repository, or to other files of it. */
export const REDIRECTING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_CONFIG',
] as const

/** Variables that select the user's own settings; any other one, such as a hook sets, would redirect our git. */
const KEPT = /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/

/** A setting without effect: git lists it if it is new enough (2.31) to take settings with any name from variables. */
export const COUNTED: ConfigPair = ['zotui.counted', 'true']

/**
 * The variables that set git's settings. `SWITCHES` are set as every git knows it since 2009; `more` may have names with any
 * character. Those that `env` has stay, and lose.
 */
function settingVariables(more: readonly ConfigPair[], env: NodeJS.ProcessEnv): GitVariables {
  const { GIT_CONFIG_PARAMETERS: before = '' } = env
  const switches = SWITCHES.map(([key, value]) => quoted(`${key}=${value}`)).join(' ')
  const counted = [...settingsOf(env), COUNTED, ...more]
  const pairs = counted.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    GIT_CONFIG_PARAMETERS: before.trim() === '' ? switches : `${before.trim()} ${switches}`,
    GIT_CONFIG_COUNT: String(counted.length),
    ...Object.fromEntries(pairs),
  }
}

/** The variables of a git of ours, for an environment without others of git. Messages are compared in English. */
function ownGitVariables(): GitVariables {
  return { LC_ALL: 'C', ...VARIABLES, ...settingVariables([], {}) }
}

/** The environment of a git of ours. `env` is one for programs of ours (`helperEnvironment`). */
export function ownGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.test(name))
  return { ...Object.fromEntries(others), ...ownGitVariables() }
}

/** The same for a shell on another machine, with more variables: lines without a newline at the end. */
export function ownGitLines(others: GitVariables = {}): string {
  const variables = exportLine({ ...ownGitVariables(), ...others })
  return `${unsetLine([...REDIRECTING, 'GIT_EXTERNAL_DIFF'])}\n${variables}`
}

/** The variables of a command of the agent that only reads. `env` is that of the agent: the user's own such settings stay. */
function readingVariables(settings: readonly ConfigPair[], env: NodeJS.ProcessEnv): GitVariables {
  return { ...VARIABLES, ...settingVariables(settings, env) }
}

/** The environment of such a command. */
export function readingEnvironment(settings: readonly ConfigPair[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const redirecting = new Set<string>(REDIRECTING)
  const others = Object.entries(env).filter(
    ([name]) => !redirecting.has(name) && !/^GIT_CONFIG_(?:KEY|VALUE)_/.test(name),
  )
  return { ...Object.fromEntries(others), ...readingVariables(settings, env) }
}

/** The line that stands before such a command in a shell, with its newline. */
export function readingLine(settings: readonly ConfigPair[], env: NodeJS.ProcessEnv): string {
  return `${unsetLine(REDIRECTING)}; ${exportLine(readingVariables(settings, env))}\n`
}

function unsetLine(names: readonly string[]): string {
  return `unset ${names.join(' ')}`
}

function exportLine(variables: GitVariables): string {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  return `export ${words.join(' ')}`
}

/** The settings that the user's own environment gives to git. One that git would refuse has none. */
function settingsOf(env: NodeJS.ProcessEnv): ConfigPair[] {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  if (!Number.isInteger(count) || count < 0 || count > 1000) return []
  return Array.from({ length: count }, (_, at) => at).flatMap(at => {
    const key = lookup(env, `GIT_CONFIG_KEY_${at}`)
    const value = lookup(env, `GIT_CONFIG_VALUE_${at}`)
    return key === undefined || value === undefined || OF_NETWORK.test(key) ? [] : [[key, value] as const]
  })
}

/** Settings for the network, which hold passwords and tokens. A git that only reads does not go there. */
const OF_NETWORK = /^(?:http|credential|url|remote|sendemail|imap)\./i
