/** The path of the user's own settings. Commands that read no settings load this file and not the schema. */
import { join } from 'node:path'
import envPaths from 'env-paths'

/** The path of the user's own file. */
export function userSettingsPath(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'config.json')
}
