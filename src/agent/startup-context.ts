/** Files that an agent loads on its own: instructions, and skills that it loads on demand. */

/** One kind of these files, and whether the running agent reads that kind at all. */
export type SourceList<Item> = {
  items: readonly Item[]
  /** `unknown` if the agent does not report it and its version does not show it. */
  read: 'yes' | 'no' | 'unknown'
  /** A sentence that says why not, or why that is unknown; null for `yes`. */
  why: string | null
}

/** A file of instructions. It goes into every request. */
export type Instructions = {
  path: string
  /** Estimated; null if it could not be read. */
  tokens: number | null
  /** Why the agent ignores it, as the end of a sentence that begins with the file; null if it does not. */
  problem: string | null
}

/** Instructions that the agent loads on demand. Only the name and description go into every request. */
export type Skill = {
  name: string
  description: string
  path: string
  /** Its origin in a word or two: `project`, `global (claude)`. */
  from: string
  /** The folder that links of a project's skill must not lead out of. Null for the user's own skills. */
  within: string | null
  /** Estimated: tokens of its line in the list of skills, and tokens once it is loaded. */
  listedTokens: number
  loadedTokens: number
  /** Whether the agent loads it: `hidden` behind an earlier skill of the same name, or `broken`. */
  state: 'taken' | 'hidden' | 'broken'
  /** Why not, or what is odd about it, as the end of a sentence that begins with the skill; null for nothing. */
  note: string | null
}

/** Every list is in the order in which the agent reads it. */
export type StartupContext = {
  /** The file that replaces the agent's own system prompt; null if none does. */
  systemPrompt: Instructions | null
  /** Estimated tokens of the agent's own system prompt and tool descriptions. */
  ownTokens: number
  instructions: SourceList<Instructions>
  skills: SourceList<Skill>
  /** False if there was more than could be read in time. */
  isWhole: boolean
}
