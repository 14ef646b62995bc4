/** The options that zot is started with, from the command line and the settings. */
import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'
import type { ToolLimit } from '../../../../src/state/state.ts'
import type { SettingsStore } from '../../../../src/config/settings.ts'
import { UserError } from '../../../../src/platform/errors.ts'
import type { Arguments } from '../../../cli/argument-types.ts'

const HINT = '`zotui --help` lists all flags.'
/** Extensions are off, since zot's `--tools` does not limit the tools that they add. */
export const READING = { tools: ['read', 'glob', 'skill'], noExt: true }

/** @throws UserError if other flags contradict `readOnly`. */
export function zotOptions(
  { options }: Pick<Arguments, 'options'>,
  settings: Pick<SettingsStore, 'values' | 'sourceOf'>,
): ZotOptions {
  const { provider, model, reasoning, readOnly } = settings.values()
  const { kind, place } = settings.sourceOf('readOnly')
  const said = kind === 'flag' ? '--read-only' : `readOnly (${place})`
  const takenBack = kind === 'flag' ? '' : ', or use --no-read-only'
  if (readOnly && (options.tools !== undefined || options.noTools))
    throw new UserError(`${said} cannot be combined with --tools or --no-tools${takenBack}.`, HINT, 2)
  if (readOnly && (options.extra ?? []).length > 0)
    throw new UserError(`${said} cannot be combined with arguments after \`--\`${takenBack}.`, HINT, 2)
  return {
    provider: provider ?? undefined,
    model: model ?? undefined,
    reasoning: reasoning ?? undefined,
    ...options,
    ...(readOnly && READING),
  }
}

/** Why an agent with these options lacks tools; null if it has all of them. */
export function toolLimitOf(
  { options }: Pick<Arguments, 'options'>,
  settings: Pick<SettingsStore, 'values'>,
): ToolLimit | null {
  if (settings.values().readOnly) return 'read-only'
  return options.tools !== undefined || options.noTools === true ? 'chosen' : null
}
