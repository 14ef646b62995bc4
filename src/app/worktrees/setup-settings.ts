/** What the settings say about new worktrees: of the user, and of the project as it is in the folder that the user has trusted. Pure. */
import type { SettingsStore } from '../../config/settings.ts'
import type { SettingName } from '../../config/schema.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'

export type SetupSettings = {
  /** Patterns of files that are copied. */
  files: readonly string[]
  /** Runs once in the worktree; null for none. */
  command: string | null
  /** The settings that are not used because they are written in a branch of an agent. */
  ignored: readonly ('worktreeSetup' | 'worktreeFiles')[]
}

/** A setting that is not used because it is written in a branch of an agent. */
export type UnusedSetting = SetupSettings['ignored'][number] | 'raceCheck'

/** An agent may have written the settings that are in a worktree. */
export function setupFor(
  settings: Pick<SettingsStore, 'values' | 'sourceOf'>,
  worktreeAt: Worktrees['at'],
): SetupSettings {
  const ignored = (['worktreeSetup', 'worktreeFiles'] as const).filter(name => isOfBranch(settings, name, worktreeAt))
  const { worktreeSetup, worktreeFiles } = settings.values()
  return {
    files: ignored.includes('worktreeFiles') ? [] : worktreeFiles,
    command: ignored.includes('worktreeSetup') ? null : worktreeSetup,
    ignored,
  }
}

/** Why a setting is not used, in a sentence. */
export const notUsed = (name: UnusedSetting): string =>
  `${name} is not used: it is written in the worktree of an agent.`

/** Whether a setting is written in the worktree of an agent: what it names is not run. */
export function isOfBranch(
  settings: Pick<SettingsStore, 'sourceOf'>,
  name: SettingName,
  worktreeAt: Worktrees['at'],
): boolean {
  const { kind, folder } = settings.sourceOf(name)
  return kind === 'project' && folder !== null && worktreeAt(folder) !== null
}
