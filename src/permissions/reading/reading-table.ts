/** The commands that only read, with the options that are harmless. Any other command or option needs the user's answer. */
import { wordList, wordSet } from '../../text/word-list.ts'
import { onlyPrints } from '../shell/printf-format.ts'

export type ReadingCommand = {
  /**
   * Its short options, as getopt writes them: a colon for one with a value, two colons for one whose value is always in the same word.
   */
  short: string
  /** Its long options without the dashes; `=` for one with a value. */
  long?: readonly string[]
  /** The kind of its operands: paths; one word that is no path, and paths after it (`grep`); words that are no paths (`echo`); or none. */
  operands: 'paths' | 'word then paths' | 'words' | 'none'
  /** Whether it is one of git: its paths may be revisions such as `HEAD^`, and its options are the same on every system. */
  isGit?: true
  /** The highest number of operands: `uniq` writes to its second one. */
  most?: number
  /** Whether it prints only names and numbers, so that a glob is a harmless operand. */
  namesOnly?: true
  /** The form that each operand must have. */
  fits?: RegExp
  /** The form that the first operand must have. */
  firstFits?: RegExp
  /** The check of all operands together. */
  allFit?: (operands: readonly string[]) => boolean
  /** For git: whether it reads the content of objects, which a partial clone fetches. */
  readsContent?: true
  /**
   * The letters of the short options whose value is a text on every system. On some system the value of any other one may be a file, or more
   * options if it is in the same word: `-cf` can be `-c -f`.
   */
  textOptions?: string
  /** A variable that changes what it does, and the option that makes it ignore the variable. */
  configuredBy?: { variable: string; unlessOption?: string }
}

/**
 * The parts of a folder that a program reads if it is an operand. Each includes those before it.
 *
 * - `nothing`: it reads no folder, or only facts about it.
 * - `entries`: the names in it.
 * - `names`: the names in it and in all folders below; links are not followed.
 * - `contents`: the files in it and below, too; links are not followed.
 * - `linked`: the files behind links in it, too.
 */
export type ReadingReach = 'nothing' | 'entries' | 'names' | 'contents' | 'linked'

/** A row of the table of programs: the command, and how far it reads below a folder. */
export type ReadingProgram = ReadingCommand & {
  reach: ReadingReach
  /** The options that make it reach farther, and how far. */
  reachWith?: Readonly<Record<string, ReadingReach>>
  /** Other programs that it starts: `egrep` is a script that runs `grep`. */
  starts?: readonly string[]
  /** Whether it reads the current folder if no path is named. */
  readsHere?: true
}

/** Programs that run another one and do nothing else. `nohup` may write a file, and what `setsid` starts is not stopped with the rest. */
export const readingWrappers: ReadonlySet<string> = wordSet('command ionice nice stdbuf time timeout')

/** A program that reads the files that it names. For a folder it reports an error, or facts such as its size. */
const withPaths = (short: string, long: readonly string[] = []): ReadingProgram => ({
  short,
  long,
  operands: 'paths',
  reach: 'nothing',
})
/** A program that prints its words, or facts about the system. */
const withWords = (short: string): ReadingProgram => ({ short, operands: 'words', reach: 'nothing' })
const withoutOperands = (short: string): ReadingProgram => ({ short, operands: 'none', reach: 'nothing' })
/** A program whose first operand is a pattern or a script. */
const withPattern = (short: string, long: readonly string[]): ReadingProgram => ({
  short,
  long,
  operands: 'word then paths',
  reach: 'nothing',
})
/** Without -R, which follows links. */
const grep = (short: string): ReadingProgram => ({
  ...withPattern(short, GREP),
  reachWith: { '-r': 'contents', '--recursive': 'contents' },
  readsHere: true,
  configuredBy: { variable: 'GREP_OPTIONS' },
})

const GREP = wordList(
  `ignore-case invert-match word-regexp line-regexp count color color= colour colour= max-count= line-number
   with-filename no-filename only-matching files-with-matches files-without-match recursive include= exclude=
   exclude-dir= context= after-context= before-context= fixed-strings extended-regexp perl-regexp quiet silent
   no-messages text null`,
)

const RIPGREP = wordList(
  `ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count color= glob= count-matches
   line-number no-line-number with-filename no-filename only-matching type= type-not= files-with-matches
   files-without-match hidden no-ignore no-ignore-vcs max-count= max-depth= context= after-context=
   before-context= fixed-strings multiline heading no-heading json stats sort= sortr= pcre2 iglob= column trim
   vimgrep no-config null text unrestricted quiet`,
)

