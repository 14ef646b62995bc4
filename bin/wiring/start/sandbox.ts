/** The sandbox of a start: what the settings say of it, and where it keeps the caches of a project. */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { realPath } from '../../../src/platform/real-path.ts'
import type { SandboxOptions, SandboxRules } from '../../../src/sandbox/command-boxes.ts'

/** The settings are read again for each command. */
export function sandboxOptions(settings: Pick<SettingsStore, 'values'>): SandboxOptions {
  return {
    level: () => settings.values().sandbox,
    rules(folder): SandboxRules {
      const { sandbox, sandboxWrite, sandboxHosts, sandboxHide } = settings.values()
      const whole = (path: string): string => resolve(folder, path.replace(/^~(?=\/|$)/, homedir()))
      return { level: sandbox, write: sandboxWrite.map(whole), hosts: sandboxHosts, hide: sandboxHide.map(whole) }
    },
    cachesOf: folder => join(envPaths('zotui', { suffix: '' }).cache, 'sandbox', nameOf(realPath(folder))),
  }
}

/** Where the setting `sandbox` comes from, in words. */
export function sandboxSource(settings: Pick<SettingsStore, 'sourceOf'>): string {
  const { kind, place } = settings.sourceOf('sandbox')
  return kind === 'default' ? 'the default' : place
}

/** Of a project, by its folder. */
const nameOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 32)
