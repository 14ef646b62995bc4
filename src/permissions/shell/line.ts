/** The types of a parsed command line: its commands, their words and their redirections. */

export type CommandWord = {
  /** The raw text, with quotes. */
  text: string
  /** The value after the shell's expansion; null if it is known only when the line runs. */
  value: string | null
}

export type Redirection = {
  /** The file; null if there is none, as in `2>&1` or a here-document. */
  target: CommandWord | null
  writes: boolean
  /** The descriptor that is copied or closed: `1` for `2>&1`; null for a file. */
  descriptor: string | null
}

/** One program (or builtin) with its words. */
export type SimpleCommand = {
  text: string
  /** Variables that are set before it, as written: `PATH=/tmp`. Without words they are set for the rest of the line. */
  assignments: readonly string[]
  words: readonly CommandWord[]
  redirections: readonly Redirection[]
  /** The commands that it runs: `rm` for `xargs rm`. */
  inner: readonly SimpleCommand[]
  /** The number of words before the inner command's own. */
  innerFrom: number
  /** Whether it does nothing but run the inner command: `timeout 5 npm test` is `npm test`. */
  isTransparent: boolean
  /** Whether it is no command but the redirections of a whole loop or subshell. */
  isGroup: boolean
}

export type CommandLine = {
  /** Every command that is not an argument of another one, in the order of the text, with those in substitutions. */
  commands: readonly SimpleCommand[]
  /** The reason why the line may do more than `commands` shows, which completes "cannot be parsed: ..."; null if it cannot. */
  unclear: string | null
}

/** A command and all commands that it runs. */
export function withInner(command: SimpleCommand): readonly SimpleCommand[] {
  return [command, ...command.inner.flatMap(withInner)]
}

/** Whether it changes the folder of the commands after it. */
export function isMove({ words }: SimpleCommand): boolean {
  return /^(?:cd|pushd|popd)$/.test(words[0]?.value ?? '')
}