export const readingCommands: Readonly<Record<string, ReadingProgram>> = {
  basename: withWords('azs:'),
  cat: withPaths('AbeEnstTuv', wordList('number show-all squeeze-blank show-ends show-tabs number-nonblank')),
  cmp: withPaths('bls'),
  comm: withPaths('123z'),
  cut: {
    ...withPaths('b:c:d:f:sz', wordList('bytes= characters= delimiter= fields= output-delimiter= complement')),
    textOptions: 'bcdf',
  },
  date: { ...withWords('uIR'), long: wordList('utc iso-8601 iso-8601= rfc-3339='), fits: /^\+/ },
  df: { ...withPaths('aB:hHiklPT'), namesOnly: true },
  // It compares all files of two folders, also those behind links.
  diff: {
    ...withPaths('abBcdeiNpqstTuU:wyW:', wordList('brief unified unified= side-by-side color color=')),
    reach: 'linked',
  },
  dirname: withWords('z'),
  // Without -L, which follows links.
  du: {
    ...withPaths('abcd:hHkmsSx', wordList('max-depth= summarize human-readable all apparent-size')),
    namesOnly: true,
    reach: 'names',
    readsHere: true,
  },
  echo: withWords('neE'),
  egrep: { ...grep('abcEFhHilLm:noqrsvwxA:B:C:'), starts: ['grep'] },
  false: withoutOperands(''),
  fgrep: { ...grep('abcEFhHilLm:noqrsvwxA:B:C:'), starts: ['grep'] },
  // Without -C, which writes, -f, which reads names from a file, -p, which sets times, -s (devices) and -z, which runs programs. A glob
  // is no harmless operand: it can match a file that is named like one of these options.
  file: withPaths('bhikNr0', wordList('brief mime mime-type mime-encoding')),
  // Without -L and -follow, which follow links. Its other words are tests: see `findTests`.
  find: { ...withPaths(''), reach: 'names', readsHere: true },
  grep: grep('abcEFGhHiIlLm:noPqrsTvwxyZzA:B:C:'),
  head: { ...withPaths('n:c:qvz0123456789', wordList('lines= bytes= quiet verbose')), textOptions: 'nc' },
  hostname: withoutOperands(''),
  id: withWords('agGnruz'),
  // Without -L, which reports on the targets of links.
  ls: {
    ...withPaths(
      'aAbBcCdfFgGhHiI:klmnNopqQrRsStuUvw:xXZ1',
      wordList('all almost-all color color= human-readable recursive'),
    ),
    namesOnly: true,
    reach: 'entries',
    reachWith: { '-R': 'names', '--recursive': 'names' },
    readsHere: true,
  },
  nl: { ...withPaths('b:d:f:h:i:l:n:ps:v:w:'), textOptions: 'bdfhilnsvw' },
  printf: { ...withWords(''), allFit: onlyPrints },
  pwd: withoutOperands('LP'),
  readlink: { ...withPaths('efmnqsvz'), namesOnly: true },
  realpath: { ...withPaths('eLmPqsz'), namesOnly: true },
  // Without -L, which follows links, and without -e, after which all words are paths.
  rg: {
    ...withPattern('abcFhHiIlNm:noPpqsSt:T:uUvwxg:A:B:C:.0', RIPGREP),
    reach: 'contents',
    readsHere: true,
    textOptions: 'mtTgABC',
    configuredBy: { variable: 'RIPGREP_CONFIG_PATH', unlessOption: '--no-config' },
  },
  // Only scripts that print lines by their numbers: other commands of sed can write files and run programs.
  sed: { ...withPattern('nEr', ['quiet', 'silent', 'regexp-extended']), firstFits: /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/ },
  sleep: { ...withWords(''), fits: /^\d+(?:\.\d+)?$/ },
  // Without -o and -T, which write files, --compress-program, which runs a program, and --files0-from, which reads names from a file.
  sort: {
    ...withPaths('bcCdfghik:mMnrRst:uVz', wordList('key= field-separator= reverse unique numeric-sort version-sort')),
    textOptions: 'kt',
  },
  stat: { ...withPaths('c:fLt', ['format=', 'printf=', 'terse']), namesOnly: true, textOptions: 'c' },
  // `c` is not among the text options: some systems read `-cf` as `-c -f`, which follows the file and never ends.
  tail: { ...withPaths('n:c:qvz0123456789', wordList('lines= bytes= quiet verbose')), textOptions: 'n' },
  tr: withWords('cCdst'),
  // Without -l, which follows links, and -o and -R, which write. No value is in the same word: `-Lo 1` is `-L 1 -o`. A glob is no harmless
  // operand: it can match a file that is named like one of these options.
  tree: {
    ...withPaths('adfiL:psughDFI:P:JC', wordList('dirsfirst noreport gitignore prune')),
    reach: 'names',
    readsHere: true,
  },
  true: withoutOperands(''),
  type: withWords('afpPt'),
  uname: withoutOperands('amnoprsv'),
  uniq: { ...withPaths('cdDf:is:uw:z', wordList('count repeated unique ignore-case')), most: 1, textOptions: 'fsw' },
  wc: { ...withPaths('clLmw', wordList('bytes chars lines words')), namesOnly: true },
  which: withWords('a'),
  whoami: withoutOperands(''),
}

