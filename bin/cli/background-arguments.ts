/** The command line of a conversation that continues in the background. */
import type { BackgroundStart } from '../../src/app/context/background.ts'
import { checkFlags } from './flag-reading.ts'
import { allFlags, forZot } from './flags.ts'

/** The flags, in addition to those for zot, that select the agent and limit what it may do. */
const kept: ReadonlySet<string> = new Set(
  '--agent --demo --max-cost --no-read-only --permission-tool --permissions --zot'.split(' '),
)
const OF_MODEL = ['--provider', '--model', '--reasoning']

/** Derives it from the command line of this zotui: keeps the limits, drops the prompt and the flags for the screen. */
export function backgroundArguments(argv: readonly string[], wish: Omit<BackgroundStart, 'prompt'>): string[] {
  const { folder, session, agent, mode, model } = wish
  const end = argv.indexOf('--')
  const checked = checkFlags(end < 0 ? argv : argv.slice(0, end), allFlags)
  const extra = end < 0 ? [] : argv.slice(end + 1)
  const isZot = agent === undefined || agent === 'zot'
  const dropped = new Set([
    ...(agent === undefined ? [] : ['--agent']),
    ...(mode === undefined ? [] : ['--permissions']),
    ...(model === undefined ? [] : OF_MODEL),
  ])
  const isKept = (name: string): boolean => !dropped.has(name) && (kept.has(name) || (isZot && forZot.has(name)))
  const given = checked.argv.flatMap(word => {
    const [, name = word, value] = /^(--[^=]+)="([^]*)"$/.exec(word) ?? []
    if (!word.startsWith('--') || !isKept(name)) return []
    return [value === undefined ? name : `${name}=${value}`]
  })
  const negative = checked.names.filter(name => name.startsWith('--no-') && isKept(name))
  // --read-only sets the mode itself, and excludes --permissions.
  const isReadOnly = checked.names.includes('--read-only') && isZot
  return [
    ...given,
    ...negative,
    ...(agent === undefined ? [] : [`--agent=${agent}`]),
    ...(mode === undefined || isReadOnly ? [] : [`--permissions=${mode}`]),
    ...modelFlags(model),
    `--cwd=${folder}`,
    ...(session === null ? [] : [`--resume=${session}`]),
    ...(isZot && extra.length > 0 ? ['--', ...extra] : []),
  ]
}

function modelFlags(model: BackgroundStart['model']): string[] {
  if (!model || model.provider === '' || model.model === '') return []
  const { provider, model: id, reasoning } = model
  const level = reasoning === null || reasoning === '' ? [] : [`--reasoning=${reasoning}`]
  return [`--provider=${provider}`, `--model=${id}`, ...level]
}
