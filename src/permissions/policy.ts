/** The facts behind a decision. The caller has read the settings and knows the file system; nothing here does. */
import type { PermissionMode } from '../agent/permission.ts'
import type { Rule } from './rules/rule.ts'

export type Policy = {
  mode: PermissionMode
  /** The rules of the settings and of the folder, and the grants of this session, in any order. */
  rules: readonly Rule[]
  place: Place
}

/** The place where a call would run, and its machine. All paths are absolute. */
export type Place = {
  /** The folder of the session, with its links resolved. */
  folder: string
  /** The user's home folder, with its links resolved. */
  home: string
  /** zotui's own folders (settings, state), whose files are always asked. */
  own: readonly string[]
  /** The git worktree in them that the session works in: its files are the project's. */
  worktree?: string | undefined
  /**
   * Resolves the links of an absolute path, also of one that does not exist yet (then of its nearest folder that does).
   * Must not throw.
   */
  resolve: (path: string) => string
  /**
   * Why git might run a program of the folder even where it only looks, as its settings there say; null if it does not. Must not
   * throw.
   */
  gitPrograms?: (folder: string) => string | null
}
