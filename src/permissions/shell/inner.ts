/** Commands that run the command in their arguments: `sudo rm`, `xargs rm`, `find -exec rm`, `sh -c 'rm'`. */
import type { CommandLine, CommandWord, SimpleCommand } from './line.ts'
import { gitInner } from './git-inner.ts'
import { shellOperands, shells } from './shell-operands.ts'
import { lookup } from '../../text/lookup.ts'
import { wordSet } from '../../text/word-list.ts'
import { onlyPrints } from './printf-format.ts'

export type Inner = Pick<SimpleCommand, 'inner' | 'innerFrom' | 'isTransparent'> & { unclear: string | null }

type Wrapper = {
  /** Its short options as getopt writes them: a colon for a value. */
  short?: string
  /** Its long options; `=` for a value. */
  long?: readonly string[]
  /** The operands before the command. */
  operands?: number
  /** Does nothing of its own. */
  isTransparent?: true
  /** Sets variables first: `env A=1 cmd`. */
  sets?: true
  /** Adds words that are not known. */
  adds?: true
}

/** Other options make the line unclear. */
const wrappers: Readonly<Record<string, Wrapper>> = {
  nohup: { isTransparent: true },
  setsid: { short: 'cfw', isTransparent: true },
  nice: { short: 'n:', long: ['adjustment='], isTransparent: true },
  ionice: { short: 'c:n:t', isTransparent: true },
  time: { short: 'p', isTransparent: true },
  timeout: {
    short: 'k:s:v',
    long: ['kill-after=', 'signal=', 'preserve-status', 'foreground', 'verbose'],
    operands: 1,
    isTransparent: true,
  },
  stdbuf: { short: 'i:o:e:', long: ['input=', 'output=', 'error='], isTransparent: true },
  command: { short: 'p', isTransparent: true },
  builtin: { isTransparent: true },
  exec: { short: 'cla:', isTransparent: true },
  busybox: { isTransparent: true },
  toybox: { isTransparent: true },
  eatmydata: {},
  chronic: { short: 'ev' },
  caffeinate: { short: 'disut:w:' },
  env: { short: 'i0u:', long: ['ignore-environment', 'null', 'unset='], sets: true },
  sudo: { short: 'AbEHnPSu:g:h:p:C:T:r:t:', long: ['user=', 'group=', 'non-interactive', 'preserve-env'], sets: true },
  doas: { short: 'nsu:' },
  xargs: {
    short: '0rtpxn:P:I:L:d:s:a:E:',
    long: ['null', 'no-run-if-empty', 'max-args=', 'max-procs=', 'delimiter=', 'verbose', 'arg-file='],
    adds: true,
  },
}

/** Programs that run others. No code here parses their words. */
const unparsed = wordSet(`
  su runuser pkexec gosu setpriv capsh chroot unshare nsenter bwrap firejail fakeroot systemd-run setarch taskset chrt numactl
  prlimit flock parallel watch entr coproc script unbuffer expect strace ltrace gdb valgrind perf hyperfine
  csh tcsh pwsh nu elvish xonsh`)

/** The loader of programs: `ld-linux.so.2 /bin/rm`. */
const LOADER = /^ld(?:-[\w-]+)?\.so/

const none: Inner = { inner: [], innerFrom: 0, isTransparent: false, unclear: null }
const unknown = (unclear: string): Inner => ({ ...none, unclear })

