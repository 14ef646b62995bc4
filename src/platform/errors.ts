/** What the person can put right: shown as one line and what to do, never with a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
  /** What to do about it; may be empty. */
  readonly hint: string
  /** 2 for a command line that cannot be understood, 1 for anything else. */
  readonly exitCode: 1 | 2

  constructor(message: string, hint = '', exitCode: 1 | 2 = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** What the person should know of their files and flags: a mistake in them, or a note on what holds as it stands. */
export type Remark = { text: string; isNote?: true | undefined }
