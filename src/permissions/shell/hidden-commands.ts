/** Builtins of bash and other programs that run commands, or change what a name means, through their words. */
import type { CommandWord } from './line.ts'
import { onlyPrints } from './printf-format.ts'
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

/** Those that set or test the variable that a word names, or compute with it. An index is evaluated, and what is in it runs: `a[$(rm x)]`. */
const naming = new Set(
  'declare typeset local readonly export unset read printf test [ wait getopts mapfile readarray'.split(' '),
)
/** A name with an index that is not a plain number. */
const INDEXED = /^(?:-v)?[A-Za-z_]\w*\[(?!(?:\d+|[@*])\])/

/** Without the tests that compute (`-eq`), and those of variables and descriptors. */
const isPlainTest = (value: string): boolean => !value.startsWith('-') || /^-[abcdefghknoprsuwxzLNOGS]$/.test(value)

/** Whether a command may run something that its words hide. */
export function hidesCommand(name: string, words: readonly CommandWord[]): boolean {
  const values = words.map(({ value, text }) => value ?? text)
  const runs = lookup(running, name)
  if (runs && values.some(value => runs.test(value))) return true
  const isPlain =
    name === 'printf'
      ? onlyPrints(values[0] === '--' ? values.slice(1) : values)
      : /^(?:test|\[)$/.test(name) && values.every(isPlainTest)
  return naming.has(name) && !isPlain && values.some(value => INDEXED.test(value))
}
