/** A note in a Markdown file: an item at the end of its list. */

/** The signs of a list item. */
const ITEM = /^\s{0,3}([-*+]) /

/**
 * The text to append to a file that ends with `end`: line endings and the presence of a final newline stay as they are. `end` is
 * the whole file or enough of its end to have its last lines.
 */
export function noteToAppend(end: string, note: string): string {
  const newline = /\r\n/.test(end) ? '\r\n' : '\n'
  if (end === '') return `- ${note}${newline}`
  const hasNewline = end.endsWith('\n')
  const last = end.trimEnd().split(/\r?\n/).at(-1) ?? ''
  const item = ITEM.exec(last)?.[1]
  const isApart = item !== undefined || /\n[^\S\n]*\r?\n$/.test(end)
  const before = `${hasNewline ? '' : newline}${isApart ? '' : newline}`
  return `${before}${item ?? '-'} ${note}${hasNewline ? newline : ''}`
}
