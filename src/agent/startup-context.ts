/** What an agent reads by itself of the files here: instructions, and skills that it loads when it needs them. */

/** One kind of these files, and whether the agent that runs reads that kind at all. */
export type SourceList<Item> = {
  items: readonly Item[]
  /** `unknown` where the agent does not tell, and its age does not say it either. */
  read: 'yes' | 'no' | 'unknown'
  /** Why it does not, or what is not known, as a sentence; null where it does. */
  why: string | null
}

/** A file of instructions, which goes into every request. */
export type Instructions = {
  path: string
  /** Estimated; null where it could not be read. */
  tokens: number | null
  /** Why the agent takes nothing from it, as the end of a sentence that begins with the file; null where it does. */
  problem: string | null
}

/** Instructions that the agent loads on demand; of each only its name and description go into every request. */
export type Skill = {
  name: string
  description: string
  path: string
  /** Where it is from, in a word or two: `project`, `global (claude)`. */
  from: string
  /** Of one that the project brings along: the folder that links in it must not lead out of. Null for the person's own. */
  within: string | null
  /** Estimated: what its line in the list of skills takes, and what it takes once it is loaded. */
  listedTokens: number
  loadedTokens: number
  /** Whether the agent takes it up: not where another one of its name goes before, or something is wrong with it. */
  state: 'taken' | 'hidden' | 'broken'
  /** Why it does not, or what is odd about it, as the end of a sentence that begins with the skill; null for nothing. */
  note: string | null
}

/** Each in the order in which the agent goes through them. */
export type StartupContext = {
  /** What stands in the place of the agent's own system prompt; null for its own. */
  systemPrompt: Instructions | null
  /** Estimated: what its own system prompt and the descriptions of its tools take. */
  ownTokens: number
  instructions: SourceList<Instructions>
  skills: SourceList<Skill>
  /** False where there was more than could be looked at in the time given. */
  isWhole: boolean
}
