/** The extent of HTML in a text. HTML is shown as text, and Markdown inside it is not read. */

/** The end of a piece of HTML: a line that matches, or before a blank line. `close` is such a line. */
export type HtmlEnd = { line: RegExp; close: string } | 'blank'

const blockTags =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'

const attribute = String.raw` +[a-z_:][\w.:-]*(?: *= *(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`

const raw: readonly (readonly [begin: RegExp, end: HtmlEnd])[] = [
  [/^<(?:script|pre|textarea|style)(?:[ >]|$)/i, { line: /<\/(?:script|pre|textarea|style)>/i, close: '</script>' }],
  [/^<!--/, { line: /-->/, close: '-->' }],
  [/^<\?/, { line: /\?>/, close: '?>' }],
  [/^<![a-z]/i, { line: />/, close: '>' }],
  [/^<!\[CDATA\[/, { line: /\]\]>/, close: ']]>' }],
  [new RegExp(String.raw`^</?(?:${blockTags})(?: |/?>|$)`, 'i'), 'blank'],
]

const loneTag = new RegExp(String.raw`^(?:<[a-z][a-z\d-]*(?:${attribute})* */?>|</[a-z][a-z\d-]* *>) *$`, 'i')

/** The end to look for if a line begins HTML, else null. Other lone tags do not interrupt a paragraph. */
export function htmlEndOf(line: string, inParagraph: boolean): HtmlEnd | null {
  const text = line.trimStart()
  if (!text.startsWith('<')) return null
  for (const [begin, end] of raw) if (begin.test(text)) return end
  // No user writes a longer tag; the limit bounds the work of the pattern.
  return !inParagraph && text.length <= 1000 && loneTag.test(text) ? 'blank' : null
}
