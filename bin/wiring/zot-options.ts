/** What zot is started with: what the command line says of it, and the settings. */
import type { ZotOptions } from '../../src/agents/index.ts'
import type { ToolLimit } from '../../src/state/tool-limit.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { UserError } from '../../src/platform/errors.ts'
import type { Arguments } from '../cli/arguments.ts'

const HINT = '`zotui --help` shows what there is.'
/** Extensions bring tools of their own, which zot does not count among those listed. */
const READING = { tools: ['read', 'glob', 'skill'], noExt: true }

/** @throws UserError where `readOnly` cannot be kept to. */
export function zotOptions(
  { options }: Pick<Arguments, 'options'>,
  settings: Pick<SettingsStore, 'values' | 'sourceOf'>,
): ZotOptions {
  const { provider, model, reasoning, readOnly } = settings.values()
  const { kind, place } = settings.sourceOf('readOnly')
  const said = kind === 'flag' ? '--read-only' : `readOnly (${place})`
  const takenBack = kind === 'flag' ? '' : ', or say --no-read-only'
  if (readOnly && (options.tools !== undefined || options.noTools))
    throw new UserError(`${said} chooses the tools itself: leave out --tools and --no-tools${takenBack}.`, HINT, 2)
  if (readOnly && (options.extra ?? []).length > 0)
    throw new UserError(`${said} cannot answer for what follows \`--\`: leave it out${takenBack}.`, HINT, 2)
  return {
    provider: provider ?? undefined,
    model: model ?? undefined,
    reasoning: reasoning ?? undefined,
    ...options,
    ...(readOnly && READING),
  }
}

/** Why an agent that is started with these lacks tools; null where it has all of its own. */
export function toolLimitOf(
  { options }: Pick<Arguments, 'options'>,
  settings: Pick<SettingsStore, 'values'>,
): ToolLimit | null {
  if (settings.values().readOnly) return 'read-only'
  return options.tools !== undefined || options.noTools === true ? 'chosen' : null
}
