import remend from 'remend'

/** The source of an inline text, with its open marks closed. */
export function heal(source: string): string {
  return remend(source + codeEnd(source), {
    linkMode: 'text-only',
    images: false,
    htmlTags: false,
    katex: false,
    comparisonOperators: false,
    setextHeadings: false,
    singleTilde: false,
  })
}

/** The marks that close unfinished inline code: inside code, no other mark closes anything. */
function codeEnd(source: string): string {
  let open = ''
  for (const [run] of source.matchAll(/(?<![\\`])`+/g)) {
    if (open === '') open = run
    else if (run === open) open = ''
  }
  return source.endsWith(open) ? '' : open
}
