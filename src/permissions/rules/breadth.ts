/** Warns about a rule that allows more than it seems to, before it is stored. */
import type { Rule } from './rule.ts'

/** Programs that run the commands in their arguments. */
export const runners = new Set(
  [
    'sh bash dash zsh ksh fish ash env sudo doas su xargs find eval exec command builtin source . trap python python3 node perl',
    'ruby php lua npx pnpx bunx uvx tsx awk gawk ssh nohup nice timeout time watch parallel busybox',
  ]
    .join(' ')
    .split(' '),
)

/** A warning for the user before an allow rule is stored; null if the rule is as narrow as it looks. */
export function breadthOf({ effect, tool, pattern, command }: Rule): string | null {
  if (effect !== 'allow') return null
  if (tool.includes('*')) return tool === '*' ? 'it matches anything' : 'it matches every tool of such a name'
  if (pattern === null) {
    if (tool === 'bash' || tool === 'powershell') return 'it matches anything: every command runs without asking'
    return tool === 'edit' || tool === 'write' ? 'it matches any file, also outside the folder' : null
  }
  if (command) {
    const [name, ...rest] = command.words
    if (!name?.fits || name.text.includes('*')) return 'it can match any program'
    if (rest.some(({ fits }) => fits === null)) return 'what * matches can be options that run other programs'
    if (command.isPrefix && rest.length === 0 && runners.has(name.text.replace(/^.*\//, '')))
      return `it can match anything: ${name.text} runs its arguments`
    return command.isPrefix && rest.length === 0 && name.text === 'git' ? 'git can run other programs with -c' : null
  }
  // `/**`, `~/**` and folders above.
  const isWide = /^(?:\/+|~\/?|[A-Za-z]:[\\/]|(?:\.\.\/)+)\**(?:\/\**)*$/.test(pattern)
  return isWide && !pattern.startsWith('=') ? 'it matches files outside the folder' : null
}
