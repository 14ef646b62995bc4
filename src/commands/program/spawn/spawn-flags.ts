/** The flags at the beginning of /spawn's argument. */
import { lookup } from '../../../text/lookup.ts'

export type SpawnFlags = {
  /** The place to work in; null if the user has not named one. */
  place: 'worktree' | 'here' | null
  /** True if a separate process is to hold the conversation. */
  isBackground: boolean
  /** The machine to work on, as `--on` of the command line names it; '' if none follows the flag, null without it. */
  on: string | null
  /** The agent's name or command line; '' and null as for `on`. */
  agent: string | null
  /** The text after the flags. */
  prompt: string
}

const places: Readonly<Record<string, SpawnFlags['place']>> = { '--worktree': 'worktree', '--here': 'here' }

const BACKGROUND = '--background'

/** The flags with a value: a word, or a text in quotes. */
const VALUED: Readonly<Record<string, 'on' | 'agent'>> = { '--on': 'on', '--agent': 'agent' }
const VALUE = /^(?:'([^']*)'|"([^"]*)"|(\S+))(?=\s|$)/

/** Reads the flags; the last of two places counts. The prompt begins at the first other word, or after `--`. */
export function readSpawnFlags(argument: string): SpawnFlags {
  const flags: SpawnFlags = { place: null, isBackground: false, on: null, agent: null, prompt: '' }
  let rest = argument.trimStart()
  for (;;) {
    const [word = ''] = /^\S*/.exec(rest) ?? []
    const named = lookup(places, word)
    const valued = lookup(VALUED, word)
    if (!named && !valued && word !== BACKGROUND && word !== '--') return { ...flags, prompt: rest }
    rest = rest.slice(word.length).trimStart()
    if (word === '--') return { ...flags, prompt: rest }
    if (named) flags.place = named
    else if (word === BACKGROUND) flags.isBackground = true
    else if (valued) {
      const [whole = '', single, double, bare = ''] = VALUE.exec(rest) ?? []
      flags[valued] = single ?? double ?? bare
      rest = rest.slice(whole.length).trimStart()
    }
  }
}

/** The machine of `--on`: a name alone is a host of ssh. */
export const machineNamed = (on: string): string => (on.includes(':') ? on : `ssh:${on}`)
