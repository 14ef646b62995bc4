/**
 * Parses a command line of sh, bash or zsh. unbash builds the tree; this module decides which parts of it are clear. All of these
 * shells must read a clear line in the same way, because zot runs sh or bash, and other agents the user's own shell. A part that is
 * not on the list makes the line unclear. Its commands are then found as far as possible, so that a rule can deny them.
 */
import {
  forEachChild,
  parse,
  type Command,
  type Redirection as UnbashRedirection,
  type SyntaxNode,
  type Word,
} from 'unbash'
import type { CommandLine, CommandWord, Redirection, SimpleCommand } from './line.ts'
import { innerOf } from './inner.ts'
import { isLoopName, sameInShells, zshReadsMore } from './same-in-shells.ts'

/** In characters. A longer line is more than a person would check. */
const LONGEST = 50_000
/** The maximum nesting of command lines in arguments: `sh -c "sh -c '...'"`. */
const DEEPEST = 4

/** The syntax that sh and bash interpret in the same way, and that runs only the commands in it. */
const clear: ReadonlySet<SyntaxNode['type']> = new Set<SyntaxNode['type']>([
  ...([
    'Script',
    'Statement',
    'CompoundList',
    'AndOr',
    'Pipeline',
    'Negation',
    'Time',
    'Command',
    'Redirected',
  ] as const),
  ...(['Subshell', 'BraceGroup', 'If', 'Elif', 'For', 'While', 'Case', 'CaseItem'] as const),
  ...(['Word', 'Literal', 'SingleQuoted', 'DoubleQuoted', 'Glob', 'BraceExpansion', 'SimpleExpansion'] as const),
  ...(['ParameterExpansion', 'Default', 'Remove', 'CommandExpansion', 'ProcessSubstitution', 'Assignment'] as const),
  ...(['Redirect', 'HereString', 'HereDoc', 'HereDocDelimiter', 'HereDocBody', 'FileDescriptor'] as const),
])

const names: Partial<Record<SyntaxNode['type'], string>> = {
  AnsiCQuoted: "$'...' is read differently by sh and bash",
  LocaleString: '$"..." is read differently by sh and bash',
  ArithmeticCommand: '((...)) is read differently by sh and bash',
  TestCommand: '[[...]] is read differently by sh and bash',
  ExtendedGlob: 'a pattern such as !(...) is read differently by sh and bash',
  ArithmeticExpansion: 'arithmetic can run commands in the value of a variable',
  Function: 'it defines a function',
}

