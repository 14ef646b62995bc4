/** Fills the argument of a command into its prompt. */
import { splitWords } from '../../platform/shell/quoting.ts'

const PLACEHOLDER = /\$(?<escape>\$?)(?<name>ARGUMENTS(?!\w)|[1-9](?!\d))/g

/** A place without a word. Files of prompts have no control characters. */
const EMPTY = '\0'

/**
 * The prompt with its argument. `$ARGUMENTS` is the whole argument as typed; `$1` to `$9` are its words, split as a shell does,
 * or at blanks only where a quote is unclosed. `$$1` is a plain `$1`. An argument without a placeholder is added below. Nothing
 * is left of a placeholder without a word: see `withoutEmpty`.
 */
export function fillIn(template: string, argument: string): string {
  const words = splitWords(argument) ?? argument.split(/\s+/)
  const wordFor = (name: string): string => (name === 'ARGUMENTS' ? argument : (words[Number(name) - 1] ?? ''))
  let hasPlace = false
  const marked = template.replace(PLACEHOLDER, (whole, escape: string, name: string) => {
    if (escape !== '') return whole
    hasPlace = true
    return wordFor(name).trim() === '' ? EMPTY : whole
  })
  const filled = withoutEmpty(marked).replace(PLACEHOLDER, (_whole, escape: string, name: string) =>
    escape === '' ? wordFor(name) : `$${name}`,
  )
  return hasPlace || argument === '' ? filled : `${filled.trimEnd()}\n\n${argument}`
}

/**
 * Removes the places without a word. A line that holds nothing else is left out, and so is one that only names what would
 * follow, such as `The base: $1`, unless the prompt begins with it: then it says what to do, and ends with a full stop.
 */
function withoutEmpty(text: string): string {
  if (!text.includes(EMPTY)) return text
  const kept: string[] = []
  let isAfterGap = false
  let isBelow = false
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    if (isLeftOut(line, isBelow)) isAfterGap = true
    // One blank line is enough around a line that was left out.
    else if (!isBlank || !isAfterGap || (kept.at(-1)?.trim() ?? '') !== '') {
      kept.push(line.includes(EMPTY) ? tidied(line) : line)
      isAfterGap = false
    }
    isBelow ||= !isBlank
  }
  return kept.join('\n').trimEnd()
}

/** A colon with nothing but empty places after it. */
const LABEL = /:[^\p{L}\p{N}:$]*\0[^\p{L}\p{N}:$]*$/u

function isLeftOut(line: string, isBelow: boolean): boolean {
  if (!line.includes(EMPTY)) return false
  // A word in another place of the line is something to say.
  const hasWord = [...line.matchAll(PLACEHOLDER)].some(({ groups }) => groups?.['escape'] === '')
  return !hasWord && (!/[\p{L}\p{N}]/u.test(line) || (isBelow && LABEL.test(line)))
}

/** The line without its empty places, the quotes and brackets around them, and the blanks before them. */
function tidied(line: string): string {
  return line
    .replaceAll(/(["'`])\0\1|\(\0\)|\[\0\]|<\0>/g, EMPTY)
    .replaceAll(/^(\s*)\0[ \t]*/g, '$1')
    .replaceAll(/[ \t]*\0/g, '')
    .replace(/:[.!?]?[ \t]*$/, '.')
    .trimEnd()
}
