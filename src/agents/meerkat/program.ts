/** Finds `rkat-rpc`, and reads the words of `--agent 'meerkat ...'`. */
import { resolve } from 'node:path'
import { onlyInProject, searchProgram } from '../../platform/programs.ts'
import { splitWords } from '../../platform/shell/quoting.ts'
import type { MeerkatSessionFlags } from './options.ts'

export const MEERKAT = { name: 'meerkat', title: 'Meerkat', command: 'rkat-rpc' } as const
export const MEERKAT_INSTALL = 'install it with `cargo install meerkat-rpc`'
export const MEERKAT_HINT = `${MEERKAT_INSTALL}, or name it with ZOTUI_RKAT_RPC`

/** The program to start, and the settings of its sessions. */
export type MeerkatProgram = MeerkatWords & { file: string }

export type MeerkatWords = {
  /** Flags of the program itself. */
  args: readonly string[]
  model?: string
  provider?: string
  reasoning?: string
  flags: MeerkatSessionFlags
}

type Found<Value> = { ok: true; value: Value } | { ok: false; reason: string; hint: string }

/** Whether the words of `--agent` mean Meerkat. */
export function isMeerkat(words: string): boolean {
  return /^\s*meerkat(?:\s|$)/.test(words)
}

/** The flags of a session that are on or off. */
const SWITCHES: ReadonlyMap<string, keyof MeerkatSessionFlags> = new Map([
  ['--builtins', 'builtins'],
  ['--shell', 'shell'],
  ['--memory', 'memory'],
])
const TEXTS: ReadonlyMap<string, 'model' | 'provider' | 'reasoning'> = new Map([
  ['--model', 'model'],
  ['--provider', 'provider'],
  ['--reasoning', 'reasoning'],
])
const BUDGET: ReadonlyMap<string, 'tokens' | 'toolCalls'> = new Map([
  ['--max-tokens', 'tokens'],
  ['--max-tool-calls', 'toolCalls'],
])

/** Parses the words after the name. An unknown flag and what follows it go to the program. */
export function readMeerkatWords(words: string): Found<MeerkatWords> {
  const [, ...rest] = splitWords(words, process.platform === 'win32') ?? []
  if (rest.length === 0 && words.trim() !== MEERKAT.name)
    return { ok: false, reason: `the agent "${words}" is not a command`, hint: 'check its quotes' }
  const read: MeerkatWords & { args: string[] } = { args: [], flags: {} }
  for (let at = 0; at < rest.length; at += 1) {
    const [flag, attached] = parts(rest[at] ?? '')
    const toggle = SWITCHES.get(flag)
    const text = TEXTS.get(flag)
    const budget = BUDGET.get(flag)
    if (toggle !== undefined && attached === undefined) Object.assign(read.flags, { [toggle]: true })
    else if (text === undefined && budget === undefined) read.args.push(rest[at] ?? '')
    else {
      const value = attached ?? rest[(at += 1)] ?? ''
      const number = /^[1-9]\d*$/.test(value) ? Number(value) : null
      if (value === '' || (budget !== undefined && number === null))
        return { ok: false, reason: `${flag} of meerkat needs a ${text === undefined ? 'number' : 'name'}`, hint: '' }
      if (text !== undefined) read[text] = value
      if (budget !== undefined && number !== null) read.flags.budget = { ...read.flags.budget, [budget]: number }
    }
  }
  return { ok: true, value: read }
}

function parts(word: string): [flag: string, value?: string] {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  return value === undefined ? [flag] : [flag, value]
}

/** Finds the program: the configured one, or `rkat-rpc` in `PATH`. A configured one that is missing is not replaced by another. */
export function findMeerkat(configured: string | null, env: NodeJS.ProcessEnv, folder: string): Found<string> {
  const command = configured ?? MEERKAT.command
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'))
  const { path, ofProject } = searchProgram(isPath ? resolve(folder, command) : command, env, folder)
  if (path !== null) return { ok: true, value: path }
  const hint = ofProject === null ? MEERKAT_HINT : onlyInProject(ofProject)
  return { ok: false, reason: `${command} was not found`, hint }
}

/**
 * The arguments of the program. Sessions can be found again only in the same realm and state folder. A realm never changes the
 * type of its store, so each type has its own realm.
 */
export function meerkatArguments(
  args: readonly string[],
  { stateFolder, folder }: { stateFolder: string; folder: string },
): string[] {
  const at = args.findIndex(arg => parts(arg)[0] === '--realm-backend')
  const store = at < 0 ? undefined : (parts(args[at] ?? '')[1] ?? args[at + 1])
  const own: [string, string][] = [
    ['--realm', store === undefined || store === 'sqlite' ? 'zotui' : `zotui-${store}`],
    ['--state-root', stateFolder],
    ['--context-root', folder],
  ]
  const isSet = (flag: string): boolean => args.some(arg => parts(arg)[0] === flag)
  const isIsolated = isSet('--isolated')
  return [...own.filter(([flag]) => !isSet(flag) && !(isIsolated && flag === '--realm')).flat(), ...args]
}
