/** Says whether a printf only prints, in bash, dash and zsh: `%n` sets a variable, and zsh computes with what stands for a number. */

/** A format without `%n`, `*`, `%(...)T` and numbers of arguments. */
const FORMAT = /^(?:[^\\%]|\\[abefnrtv\\"']|%%|%[-+ 0#]{0,5}\d{0,4}(?:\.\d{0,4})?[sbcdiouxXeEfFgG])*$/
const CONVERSIONS = /\\[^]|%%|%[^a-zA-Z]*([a-zA-Z])/g
const NUMBER = /^[-+]?\d{1,18}(?:\.\d{1,18})?$/

/** The words are the format and its arguments. */
export function onlyPrints([format = '', ...values]: readonly string[]): boolean {
  // `-v` names a variable.
  if (format.startsWith('-') || !FORMAT.test(format)) return false
  const letters = [...format.matchAll(CONVERSIONS)].flatMap(([, letter]) => letter ?? [])
  return values.every((value, at) => {
    const letter = letters[at % letters.length]
    return letter === undefined || /[sbc]/.test(letter) || NUMBER.test(value)
  })
}
