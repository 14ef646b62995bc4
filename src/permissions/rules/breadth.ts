/**
 * Warns about a rule that allows more than it seems to, before it is stored. A rule for the beginning of a command allows all
 * arguments, and most programs can run or write something with some of them. So only those on the lists here have no warning.
 */
import { programName } from './program-name.ts'
import type { CommandPattern } from './command-pattern.ts'
import type { Rule } from './rule.ts'
import { wordSet } from '../../text/word-list.ts'

/** Programs that run a script. The arguments after it are the script's. */
const interpreters = wordSet(`
  sh bash dash zsh ksh fish ash csh tcsh nu pwsh source . python pypy ipython node nodejs perl ruby irb php lua luajit tclsh expect guile
  julia groovy osascript rscript r tsx ts-node`)

/** Programs that run what their arguments say. */
export const runners: ReadonlySet<string> = new Set([
  ...interpreters,
  ...wordSet(`
    powershell cmd env sudo doas su xargs find fd eval exec command builtin trap npx pnpx bunx uvx awk gawk mawk nawk ed ex vi vim view
    nvim emacs emacsclient ssh nohup nice timeout time watch parallel entr busybox toybox tmux screen script flock strace gdb lldb`),
])

/** Programs that read and print, whatever their arguments: no option of theirs writes a file or runs a program. */
const harmless = wordSet(`
  basename cat cksum cmp column comm cut df dirname du echo egrep expand false fgrep fold grep groups head hexdump id jq ls md5sum nl
  nproc od paste printenv pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings tac tail tr true uname unexpand
  uptime wc which whoami`)

/** git's commands without an option that runs a program or writes to a file that it names. */
const harmlessGit = wordSet('add commit describe ls-files ls-tree merge-base rev-parse status')

/** Programs whose second word names a task that the project defines. */
const taskRunners = wordSet('make just task rake')
const packageManagers = wordSet('npm pnpm yarn bun')
/** Programs whose second word builds or tests the project. */
const builders = wordSet('cargo go mvn mvnw gradle gradlew dotnet mix swift flutter dart deno')
const building = wordSet('test build check lint compile format fmt vet clippy doc bench analyze verify package')

/** A warning for the user before an allow rule is stored; null if the rule is as narrow as it looks. */
export function breadthOf({ effect, tool, pattern, command }: Rule): string | null {
  if (effect !== 'allow') return null
  if (tool.includes('*')) return tool === '*' ? 'it matches anything' : 'it matches every tool of such a name'
  if (pattern === null) {
    if (tool === 'bash' || tool === 'powershell') return 'it matches anything: every command runs without asking'
    return tool === 'edit' || tool === 'write' ? 'it matches any file, also outside the folder' : null
  }
  if (command) return breadthOfCommand(command)
  // `/**`, `~/**` and folders above.
  const isWide = /^(?:\/+|~\/?|[A-Za-z]:[\\/]|(?:\.\.\/)+)\**(?:\/\**)*$/.test(pattern)
  return isWide && !pattern.startsWith('=') ? 'it matches files outside the folder' : null
}

function breadthOfCommand({ words, isPrefix }: CommandPattern): string | null {
  const [name, ...rest] = words.slice(words.findIndex(({ text }) => !/^\w+=/.test(text)))
  if (!name?.fits || name.text.includes('*')) return 'it can match any program'
  if (rest.some(({ fits }) => fits === null)) return 'what * matches can be options that run other programs'
  if (!isPrefix) return null
  const program = programName(name.text)
  const operands = rest.map(({ text }) => text).filter(text => !text.startsWith('-'))
  if (interpreters.has(program) && operands.length > 0) return null
  if (runners.has(program)) return `it can match anything: ${name.text} runs its arguments`
  if (program === 'git' && rest.length === 0) return 'git can run other programs with -c'
  if (isHarmless(name.text, operands)) return null
  const shown = [name, ...rest].map(({ text }) => text).join(' ')
  return `not known to be harmless: with other arguments ${shown} may write files or run programs`
}

function isHarmless(name: string, [first = '', second]: readonly string[]): boolean {
  const program = programName(name)
  if (program === 'git') return harmlessGit.has(first)
  if (taskRunners.has(program)) return first !== ''
  if (packageManagers.has(program)) return first === 'test' || (first === 'run' && second !== undefined)
  if (builders.has(program)) return building.has(first)
  // A version would make another program of it.
  return harmless.has(name.replace(/^.*\//, ''))
}
