/** What stands in a prompt for the argument of its command. */
import { splitWords } from '../../platform/shell/words.ts'

const PLACEHOLDER = /\$(?<escape>\$?)(?<name>ARGUMENTS(?!\w)|[1-9](?!\d))/g

/**
 * The prompt with its argument: `$ARGUMENTS` is all of it as it was typed, `$1` to `$9` its words, as a shell splits them;
 * where a quote is left open, blanks alone do. `$$1` is a plain `$1`. An argument for which there is no place goes below.
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
