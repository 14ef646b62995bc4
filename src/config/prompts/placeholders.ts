/** Fills the argument of a command into its prompt. */
import { splitWords } from '../../platform/shell/quoting.ts'

const PLACEHOLDER = /\$(?<escape>\$?)(?<name>ARGUMENTS(?!\w)|[1-9](?!\d))/g

/**
 * The prompt with its argument. `$ARGUMENTS` is the whole argument as typed; `$1` to `$9` are its words, split as a shell does,
 * or at blanks only where a quote is unclosed. `$$1` is a plain `$1`. An argument without a placeholder is added below.
 */
export function fillIn(template: string, argument: string): string {
  const words = splitWords(argument) ?? argument.split(/\s+/)
  let hasPlace = false
  const filled = template.replace(PLACEHOLDER, (_whole, escape: string, name: string) => {
    if (escape !== '') return `$${name}`
    hasPlace = true
    return name === 'ARGUMENTS' ? argument : (words[Number(name) - 1] ?? '')
  })
  return hasPlace || argument === '' ? filled : `${filled.trimEnd()}\n\n${argument}`
}
