/**
 * The text without the characters at its end that fit the expression for one character. An expression such as `\n+$` would take the
 * square of the time where many of them stand before another one.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length
  while (end > 0 && one.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
