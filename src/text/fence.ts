/** Code fences that no text in them can close. */

/** The backticks of a fence around a text: more than any run in it. */
export function fenceFor(text: string): string {
  let length = 3
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1)
  return '`'.repeat(length)
}
