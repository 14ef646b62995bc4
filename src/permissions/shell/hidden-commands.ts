/** Builtins of bash and other programs that run commands, or change what a name means, through their words. */
import type { CommandWord } from './line.ts'
import { lookup } from '../../text/lookup.ts'

/** The words with which they do. */
const running: Readonly<Record<string, RegExp>> = {
  alias: /=/,
  bind: /^/,
  compgen: /^-\w*[CFW]/,
  complete: /^-\w*[CFW]/,
  enable: /^-\w*f/,
  hash: /^-\w*p/,
  let: /^/,
  mapfile: /^-\w*C/,
  readarray: /^-\w*C/,
  rg: /^--(?:pre|hostname-bin)(?:=|$)/,
  sort: /^--co/,
  split: /^--f/,
  tar: /^(?:--(?:to-|checkpoint-|use-|info-|new-|rsh)|-[a-zA-Z]*[IF])/,
  ...Object.fromEntries(['declare', 'typeset', 'local', 'readonly', 'export'].map(name => [name, /^-\w*[in]/])),
}

/** Those that set or test the variable that a word names. bash evaluates an index, and so runs what is in it: `a[$(rm x)]`. */
const naming = new Set(
  'declare typeset local readonly export unset read printf test [ wait getopts mapfile readarray'.split(' '),
)
/** A name with an index that is not a plain number. */
const INDEXED = /^(?:-v)?[A-Za-z_]\w*\[(?!(?:\d+|[@*])\])/

/** Whether a command may run something that its words hide. */
export function hidesCommand(name: string, words: readonly CommandWord[]): boolean {
  const values = words.map(({ value, text }) => value ?? text)
  const runs = lookup(running, name)
  if (runs && values.some(value => runs.test(value))) return true
  const isPlain = /^(?:printf|test|\[)$/.test(name) && !values.some(value => /^-[vR]/.test(value))
  return naming.has(name) && !isPlain && values.some(value => INDEXED.test(value))
}
