/** Says what sh, bash and zsh read in the same way: words, expansions, and the variables that loops may set. */
import { wordSet } from '../../text/word-list.ts'

/** Names of loop variables that no shell and no program reads. zsh has special ones in lower case, such as `path`. */
const loopNames = wordSet(`
  arg base branch bin cmd commit component config dep dir dirs doc elem entry env ext f1 f2 field file filename files fn folder
  func idx index input item key lang lib line link log main mod name node num number out output package page part pattern pid
  pkg port project ref repo rev root rule script service sha size src step sub suffix sym tag target term test tool topic type
  url user val value var ver version word`)

/** Whether a loop may set this variable without an effect on what runs. */
export function isLoopName(name: string): boolean {
  return /^[a-z]$/.test(name) || loopNames.has(name)
}

type WordPart = { type: string; text: string }

/** Whether zsh takes more for an expansion than sh and bash: in `$x[PATH=0]` it sets PATH, for `$~x` it runs what a pattern says. */
export function zshReadsMore(parts: readonly WordPart[]): boolean {
  return parts.some(
    ({ type, text }, at) =>
      (type === 'SimpleExpansion' && parts[at + 1]?.text.startsWith('[')) ||
      (type === 'Literal' && /\$[~=^+[]/.test(text.replaceAll(/\\[^]/g, ''))),
  )
}

const QUOTED = /\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g

/** The part of a word that no quotes protect. */
export function unquoted(text: string): string {
  return text.replaceAll(QUOTED, '')
}

/** Bytes that bash takes for spaces on some systems, in the middle of a character such as `à`. */
const spaces = new Set([0x85, 0xa0])

/** Whether each shell makes the same of a word without expansions: `=ls` is a path in zsh, and a quoted `~` is not the home folder. */
export function sameInShells(text: string, value: string): boolean {
  if (text.startsWith('=')) return false
  if (/^~(?:\/|$)/.test(value) && !/^~(?:\/|$)/.test(text)) return false
  return !new TextEncoder().encode(unquoted(text)).some(byte => spaces.has(byte))
}

/** Whether zsh may take a path for a pattern, where its option `extendedglob` is set. */
export function mayBePattern(text: string): boolean {
  return /[\^#]|(?!^)~/.test(unquoted(text))
}