/** Finds the commands that a command runs. `parse` parses an argument that is itself a command line. */
export function innerOf(words: readonly CommandWord[], parse: (text: string) => CommandLine): Inner {
  const [first, ...rest] = words
  if (!first) return none
  if (first.value === null) return unknown(`the command's name, ${first.text.slice(0, 20)}, is known only when it runs`)
  // On macOS the programs of GNU begin with a g.
  const name = first.value.replace(/^.*\//, '').replace(/^g(?=(?:env|find|nice|nohup|stdbuf|time|timeout|xargs)$)/, '')
  // `env -` and `eval --` would hide the command behind an option.
  if (/^[-+]/.test(name)) return unknown(`${name} is not the name of a command`)
  if (shells.has(name)) return ofShell(name, words, parse)
  if (name === '.' || name === 'source') return isInput(rest[0]) ? unknown(`${name} runs what it reads`) : none
  if (name === 'trap') return ofTexts(rest.slice(0, 1), 1, parse)
  // A rule must name all words of eval, because together they are one text.
  if (name === 'eval') return ofTexts(rest, rest.length, parse)
  if (name === 'find' || name === 'fd' || name === 'fdfind') return ofFind(name, words, parse)
  if (unparsed.has(name) || LOADER.test(name)) return unknown(`${name} can run other commands`)
  if (hidesCommand(name, rest)) return unknown(`${name} can run other commands with these arguments`)
  if (name === 'git') return ofGit(words, parse)
  const wrapper = lookup(wrappers, name)
  // These two forms only describe a command.
  if (!wrapper || (name === 'command' && /^-[vV]+$/.test(rest[0]?.value ?? ''))) return none
  return ofWrapper(name, wrapper, words, parse)
}

function ofWrapper(name: string, wrapper: Wrapper, words: readonly CommandWord[], parse: Parse): Inner {
  const start = afterOptions(wrapper, words)
  if (start === null) return unknown(`the options of ${name} are not all known`)
  let at = start + (wrapper.operands ?? 0)
  const assignments: string[] = []
  for (; wrapper.sets && /^\w+=/.test(words[at]?.text ?? ''); at++) {
    if (mayBeSeveral(words[at])) return unknown(`the arguments of ${name} are known only when it runs`)
    assignments.push(words[at]?.text ?? '')
  }
  const own = words.slice(at)
  if (own.length === 0) return wrapper.adds ? unknown(`${name} runs what it reads`) : none
  const inserted = wrapper.adds ? replaceString(words.slice(1, start)) : null
  const all = wrapper.adds ? [...own.map(word => filled(word, inserted)), { text: '...', value: null }] : own
  return { ...ofWords(all, at, parse, assignments), isTransparent: wrapper.isTransparent === true }
}

type Parse = (text: string) => CommandLine

function ofWords(
  words: readonly CommandWord[],
  innerFrom: number,
  parse: Parse,
  assignments: readonly string[],
): Inner {
  const text = words.map(word => word.text).join(' ')
  const { unclear, ...own } = innerOf(words, parse)
  const inner = { text, assignments, words, redirections: [], isGroup: false, ...own }
  return { inner: [inner], innerFrom, isTransparent: false, unclear }
}

/** The text that xargs replaces: `{}` for `-I {}` and `-I{}`; null without this option. */
function replaceString(options: readonly CommandWord[]): string | null {
  const at = options.findIndex(({ value }) => /^-[a-zA-Z0-9]*I/.test(value ?? ''))
  const attached = options[at]?.value?.replace(/^[^I]*I/, '') ?? ''
  return at < 0 ? null : attached === '' ? (options[at + 1]?.value ?? '') : attached
}

/** Whether the shell may split the word: `$x`, but not `"$x"`. */
function mayBeSeveral(word: CommandWord | undefined): boolean {
  return word?.value === null && !/^(?:\w+=)?"[^"@*]*"$/.test(word.text)
}

/** The number of words up to the last option; null where one is not known. */
function afterOptions({ short = '', long = [] }: Wrapper, words: readonly CommandWord[]): number | null {
  let at = 1
  for (; at < words.length; at++) {
    const value = words[at]?.value
    if (value === undefined || value === null || !value.startsWith('-') || value === '-') break
    if (value === '--') return at + 1
    const takes = value.startsWith('--') ? longValue(value.slice(2), long) : shortValue(value.slice(1), short)
    if (takes === null) return null
    if (takes && mayBeSeveral(words[++at])) return null
  }
  return words[at]?.value === null ? null : at
}

/** Whether the next word is the option's value; null for an unknown option. */
function longValue(option: string, long: readonly string[]): boolean | null {
  const [name = ''] = option.split('=')
  if (long.includes(name)) return option === name ? false : null
  return long.includes(`${name}=`) ? !option.includes('=') : null
}

function shortValue(letters: string, short: string): boolean | null {
  // `nice -10`
  if (/^\d+$/.test(letters) && short.includes('n:')) return false
  for (const [index, letter] of letters.split('').entries()) {
    const known = letter === ':' ? -1 : short.indexOf(letter)
    if (known < 0) return null
    if (short[known + 1] === ':') return index === letters.length - 1
  }
  return false
}

function ofGit(words: readonly CommandWord[], parse: Parse): Inner {
  const found = gitInner(words)
  if (found === 'unknown') return unknown('git can run other commands with these options')
  if (!found) return none
  const { at, isText } = found
  return isText ? ofTexts(words.slice(at, at + 1), at, parse) : ofWords(words.slice(at), at, parse, [])
}

