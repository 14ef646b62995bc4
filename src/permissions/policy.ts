/** The inputs of a decision. The caller reads the settings and the file system; this module does neither. */
import type { GitSetting, PermissionMode } from '../agent/permission.ts'
import type { Rule } from './rules/rule.ts'

export type Policy = {
  mode: PermissionMode
  /** The rules of the settings and of the folder, and the grants of this session, in any order. */
  rules: readonly Rule[]
  place: Place
  /** Where commands run in the sandbox: the rules, as allow rules, for those that ask to run outside of it. */
  outside?: readonly Rule[]
}

/** An entry of a folder; the kind of a link is not that of its target. */
export type FolderEntry = { name: string; kind: 'folder' | 'link' | 'other' }

/** The place where a call would run, and its machine. All paths are absolute. */
export type Place = {
  /** The folder of the session, with its links resolved. */
  folder: string
  /**
   * Folders beside it that the user has opened for this session, with their links resolved. Files there count as inside of the folder for the
   * tools of files and for the operands of reading commands; no command runs there as in the folder, and no git reads there.
   */
  more?: readonly string[]
  /** The user's home folder, with its links resolved. */
  home: string
  /** zotui's own folders (settings, state). A call that touches them always needs the user's answer. */
  own: readonly string[]
  /** The git worktree inside those folders in which the session works. Its files count as the project's. */
  worktree?: string | undefined
  /**
   * Resolves the links of an absolute path. If the path does not exist yet, its nearest existing folder is resolved. Must not
   * throw.
   */
  resolve: (path: string) => string
  /**
   * The entries of a folder, without `.` and `..`, in any order: none if it is no folder or cannot be read; null if there are more than
   * `most`. The path is absolute. Must not throw. Absent where that would take too long, as on another machine.
   */
  list?: (folder: string, most: number) => readonly FolderEntry[] | null
  /** Whether there is something at this path, even a link that leads nowhere. True where that is not known. Must not throw. */
  exists: (path: string) => boolean
  /**
   * Whether a file has more than one name (hard links), so that a write to it also changes a file in another place. Must not throw. Absent
   * where that is not known.
   */
  hasOtherNames?: (path: string) => boolean
  /** The words of git about the repository of a folder. Must not throw. */
  git: (folder: string) => RepositoryAnswer
  /**
   * The files of the repository of a folder; null if they are not known, or too many. Must not throw. Absent where git is not asked.
   */
  tracked?: (folder: string) => TrackedFiles | null
  /**
   * Whether a shell in the folder would find a program of this name in the project before any other, because PATH leads there. Must
   * not throw. Absent where PATH is not known.
   */
  isOfProject?: (name: string, folder: string) => boolean
  /**
   * Whether the program of this name is one file for many (busybox), whose `grep -r` follows links. Must not throw. Absent where that
   * is not known; then it is not.
   */
  isOneForMany?: (name: string) => boolean
  /**
   * Whether a command may run in a shell in which lines for reading were not tried: it may read them in its own way. Must not throw. Absent
   * where that is not known; then it does not.
   */
  isOtherShell?: () => boolean
  /** Whether the variable is set for the commands of the agent. Absent where that is not known. */
  isSet?: (variable: string) => boolean
}

/** The files that git tracks: those of the index and of the last commit. All paths are absolute. */
export type TrackedFiles = {
  /** The top of the working tree; null if there is no repository. */
  top: string | null
  files: readonly string[]
}

/** The meaning of a repository for a git command that only reads. */
export type RepositoryAnswer = {
  /** The reason why the command may do more than read the repository: a sentence without a full stop. Null for none. */
  reason: string | null
  /** Whether a command that reads the content of objects might fetch them. */
  isPartial: boolean
  /** The names in the user's own settings that may be programs, which git looks for in PATH. */
  programs: readonly string[]
  /** The settings that git needs so that this holds. */
  settings: readonly GitSetting[]
}
