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
