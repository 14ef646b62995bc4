/** Commands that are read from files. Their text becomes a prompt; they do nothing else. */

export const answerUses = ['commit', 'findings'] as const

export type PromptCommand = {
  kind: 'prompt'
  /** Without the slash, in lower case. */
  name: string
  /** Other names, which also work where another command has its name. */
  aliases: readonly string[]
  /** The hint for its argument; null where there is none. It comes from a file and must be sanitised. */
  argument: string | null
  /** Its description in one line. It comes from a file, too. */
  help: string
  /** Its origin in one word, such as `project`. */
  from: string
  /** Why it cannot be used, as the end of a sentence that begins with its name. Null where it can. */
  problem: string | null
  /** It comes with zotui: any other command may have its name. */
  isShipped?: true
  /** Its file is one of the project, which anybody may have written. */
  isOfProject?: true
  /**
   * The use of the answer. `commit`: its last code block becomes the message of a `git commit` in the composer. `findings`: it is
   * asked for the findings of a review, which become comments on the lines that they name.
   */
  answer?: (typeof answerUses)[number]
  /** Reads the file and makes the prompt for an argument. Never throws. */
  prompt: (argument: string) => Promise<MadePrompt>
  /** The text of its file, without control characters; absent for a command without a file. Never throws. */
  source?: () => Promise<MadePrompt>
}

/** `reason` completes a sentence that begins with the command's name: `is not there`. */
type MadePrompt = { ok: true; text: string } | { ok: false; reason: string }

/** The current commands, in display order. A name belongs to the first command that has it. */
export type FoundCommands = {
  commands: readonly PromptCommand[]
  /** Problems that affect several commands, one sentence each. */
  notices: readonly string[]
}

/** Finds commands. Never throws. Called whenever the list may be shown. */
export type CommandSource = () => Promise<FoundCommands>
