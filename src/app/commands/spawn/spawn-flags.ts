/** The flags at the beginning of the argument of /spawn. */

export type SpawnFlags = {
  /** The place to work in; null where the user has not said. */
  place: 'worktree' | 'here' | null
  /** Whether a separate process holds it. */
  isHeld: boolean
  /** The text behind the flags. */
  prompt: string
}

const places = { '--worktree': 'worktree', '--here': 'here' } as const

const HELD = '--background'

/** Reads the flags; of two that differ, the last one counts. The prompt begins at an unknown flag, or after `--`. */
export function readSpawnFlags(argument: string): SpawnFlags {
  let rest = argument.trimStart()
  let place: SpawnFlags['place'] = null
  let isHeld = false
  for (;;) {
    const [word = ''] = /^\S*/.exec(rest) ?? []
    const isPlace = Object.hasOwn(places, word)
    if (isPlace) place = places[word as keyof typeof places]
    else if (word === HELD) isHeld = true
    else if (word !== '--') return { place, isHeld, prompt: rest }
    rest = rest.slice(word.length).trimStart()
    if (word === '--') return { place, isHeld, prompt: rest }
  }
}
