/** Finds the commands whose own words run something, or change what a name means: `alias ls=rm`, `sort --compress-program=x`. */
import type { CommandWord } from './line.ts'
import { onlyPrints } from './printf-format.ts'
import { lookup } from '../../text/lookup.ts'
import { wordSet } from '../../text/word-list.ts'

/** Builtins and programs, and the words with which they do that. */
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

/** Builtins that take the name of a variable. The shell evaluates an index in it, and so runs what is in there: `a[$(rm x)]`. */
const naming = wordSet('declare typeset local readonly export unset read printf test [ wait getopts mapfile readarray')
/** A name with an index that is not a plain number. */
const INDEXED = /^(?:-v)?[A-Za-z_]\w*\[(?!(?:\d+|[@*])\])/

/** Whether a word of `test` compares texts or looks at files. Tests that compute (`-eq`) and those of variables are not among them. */
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
