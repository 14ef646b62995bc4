import type { PermissionMode } from '../../agent/permission.ts'

/** A note on the permission mode for an agent's model: it must know what it cannot do, and when that is over. */
export type ModeNote = {
  mode: PermissionMode | undefined
  /** The note for the next prompt; null if there is nothing new to tell. */
  next(): string | null
  /** The agent is a fresh one. */
  forget(): void
}

export function createModeNote(noteOf: (mode: PermissionMode) => string | undefined): ModeNote {
  let told: PermissionMode | undefined
  return {
    mode: undefined,
    next() {
      const { mode } = this
      if (mode === undefined || mode === told || !(isRestricted(mode) || isRestricted(told))) return null
      told = mode
      return noteOf(mode) ?? null
    },
    forget() {
      told = undefined
    },
  }
}

function isRestricted(mode: PermissionMode | undefined): boolean {
  return mode === 'plan' || mode === 'read'
}
