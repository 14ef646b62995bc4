/** The flags at the beginning of /spawn's argument. */
import { lookup } from '../../../text/lookup.ts'

export type SpawnFlags = {
  /** The place to work in; null if the user has not named one. */
  place: 'worktree' | 'here' | null
  /** True if a separate process is to hold the conversation. */
  isBackground: boolean
  /** The text after the flags. */
  prompt: string
}

const places: Readonly<Record<string, SpawnFlags['place']>> = { '--worktree': 'worktree', '--here': 'here' }

const BACKGROUND = '--background'

/** Reads the flags; the last of two places counts. The prompt begins at the first other word, or after `--`. */
export function readSpawnFlags(argument: string): SpawnFlags {
  let rest = argument.trimStart()
  let place: SpawnFlags['place'] = null
  let isBackground = false
  for (;;) {
    const [word = ''] = /^\S*/.exec(rest) ?? []
    const named = lookup(places, word)
    if (named) place = named
    else if (word === BACKGROUND) isBackground = true
    else if (word !== '--') return { place, isBackground, prompt: rest }
    rest = rest.slice(word.length).trimStart()
    if (word === '--') return { place, isBackground, prompt: rest }
  }
}
