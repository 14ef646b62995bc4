/** The permission mode that a session starts with. Pure. */
import { isStricter, type PermissionMode } from '../../agent/permission.ts'
import type { SettingsStore } from '../settings.ts'

export type StartingMode = {
  mode: PermissionMode
  /** Whether the user chose it. Otherwise the first start in a folder asks. */
  isChosen: boolean
  /** Whether they did so for this start, with a flag or a variable. */
  isNow?: boolean
}

/**
 * A flag and a variable come first, then what was chosen for the folder, then the settings files. A project can make the choice
 * stricter; whether it may loosen the user's setting was decided with its trust.
 */
export function startingMode(
  settings: Pick<SettingsStore, 'values' | 'sourceOf'>,
  remembered: PermissionMode | null,
): StartingMode {
  const { permissions, readOnly } = settings.values()
  const source = settings.sourceOf('permissions')
  const isNow = source.kind === 'flag' || source.kind === 'environment'
  const reading = settings.sourceOf('readOnly')
  if (readOnly && (!isNow || reading.kind === 'flag')) return { mode: 'read', isChosen: true }
  if (isNow) return { mode: permissions, isChosen: true, isNow }
  const isProject = source.kind === 'project' && (remembered === null || isStricter(permissions, remembered))
  if (remembered !== null && !isProject) return { mode: remembered, isChosen: true }
  return { mode: permissions, isChosen: source.kind === 'user' || remembered !== null }
}