function ofShell(name: string, words: readonly CommandWord[], parse: Parse): Inner {
  const { at, runsText, isKnown } = shellOperands(words)
  if (!isKnown) return unknown(`the options of ${name} are not all known`)
  if (runsText) return ofTexts(words.slice(at, at + 1), at, parse)
  const options = words.slice(1, at)
  if (options.some(({ value }) => value === '--version' || value === '--help')) return none
  if (isInput(words[at]) || options.some(({ value }) => /^-\w*s/.test(value ?? '')))
    return unknown(`${name} runs what it reads`)
  // It runs a file. No list here covers what that contains.
  return words.some(({ value }) => value === null)
    ? unknown(`the arguments of ${name} are known only when it runs`)
    : none
}

/** Whether a shell that gets this word runs its own input, or another text that is in no file. */
function isInput(word: CommandWord | undefined): boolean {
  return !word || word.text.startsWith('<(') || /^\/(?:dev\/(?:stdin|fd\/)|proc\/)/.test(word.value ?? '')
}

function ofTexts(words: readonly CommandWord[], innerFrom: number, parse: Parse): Inner {
  if (words.some(({ value }) => value === null)) return unknown('it runs text that is known only at run time')
  const { commands, unclear } = parse(words.map(({ value }) => value ?? '').join(' '))
  return { inner: commands, innerFrom, isTransparent: false, unclear }
}

const RUNS = /^(?:-(?:exec|ok)(?:dir)?|-x|-X|--exec|--exec-batch)$/

/** fd takes the command in the same word, too. */
const ATTACHED = /^(?:--exec\S*=|-[HIusigFalLp01qhV]+[xX]|-[xX].)/

function ofFind(name: string, words: readonly CommandWord[], parse: Parse): Inner {
  if (words.some(({ value }) => value === null)) return unknown('the arguments of a search are known only when it runs')
  if (name !== 'find' && words.some(({ value }) => ATTACHED.test(value ?? '')))
    return unknown('it runs a command for each file')
  const starts = words.flatMap(({ value }, at) => (value !== null && RUNS.test(value) ? [at + 1] : []))
  const found = starts.map(start => {
    const end = words.findIndex(({ value }, at) => at >= start && (value === ';' || isPlus(words, at)))
    const own = words.slice(start, end < 0 ? undefined : end)
    return ofWords(
      own.map(word => filled(word, '{')),
      start,
      parse,
      [],
    )
  })
  const unclear = found.find(each => each.unclear !== null)?.unclear ?? null
  return { inner: found.flatMap(each => each.inner), innerFrom: starts.at(-1) ?? 0, isTransparent: false, unclear }
}

/** `+` ends the command only after `{}`. */
const isPlus = (words: readonly CommandWord[], at: number): boolean =>
  words[at]?.value === '+' && words[at - 1]?.value === '{}'

/** A word in which something is inserted in place of `inserted`. */
function filled(word: CommandWord, inserted: string | null): CommandWord {
  return inserted !== null && word.value?.includes(inserted) ? { text: word.text, value: null } : word
}

/** Builtins and programs, and the words with which they do that. */
const commandsInWords: Readonly<Record<string, RegExp>> = {
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
const variableNaming = wordSet(
  'declare typeset local readonly export unset read printf test [ wait getopts mapfile readarray',
)
/** A name with an index that is not a plain number. */
const INDEXED = /^(?:-v)?[A-Za-z_]\w*\[(?!(?:\d+|[@*])\])/

/** Whether a word of `test` compares texts or looks at files. Tests that compute (`-eq`) and those of variables are not among them. */
const isPlainTest = (value: string): boolean => !value.startsWith('-') || /^-[abcdefghknoprsuwxzLNOGS]$/.test(value)

/** Whether the words of a command run something, or change what a name means: `alias ls=rm`, `sort --compress-program=x`. */
function hidesCommand(name: string, words: readonly CommandWord[]): boolean {
  const values = words.map(({ value, text }) => value ?? text)
  const runs = lookup(commandsInWords, name)
  if (runs && values.some(value => runs.test(value))) return true
  const isPlain =
    name === 'printf'
      ? onlyPrints(values[0] === '--' ? values.slice(1) : values)
      : /^(?:test|\[)$/.test(name) && values.every(isPlainTest)
  return variableNaming.has(name) && !isPlain && values.some(value => INDEXED.test(value))
}