const DIFF = wordList(
  `stat stat= numstat shortstat name-only name-status cached staged color color= no-color word-diff word-diff=
   unified unified= patch no-patch summary diff-filter= find-renames no-ext-diff ignore-all-space ignore-space-change
   ignore-blank-lines minimal histogram patience no-renames no-textconv quiet exit-code compact-summary relative
   merge-base raw full-index check`,
)

const LOG = [
  ...DIFF,
  ...wordList(
    `oneline graph decorate decorate= all pretty pretty= format= max-count= since= until= after= before= author=
   committer= grep= follow merges no-merges first-parent reverse abbrev-commit date= branches tags remotes
   topo-order date-order left-right cherry-pick skip= abbrev abbrev=`,
  ),
]

/** git's subcommands. Their operands are revisions and paths, which git reads in the repository only. */
export const readingGit: Readonly<Record<string, ReadingCommand>> = {
  blame: { ...withPaths('bceflL:nswCM', ['date=', 'porcelain', 'line-porcelain']), readsContent: true },
  // An operand would create or move a branch.
  branch: { short: 'arv', long: wordList('all remotes list show-current verbose no-color'), operands: 'none' },
  // Without --dirty, for which git runs itself in submodules, with the settings there.
  describe: { short: '', long: wordList('tags always all long abbrev abbrev= match='), operands: 'paths' },
  diff: { ...withPaths('abpuU::wRsM', DIFF), readsContent: true },
  log: { ...withPaths('abpuU::wn:iEFGS:0123456789cmgtL:M', LOG), readsContent: true },
  'ls-files': {
    short: 'cdomsuzitvkf',
    long: wordList('others cached modified deleted exclude-standard stage'),
    operands: 'paths',
  },
  'ls-tree': { short: 'drtlz', long: wordList('name-only long full-name full-tree'), operands: 'paths' },
  'merge-base': { short: 'a', long: wordList('all is-ancestor fork-point octopus'), operands: 'paths' },
  remote: { short: 'v', operands: 'none' },
  'rev-list': { ...withPaths('n:0123456789', [...LOG, 'count']), readsContent: true },
  'rev-parse': {
    short: 'q',
    long: wordList('abbrev-ref abbrev-ref= short short= show-toplevel verify git-dir is-inside-work-tree show-prefix'),
    operands: 'paths',
  },
  shortlog: {
    short: 'nse',
    long: wordList('since= until= no-merges numbered summary email'),
    operands: 'paths',
  },
  show: { ...withPaths('pusqM', LOG), readsContent: true },
  status: {
    short: 'sbu::vz',
    long: wordList(
      'short branch porcelain porcelain= long verbose untracked-files untracked-files= ignored show-stash',
    ),
    operands: 'paths',
  },
  tag: { short: 'l', long: ['list'], operands: 'none' },
}

/** The tests of find with the number of their values, without its actions (-exec, -delete, -fprint). */
export const findTests: ReadonlyMap<string, number> = new Map([
  ...wordList(
    `-name -iname -path -ipath -wholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin
     -atime -amin -perm -user -group -links -inum -printf`,
  ).map(name => [name, 1] as const),
  ...wordList(
    `-empty -print -print0 -ls -prune -not -a -and -o -or -true -false -depth -xdev -mount -readable -writable -executable
     -quit -daystart -noleaf ! ( ) ,`,
  ).map(name => [name, 0] as const),
])
