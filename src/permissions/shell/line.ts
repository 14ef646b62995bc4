/** A command line, taken apart. */

export type CommandWord = {
  /** As it is written, quotes included. */
  text: string
  /** The shell's reading of it; null if that is known only when it runs. */
  value: string | null
}

export type Redirection = {
  /** The file; null where it is none, as in `2>&1` or a here-document. */
  target: CommandWord | null
  writes: boolean
}

/** One program (or builtin) with its words. */
export type SimpleCommand = {
  text: string
  /** Variables that are set before it, as written: `PATH=/tmp`. Without words they are set for the rest of the line. */
  assignments: readonly string[]
  words: readonly CommandWord[]
  redirections: readonly Redirection[]
  /** The commands that its words make it run: `rm` of `xargs rm`. */
  inner: readonly SimpleCommand[]
  /** The number of words before the inner command's own. */
  innerFrom: number
  /** Whether it does nothing of its own: `timeout 5 npm test` is `npm test`. */
  isTransparent: boolean
}

export type CommandLine = {
  /** Every command that was found outside of another's words, in the order of the text, those in substitutions included. */
  commands: readonly SimpleCommand[]
  /** Why the line may do more than what was found, in words after "cannot be parsed:"; null where it does not. */
  unclear: string | null
}

/** A command and all that it runs in turn. */
export function withInner(command: SimpleCommand): readonly SimpleCommand[] {
  return [command, ...command.inner.flatMap(withInner)]
}
