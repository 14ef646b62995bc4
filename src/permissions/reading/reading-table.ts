/** The commands that only read, with the options that are harmless. Any other command or option needs the user's answer. */
import { onlyPrints } from '../shell/printf-format.ts'

export type ReadingCommand = {
  /** Its short options as getopt writes them: a colon for a value, two for one that is never the next word. */
  short: string
  /** Its long options; `=` for a value. */
  long?: readonly string[]
  /**
   * The kind of its operands: `paths`; one word that is no path, followed by paths (`grep`); `words` that are no paths (`echo`);
   * or none.
   */
  operands: 'paths' | 'word then paths' | 'words' | 'none'
  /** Whether it is one of git: its paths may be revisions such as `HEAD^`, and its options are the same on every system. */
  isGit?: true
  /** The highest number of operands: `uniq` writes to its second one. */
  most?: number
  /** Whether it prints only names and numbers, so that a glob is a harmless operand. */
  namesOnly?: true
  /** The form that each operand must have. */
  fits?: RegExp
  /** The form of the first word, if that is no path. */
  firstFits?: RegExp
  /** For git: whether it reads the content of objects, which a partial clone fetches. */
  readsContent?: true
  /** The check of all operands together. */
  allFit?: (operands: readonly string[]) => boolean
  /**
   * The short options that take a value on every system, which is no path. The value of another one may be a file where it takes none, or
   * more options where it is in the same word. tree takes a value always from the next word.
   */
  texts?: string
  /** A variable that changes what it does, and the option without which it does. */
  configuredBy?: { variable: string; without?: string }
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

/** A program of which it is known how far it reaches. */
export type ReadingProgram = ReadingCommand & {
  reach: ReadingReach
  /** The reach that some options give it. */
  reachWith?: Readonly<Record<string, ReadingReach>>
  /** The programs that it starts: it may be a script. */
  starts?: readonly string[]
  /** Whether it reads the current folder if no path is named. */
  readsHere?: true
}

/** Programs that run another one and do nothing else. `nohup` may write a file, and what `setsid` starts is not stopped with the rest. */
export const readingWrappers: ReadonlySet<string> = new Set('command ionice nice stdbuf time timeout'.split(' '))

/** Words, separated by spaces. */
const list = (words: string): string[] => words.split(/\s+/)

/** Reads the files that it names; for a folder it reports an error, or facts such as its size. */
const plain = (short: string, long: readonly string[] = []): ReadingProgram => ({
  short,
  long,
  operands: 'paths',
  reach: 'nothing',
})
/** Prints words, or facts about the system. */
const words = (short: string, long: readonly string[] = []): ReadingProgram => ({
  short,
  long,
  operands: 'words',
  reach: 'nothing',
})
const bare = (short: string): ReadingProgram => ({ short, operands: 'none', reach: 'nothing' })
const search = (short: string, long: readonly string[]): ReadingProgram => ({
  short,
  long,
  operands: 'word then paths',
  reach: 'nothing',
})
/** Without -R, which follows links. */
const grep = (short: string): ReadingProgram => ({
  ...search(short, GREP),
  reachWith: { '-r': 'contents', '--recursive': 'contents' },
  readsHere: true,
  configuredBy: { variable: 'GREP_OPTIONS' },
})

const GREP = list(
  `ignore-case invert-match word-regexp line-regexp count color color= colour colour= max-count= line-number
   with-filename no-filename only-matching files-with-matches files-without-match recursive include= exclude=
   exclude-dir= context= after-context= before-context= fixed-strings extended-regexp perl-regexp quiet silent
   no-messages text null`,
)

const RIPGREP = list(
  `ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count color= glob= count-matches
   line-number no-line-number with-filename no-filename only-matching type= type-not= files-with-matches
   files-without-match hidden no-ignore no-ignore-vcs max-count= max-depth= context= after-context=
   before-context= fixed-strings multiline heading no-heading json stats sort= sortr= pcre2 iglob= column trim
   vimgrep no-config null text unrestricted quiet`,
)

export const readingCommands: Readonly<Record<string, ReadingProgram>> = {
  basename: words('azs:'),
  cat: plain('AbeEnstTuv', list('number show-all squeeze-blank show-ends show-tabs number-nonblank')),
  cmp: plain('bls'),
  comm: plain('123z'),
  cut: {
    ...plain('b:c:d:f:sz', list('bytes= characters= delimiter= fields= output-delimiter= complement')),
    texts: 'bcdf',
  },
  date: { ...words('uIR', list('utc iso-8601 iso-8601= rfc-3339=')), fits: /^\+/ },
  df: { ...plain('aB:hHiklPT'), namesOnly: true },
  // In two folders it compares the files, and those behind links.
  diff: {
    ...plain('abBcdeiNpqstTuU:wyW:', list('brief unified unified= side-by-side color color=')),
    reach: 'linked',
  },
  dirname: words('z'),
  // Without -L, which follows links.
  du: {
    ...plain('abcd:hHkmsSx', list('max-depth= summarize human-readable all apparent-size')),
    namesOnly: true,
    reach: 'names',
    readsHere: true,
  },
  echo: words('neE'),
  egrep: { ...grep('abcEFhHilLm:noqrsvwxA:B:C:'), starts: ['grep'] },
  false: bare(''),
  fgrep: { ...grep('abcEFhHilLm:noqrsvwxA:B:C:'), starts: ['grep'] },
  // Without -C, which writes, -f, which reads names from a file, -p, which sets times, -s (devices) and -z, which runs programs. Nor
  // a glob: it can match a file that is named like one of them.
  file: plain('bhikNr0', list('brief mime mime-type mime-encoding')),
  // Without -L and -follow. Its other words are tests, which `findTests` has.
  find: { ...plain(''), reach: 'names', readsHere: true },
  grep: grep('abcEFGhHiIlLm:noPqrsTvwxyZzA:B:C:'),
  head: { ...plain('n:c:qvz0123456789', list('lines= bytes= quiet verbose')), texts: 'nc' },
  hostname: bare(''),
  id: words('agGnruz'),
  // Without -L, which tells about the targets of links.
  ls: {
    ...plain('aAbBcCdfFgGhHiI:klmnNopqQrRsStuUvw:xXZ1', list('all almost-all color color= human-readable recursive')),
    namesOnly: true,
    reach: 'entries',
    reachWith: { '-R': 'names', '--recursive': 'names' },
    readsHere: true,
  },
  nl: { ...plain('b:d:f:h:i:l:n:ps:v:w:'), texts: 'bdfhilnsvw' },
  printf: { ...words(''), allFit: onlyPrints },
  pwd: bare('LP'),
  readlink: { ...plain('efmnqsvz'), namesOnly: true },
  realpath: { ...plain('eLmPqsz'), namesOnly: true },
  // Without -L, which follows links, and without -e, after which all words are paths.
  rg: {
    ...search('abcFhHiIlNm:noPpqsSt:T:uUvwxg:A:B:C:.0', RIPGREP),
    reach: 'contents',
    readsHere: true,
    texts: 'mtTgABC',
    configuredBy: { variable: 'RIPGREP_CONFIG_PATH', without: '--no-config' },
  },
  // Its other commands can write files and run programs.
  sed: { ...search('nEr', ['quiet', 'silent', 'regexp-extended']), firstFits: /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/ },
  sleep: { ...words(''), fits: /^\d+(?:\.\d+)?$/ },
  // Without a file of its own (-o), a program (--compress-program) or a list of files.
  sort: {
    ...plain('bcCdfghik:mMnrRst:uVz', list('key= field-separator= reverse unique numeric-sort version-sort')),
    texts: 'kt',
  },
  stat: { ...plain('c:fLt', ['format=', 'printf=', 'terse']), namesOnly: true, texts: 'c' },
  // `-cf` is no value: it follows the file.
  tail: { ...plain('n:c:qvz0123456789', list('lines= bytes= quiet verbose')), texts: 'n' },
  tr: words('cCdst'),
  // Without -l, which follows links, and -o and -R, which write. Nor a glob: it can match a file that is named like one of them.
  tree: {
    ...plain('adfiL:psughDFI:P:JC', list('dirsfirst noreport gitignore prune')),
    reach: 'names',
    readsHere: true,
  },
  true: bare(''),
  type: words('afpPt'),
  uname: bare('amnoprsv'),
  uniq: { ...plain('cdDf:is:uw:z', list('count repeated unique ignore-case')), most: 1, texts: 'fsw' },
  wc: { ...plain('clLmw', list('bytes chars lines words')), namesOnly: true },
  which: words('a'),
  whoami: bare(''),
}

const DIFF = list(
  `stat stat= numstat shortstat name-only name-status cached staged color color= no-color word-diff word-diff=
   unified unified= patch no-patch summary diff-filter= find-renames no-ext-diff ignore-all-space ignore-space-change
   ignore-blank-lines minimal histogram patience no-renames no-textconv quiet exit-code compact-summary relative
   merge-base raw full-index check`,
)

const LOG = [
  ...DIFF,
  ...list(
    `oneline graph decorate decorate= all pretty pretty= format= max-count= since= until= after= before= author=
   committer= grep= follow merges no-merges first-parent reverse abbrev-commit date= branches tags remotes
   topo-order date-order left-right cherry-pick skip= abbrev abbrev=`,
  ),
]

/** git's subcommands. Their operands are revisions and paths, which git reads in the repository only. */
export const readingGit: Readonly<Record<string, ReadingCommand>> = {
  blame: { ...plain('bceflL:nswCM', ['date=', 'porcelain', 'line-porcelain']), readsContent: true },
  // An operand would create or move a branch.
  branch: { short: 'arv', long: list('all remotes list show-current verbose no-color'), operands: 'none' },
  // Without --dirty, for which git runs itself in submodules, with the settings there.
  describe: { short: '', long: list('tags always all long abbrev abbrev= match='), operands: 'paths' },
  diff: { ...plain('abpuU::wRsM', DIFF), readsContent: true },
  log: { ...plain('abpuU::wn:iEFGS:0123456789cmgtL:M', LOG), readsContent: true },
  'ls-files': {
    short: 'cdomsuzitvkf',
    long: list('others cached modified deleted exclude-standard stage'),
    operands: 'paths',
  },
  'ls-tree': { short: 'drtlz', long: list('name-only long full-name full-tree'), operands: 'paths' },
  'merge-base': { short: 'a', long: list('all is-ancestor fork-point octopus'), operands: 'paths' },
  remote: { short: 'v', operands: 'none' },
  'rev-list': { ...plain('n:0123456789', [...LOG, 'count']), readsContent: true },
  'rev-parse': {
    short: 'q',
    long: list('abbrev-ref abbrev-ref= short short= show-toplevel verify git-dir is-inside-work-tree show-prefix'),
    operands: 'paths',
  },
  shortlog: {
    short: 'nse',
    long: list('since= until= no-merges numbered summary email'),
    operands: 'paths',
  },
  show: { ...plain('pusqM', LOG), readsContent: true },
  status: {
    short: 'sbu::vz',
    long: list('short branch porcelain porcelain= long verbose untracked-files untracked-files= ignored show-stash'),
    operands: 'paths',
  },
  tag: { short: 'l', long: ['list'], operands: 'none' },
}

/** The tests of find with the number of their values, without its actions (-exec, -delete, -fprint). */
export const findTests: ReadonlyMap<string, number> = new Map([
  ...list(
    `-name -iname -path -ipath -wholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin
     -atime -amin -perm -user -group -links -inum -printf`,
  ).map(name => [name, 1] as const),
  ...list(
    `-empty -print -print0 -ls -prune -not -a -and -o -or -true -false -depth -xdev -mount -readable -writable -executable
     -quit -daystart -noleaf ! ( ) ,`,
  ).map(name => [name, 0] as const),
])
