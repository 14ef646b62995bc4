/** A program that runs a shell in a box of its own. */
export type CommandBox = {
  /** The absolute path. */
  file: string
  /** The arguments before those that are run in the box. */
  args: readonly string[]
  /** What it reads from file descriptors of its own, from 3 on. */
  inputs: readonly Uint8Array[]
  /** File descriptors of ours that must not reach it. Nothing can be read from them. */
  withheld: readonly number[]
  /** The whole environment of the program and of what runs in it. */
  env: NodeJS.ProcessEnv
}
