import type { PermissionMode } from '../../agent/permission.ts'

/** A note for an agent's model about the permission mode: what it cannot do, and when that changes. */
export type ModeNote = {
  mode: PermissionMode | undefined
  /** The note for the next prompt; null if nothing has changed. */
  next(): string | null
  /** The agent is a fresh one. */
  forget(): void
}

export function createModeNote(noteOf: (mode: PermissionMode) => string | undefined): ModeNote {
  let noted: PermissionMode | undefined
  return {
    mode: undefined,
    next() {
      const { mode } = this
      if (mode === undefined || mode === noted || !(isRestricted(mode) || isRestricted(noted))) return null
      noted = mode
      return noteOf(mode) ?? null
    },
    forget() {
      noted = undefined
    },
  }
}

function isRestricted(mode: PermissionMode | undefined): boolean {
  return mode === 'plan' || mode === 'read'
}
