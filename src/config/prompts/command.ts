/** Commands that are made of files: what they say becomes a prompt, and nothing else happens. */

export type PromptCommand = {
  kind: 'prompt'
  /** Without the slash, in lower case. */
  name: string
  /** What it is called as well, also where another has its name. */
  aliases: readonly string[]
  /** What it says of its argument; null where it says nothing. From a file: nothing in it is safe to draw. */
  argument: string | null
  /** What it says of itself, in one line. From a file, too. */
  help: string
  /** Where it is from, in a word, such as `project`. */
  from: string
  /** Why it cannot be used, behind its name: `is not there`. Null where it can. */
  problem: string | null
  /** The prompt that it makes of an argument, as the file is now. Never throws. */
  prompt: (argument: string) => Promise<MadePrompt>
}

/** `reason` completes a sentence that begins with the command's name: `is not there`. */
export type MadePrompt = { ok: true; text: string } | { ok: false; reason: string }

/** What there is at the moment, in the order in which it is listed. A name belongs to the first that has it. */
export type FoundCommands = {
  commands: readonly PromptCommand[]
  /** What went wrong with more than one of them, a sentence each. */
  remarks: readonly string[]
}

/** Where commands are looked for. Never throws; called whenever somebody may want to see them. */
export type CommandSource = () => Promise<FoundCommands>
