/** Code fences that no text in them can close. */

/** The backticks of a fence around a text: more than any run in it. */
export function fenceFor(text: string): string {
  let length = 3
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1)
  return '`'.repeat(length)
}

/** A text as inline code of Markdown, on one line. */
export function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}
