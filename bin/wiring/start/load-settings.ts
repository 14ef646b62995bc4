/** Loads the settings for a folder, before there is an agent. */
import { homedir } from 'node:os'
import process from 'node:process'
import { loadSettings, type LoadOptions, type SettingsStore } from '../../../src/config/settings.ts'
import type { UserNotice } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { folderLabel, projectFolder } from '../../../src/platform/project.ts'

/** The settings for a folder, and notices about them. Null for a folder of another machine, whose settings are not read. */
export function loadSettingsFor(
  folder: string | null,
  flags: LoadOptions['flags'],
): Promise<{ settings: SettingsStore; notices: UserNotice[] }> {
  return loadSettings({
    projectFolder: folder === null ? null : projectFolder(folder),
    stateFolder: statePath(),
    env: process.env,
    flags,
    label: path => folderLabel(path, homedir()),
    home: homedir(),
  })
}

/** The path of zot that a flag, a variable or a settings file names. */
export function configuredZotPath(settings: Pick<SettingsStore, 'pathOf'>): string | undefined {
  return settings.pathOf('zot') ?? undefined
}