// Letters, digits, punctuation, spaces and newlines: no invisible characters and no change of writing direction.
const visible = /^[\n\t\u0020\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u

/** Never throws. */
export function parseLine(text: string, depth = 0): CommandLine {
  if (text.length > LONGEST) return { commands: [], unclear: `it is longer than ${LONGEST} characters` }
  if (depth > DEEPEST) return { commands: [], unclear: 'its commands are nested too deep' }
  const found: ParsedPieces = {
    commands: [],
    unclear: visible.test(text) ? null : 'it has control characters or hidden ones',
  }
  try {
    visit(parse(text), text, found, depth)
  } catch {
    // The line is nested too deeply for the stack.
    found.unclear ??= 'it is nested too deep'
  }
  return found
}

type ParsedPieces = { commands: SimpleCommand[]; unclear: string | null }

/** The redirections of a whole loop or subshell. */
const redirecting = { assignments: [], words: [], inner: [], innerFrom: 0, isTransparent: false, isGroup: true }

function visit(node: SyntaxNode, source: string, found: ParsedPieces, depth: number): void {
  found.unclear ??= unclearOf(node, source)
  const inside = node.type === 'Script' ? (node.source ?? source) : source
  if (node.type === 'Command') {
    const { command, unclear } = simpleCommand(node, inside, depth)
    found.commands.push(command)
    found.unclear ??= unclear
  }
  if (node.type === 'Redirected')
    found.commands.push({
      ...redirecting,
      text: source.slice(node.pos, node.end),
      redirections: node.redirects.map(redirectionOf),
    })
  forEachChild(node, child => visit(child, inside, found, depth))
}

/** The reason why a part itself is unclear, apart from its children; null if it is clear. */
function unclearOf(node: SyntaxNode, source: string): string | null {
  if (!clear.has(node.type)) return names[node.type] ?? `it has syntax that is not supported (${node.type})`
  if (node.type === 'Script') {
    const error = 'errors' in node ? node.errors?.[0] : undefined
    return error ? `syntax error (${error.message})` : null
  }
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') {
    if (!node.script) return 'a substitution cannot be read'
    const isBacktick = node.text.startsWith('`')
    return isBacktick && node.text.includes('\\') ? 'a backslash in `...` is read in different ways' : null
  }
  if (node.type === 'ParameterExpansion') {
    const { prefix, index, operation } = node
    const assigns = operation?.type === 'Default' && /^:?=$/.test(operation.operator)
    return prefix === '!' || index || assigns ? `${node.text.slice(0, 20)} can run or set something` : null
  }
  if (node.type === 'For' && !isLoopName(node.name.text)) return 'a loop sets a variable that programs may read'
  if (node.type === 'HereDoc' && !(node.closing && /^(['"]?)\w+\1$/.test(node.delimiter?.text ?? '')))
    return 'a here-document has no plain end'
  // Quotes in a default value do not quote there: ${x-'$(rm x)'} runs rm.
  if (
    node.type === 'HereDocBody' &&
    node.parts?.some(part => part.type === 'ParameterExpansion' && /'/.test(part.text))
  )
    return 'a quote in a here-document is read in different ways'
  if (node.type === 'Assignment' && node.index !== undefined) return 'the index of a variable can run commands'
  if (node.type === 'Redirect' && !node.target) return 'a redirection cannot be read'
  if (node.type === 'Word' && /\$\[/.test(source.slice(node.pos, node.end)))
    return '$[...] is read differently by sh and bash'
  if ('parts' in node && node.parts && zshReadsMore(node.parts)) return ZSH
  if (node.type === 'Word' && !node.parts && zshReadsMore([{ type: 'Literal', text: node.text }])) return ZSH
  return null
}

const ZSH = 'zsh reads an expansion in another way than sh and bash'

function simpleCommand(
  node: Command,
  source: string,
  depth: number,
): { command: SimpleCommand; unclear: string | null } {
  const assignments = node.prefix.flatMap(part => (part.type === 'Assignment' ? [part.text] : []))
  // An assignment as an argument (`export A=1`) is a plain word, but shells differ in where it ends.
  const args = node.args.map(part => (part.type === 'Word' ? wordOf(part) : { text: part.text, value: null }))
  const words = node.name ? [wordOf(node.name), ...args] : []
  const redirections = node.redirects.map(redirectionOf)
  const { inner, innerFrom, isTransparent, unclear: unclearInner } = innerOf(words, text => parseLine(text, depth + 1))
  const text = source.slice(node.pos, node.end)
  const unclear = unclearInner ?? splitByDash(node)
  return {
    command: { text, assignments, words, redirections, inner, innerFrom, isTransparent, isGroup: false },
    unclear,
  }
}

/** Dash ends a command at the `&` of `&>`: what follows the file is a command there, and an argument in bash and zsh. */
function splitByDash({ name, args, redirects }: Command): string | null {
  const last = args.at(-1) ?? name
  const splits = redirects.some(
    ({ operator, pos }) => operator.startsWith('&>') && last !== undefined && pos < last.pos,
  )
  return splits ? 'words after &> are read differently by sh and bash' : null
}

function redirectionOf(redirection: UnbashRedirection): Redirection {
  if (redirection.type !== 'Redirect') return { target: null, writes: false, descriptor: null }
  const { operator, target } = redirection
  const toDescriptor = /^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target?.text ?? '')
  const writes = operator !== '<' && operator !== '<&'
  if (toDescriptor) return { target: null, writes, descriptor: target?.text ?? '' }
  return { target: target ? wordOf(target) : null, writes, descriptor: null }
}

function wordOf({ text, value, parts }: Word): CommandWord {
  const isLiteral = (parts ?? []).every(
    part =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  )
  return { text, value: isLiteral && sameInShells(text, value) ? value : null }
}
