/** Text from outside in a Markdown table. */

/** One row of a table, with Markdown in its cells escaped. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(plainMarkdown).join(' | ')} |`
}

/** A text in one line, with Markdown escaped. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, gap => (/[\r\n]/.test(gap) ? ' ' : gap)).replaceAll(/[\\`*_[\]|<>~]/g, String.raw`\$&`)
}
