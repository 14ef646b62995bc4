/** Finds dangerous patterns in a call. These are hints only: a call without one can still be unsafe. */
import type { ToolRequest } from '../agent/permission.ts'
import { pathOf } from './rules/call-paths.ts'
import { lineOf } from './decide-command.ts'
import { isOpenTo } from './paths.ts'
import type { Place } from './policy.ts'
import { protection } from './protected.ts'
import { withInner, type SimpleCommand } from './shell/line.ts'
import { wordSet } from '../text/word-list.ts'

/** Commands with more characters or lines than this are too long for a person to check. */
const LONG = 2000
const MOST_LINES = 60
/** Characters of a command that a danger names. */
const SHOWN = 100
const MOST_PROGRAMS = 10

/**
 * One phrase for each danger, without a full stop, the gravest first: `deletes folders (rm -r)`. It names the command unless that is
 * all there is to read: `deletes folders (rm -r): rm -r a`. Unsanitised.
 */
export function dangersOf(request: ToolRequest, place: Place): readonly string[] {
  const text = request.command ?? ''
  const { commands, unclear } = lineOf(request)
  const all = commands.flatMap(withInner)
  const found = [
    ...shapes.flatMap(([words, fits]) =>
      namedOf(
        words,
        all.filter(command => fits(plainOf(command), command)),
        text,
      ),
    ),
    ...all.flatMap(command => writesOf(command, request.folder, place)),
    ...(request.kind === 'edit' ? (request.paths ?? []) : []).flatMap(path => writeOf(path, place.folder, place)),
    ...(runsDownload(text) ? ['runs what it downloads (curl | sh)'] : []),
    ...(secret.test(text) ? ['seems to contain a secret'] : []),
    ...(hidden.test(text + (request.diff ?? '')) ? ['has hidden characters, or characters that reverse the text'] : []),
    ...(isLong(text) ? [`is very long: read it to the end${programsOf(all)}`] : []),
    ...(request.kind === 'command' && unclear !== null ? [`cannot be parsed: ${unclear}`] : []),
  ]
  return [...new Set(found)]
}

function isLong(text: string): boolean {
  const lines = text.split('\n')
  return text.length > LONG || lines.length > MOST_LINES || lines.some(line => line.length > LONG / 4)
}

