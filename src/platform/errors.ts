/** An error that the user can fix. It is shown as one line and a hint, never with a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** Advice for the user; may be empty. */
  readonly hint: string
  /** 2 for a command line that cannot be understood, 1 for anything else. */
  readonly exitCode: 1 | 2

  constructor(message: string, hint = '', exitCode: 1 | 2 = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** A message about the user's files and flags: a mistake in them, or a note on how they take effect. */
export type UserNotice = { text: string; isNote?: true | undefined }

/** The system's code of an error, such as `EACCES`; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** A file of zotui is gone that was not loaded yet, because an update has replaced the files. */
export class ReplacedError extends Error {
  /** It is thrown by code that is loaded apart from the code that catches it, so the class says nothing. */
  readonly code = REPLACED

  constructor(cause: unknown) {
    super('A file of zotui is gone: it was updated while it ran.', { cause })
  }
}

const REPLACED = 'ZOTUI_REPLACED'

/** Whether a part of zotui could not be loaded because an update has replaced its files. */
export function isReplaced(error: unknown): boolean {
  return codeOf(error) === REPLACED
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stack of anything that was thrown, for the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Whether the error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}
