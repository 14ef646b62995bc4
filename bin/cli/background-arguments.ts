/** The command line of a conversation that continues in the background. */
import type { StartOptions } from '../../src/agent/backend.ts'
import type { BackgroundStart } from '../../src/app/context/background.ts'
import { namesOf } from '../../src/text/lookup.ts'
import { checkFlags } from './flag-reading.ts'
import { allFlags, forZot } from './flags.ts'

/** The flags, in addition to those for zot, that select the agent and limit what it may do. */
const kept: ReadonlySet<string> = new Set(
  '--agent --demo --max-cost --no-read-only --permission-tool --permissions --sandbox --zot'.split(' '),
)
/** The flags that a start holds. */
const flagOf: Readonly<Record<keyof StartOptions, string>> = {
  provider: '--provider',
  model: '--model',
  baseUrl: '--base-url',
  apiKey: '--api-key',
  reasoning: '--reasoning',
}

/** Derives it from the command line of this zotui: keeps the limits, drops the prompt and the flags for the screen. */
export function backgroundArguments(argv: readonly string[], options: Omit<BackgroundStart, 'prompt'>): string[] {
  const { folder, session, agent, mode, start } = options
  const end = argv.indexOf('--')
  const checked = checkFlags(end < 0 ? argv : argv.slice(0, end), allFlags)
  const extra = end < 0 ? [] : argv.slice(end + 1)
  const isZot = agent === undefined || agent === 'zot'
  const dropped = new Set([
    ...(agent === undefined ? [] : ['--agent']),
    ...(mode === undefined ? [] : ['--permissions']),
    ...(start === undefined ? [] : Object.values(flagOf)),
  ])
  const isKept = (name: string): boolean => !dropped.has(name) && (kept.has(name) || (isZot && forZot.has(name)))
  const keptWords = checked.argv.flatMap(word => {
    const [, name = word, value] = /^(--[^=]+)="([^]*)"$/.exec(word) ?? []
    if (!word.startsWith('--') || !isKept(name)) return []
    return [value === undefined ? name : `${name}=${value}`]
  })
  const negative = checked.names.filter(name => name.startsWith('--no-') && isKept(name))
  // --read-only sets the mode itself, and excludes --permissions.
  const isReadOnly = checked.names.includes('--read-only') && isZot
  return [
    ...keptWords,
    ...negative,
    ...(agent === undefined ? [] : [`--agent=${agent}`]),
    ...(mode === undefined || isReadOnly ? [] : [`--permissions=${mode}`]),
    ...(isZot && start ? startFlags(start) : []),
    `--cwd=${folder}`,
    ...(session === null ? [] : [`--resume=${session}`]),
    ...(isZot && extra.length > 0 ? ['--', ...extra] : []),
  ]
}

/** The start of zot that such a command line names; '' for what it leaves to the settings, which are `own`. */
export function startOf(argv: readonly string[], own: StartOptions = {}): StartOptions {
  const all = backgroundArguments(argv, { folder: '', session: null, agent: 'zot' })
  // Further words are zot's own.
  const words = all.includes('--') ? all.slice(0, all.indexOf('--')) : all
  const valueOf = (name: keyof StartOptions): string => {
    const flag = `${flagOf[name]}=`
    return words.find(word => word.startsWith(flag))?.slice(flag.length) ?? own[name] ?? ''
  }
  return {
    provider: valueOf('provider'),
    model: valueOf('model'),
    baseUrl: valueOf('baseUrl'),
    apiKey: valueOf('apiKey'),
    reasoning: valueOf('reasoning'),
  }
}

function startFlags(start: StartOptions): string[] {
  return namesOf(flagOf).flatMap(name => ((start[name] ?? '') === '' ? [] : [`${flagOf[name]}=${start[name]}`]))
}