/** The programs of a long line, so that none is only found by scrolling; '' if none is known. */
function programsOf(commands: readonly SimpleCommand[]): string {
  const names = [...new Set(commands.flatMap(command => plainOf(command).slice(0, 1)))].filter(name => name !== '')
  const shown = names.slice(0, MOST_PROGRAMS).map(name => name.slice(0, SHOWN))
  const rest = names.length - shown.length
  return names.length === 0 ? '' : `; it runs ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A danger of these commands, with the first of them. */
function namedOf(words: string, [first, ...others]: readonly SimpleCommand[], line: string): string[] {
  if (!first) return []
  if (first.text === line.trim()) return [words]
  const text = first.text.length > SHOWN ? `${first.text.slice(0, SHOWN)}...` : first.text
  return [`${words}: ${text}${others.length === 0 ? '' : ` (and ${others.length} more)`}`]
}

/** The words of a command, with the program's name instead of its path; '' for words whose value is unknown. */
function plainOf({ words }: SimpleCommand): readonly string[] {
  return words.map(({ value }, at) => (at === 0 ? (value ?? '').replace(/^.*\//, '') : (value ?? '')))
}

type Shape = (words: readonly string[], command: SimpleCommand) => boolean

const hasShort = (words: readonly string[], letters: RegExp): boolean =>
  words.some(word => /^-[^-]/.test(word) && letters.test(word))
const isGit = (words: readonly string[], name: string): boolean => words[0] === 'git' && words.includes(name)

const shapes: readonly (readonly [string, Shape])[] = [
  [
    'writes to a disk or device (dd, mkfs)',
    ([name = '', ...rest]) =>
      /^mkfs|^(?:fdisk|parted|wipefs|shred)$/.test(name) ||
      (name === 'dd' && rest.some(word => word.startsWith('of=/dev/'))),
  ],
  ['deletes folders (rm -r)', words => words[0] === 'rm' && (hasShort(words, /[rR]/) || words.includes('--recursive'))],
  ['deletes files (find -delete)', words => words[0] === 'find' && words.includes('-delete')],
  ['runs as another user (sudo)', ([name = '']) => /^(?:sudo|doas|su|pkexec|runuser)$/.test(name)],
  [
    'overwrites the history of others (force push)',
    words =>
      isGit(words, 'push') &&
      (hasShort(words, /f/) || words.some(word => /^--force|^--mirror|^--delete|^\+/.test(word))),
  ],
  ['discards changes (git reset --hard)', words => isGit(words, 'reset') && words.includes('--hard')],
  [
    'discards changes (git clean, git checkout)',
    words =>
      (isGit(words, 'clean') && hasShort(words, /f/)) ||
      ((isGit(words, 'checkout') || isGit(words, 'restore')) &&
        words.some(word => word === '.' || word === '--' || word === '-f' || word === '--force')),
  ],
  [
    'deletes branches or stashed changes',
    words =>
      (isGit(words, 'branch') && hasShort(words, /D/)) ||
      (isGit(words, 'stash') && /^(?:drop|clear)$/.test(words[2] ?? '')),
  ],
  [
    'gives everyone access to files (chmod 777)',
    words => words[0] === 'chmod' && words.some(word => /^0?777$|^(?:a|o|ugo)?[+=]rwx/.test(word)),
  ],
  [
    'changes permissions or owners of whole folders',
    words => /^(?:chmod|chown|chgrp)$/.test(words[0] ?? '') && (hasShort(words, /R/) || words.includes('--recursive')),
  ],
  ['ends processes by name', ([name = '']) => name === 'pkill' || name === 'killall'],
  [
    'publishes a package',
    words =>
      /^(?:npm|pnpm|yarn|cargo|gem|twine|poetry|uv)$/.test(words[0] ?? '') &&
      words.some(word => word === 'publish' || word === 'upload'),
  ],
  [
    'changes which program or library runs',
    (_words, { assignments }) =>
      assignments.some(text =>
        /^(?:PATH|LD_\w+|DYLD_\w+|BASH_ENV|ENV|IFS|NODE_OPTIONS|PYTHONPATH|PERL5LIB|GIT_\w+|EDITOR|PAGER)=/.test(text),
      ),
  ],
  [
    'runs code from its arguments',
    words =>
      /^(?:python3?|node|perl|ruby|php|osascript)$/.test(words[0] ?? '') &&
      words.some(word => /^-[a-zA-Z]*[ce]$|^--eval/.test(word)),
  ],
  ['changes what runs later (crontab, at)', ([name = '']) => /^(?:crontab|at|batch|launchctl|systemctl)$/.test(name)],
]

/** Whether it runs what it downloads: `curl x | sh`, `sh -c "$(curl x)"`. Each part is looked at once. */
function runsDownload(text: string): boolean {
  const pipes = text.split(/[\n;]/).map(part => part.slice(atOrEnd(part, /\b(?:curl|wget|fetch)\b/)))
  if (pipes.some(pipe => pipe.split('|').some((part, at) => at > 0 && interpreter.test(part)))) return true
  const lines = text.split('\n').map(line => line.slice(atOrEnd(line, /\b(?:ba|z)?sh\b/)))
  return lines.some(line => /(?:<\(|\$\(|`)\s*(?:curl|wget)\b/.test(line))
}

const interpreter = /^\s*(?:\S*\/)?(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python3?|perl|ruby|node)\b/

function atOrEnd(text: string, pattern: RegExp): number {
  const at = text.search(pattern)
  return at < 0 ? text.length : at
}

const secret = new RegExp(
  [
    String.raw`\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bnpm_[A-Za-z0-9]{30,}`,
    String.raw`\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{10,400}\.eyJ[\w-]{10}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY`,
    String.raw`\b(?:authorization:\s*(?:bearer|basic)|(?:password|passwd|secret|token|api[-_]?key)\s*[=:])\s*["']?[^\s"'$]{8,}`,
    String.raw`:\/\/[^\s/:@]+:[^\s/@$]{4,}@`,
  ].join('|'),
  'i',
)

// Control characters except newline and tab, marks of writing direction, and characters without width.
const hidden = /[^\P{C}\n\t\r]|[\u2028\u2029\u3164\u115f\u1160\uffa0]/u

/** The dangers of a write to this path. */
function writeOf(path: string, from: string, place: Place): string[] {
  const { real } = pathOf(path, place, from)
  const reason = protection(real, place)
  if (reason !== null) return [`writes ${path}, which ${reason}`]
  return isOpenTo(place, real) ? [] : [`writes outside the folder: ${path}`]
}

const writing = wordSet('tee cp mv rm rmdir touch mkdir truncate ln install unlink')

function writesOf(command: SimpleCommand, from: string, place: Place): string[] {
  const [name = '', ...rest] = plainOf(command)
  const operands = writing.has(name) ? rest.filter(word => word !== '' && !word.startsWith('-')) : []
  // These programs only read the files that they copy.
  const named = /^(?:cp|ln|install)$/.test(name) ? operands.slice(-1) : operands
  const targets = command.redirections.flatMap(({ target, writes }) => (writes && target?.value ? [target.value] : []))
  return [...named, ...targets]
    .filter(path => !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path))
    .flatMap(path => writeOf(path, from, place))
}
