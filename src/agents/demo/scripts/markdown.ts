import type { Script } from '../script/script.ts'

export const markdownSample = `## A sample

Words can be **bold**, *slanted*, ~~gone~~ or \`code\`, and point [somewhere else](https://example.com/zotui).

1. A list counts,
2. nests,
   - with signs of its own
   - at each level
3. and goes on.

- [x] written
- [x] read

| unit | of \`👍🏽\` | what it counts |
| :--- | ---: | :--- |
| bytes | 8 | what is stored |
| UTF-16 units | 4 | what \`length\` says |
| graphemes | 1 | what a person sees |

\`\`\`ts
const segmenter = new Intl.Segmenter()

/** Counts what a person would count. */
export function graphemes(text: string): number {
  return [...segmenter.segment(text)].length
}
\`\`\`

> A quotation, for what somebody else has said
> better, over two lines.`

const more = `# Markdown

${markdownSample}

---

### Smaller headings

Line one of a paragraph,  
and a line that was broken on purpose. A long line shows how text wraps: the words go on until the column ends, then they \
continue below, and nothing of it is lost when you make the window narrower or wider again.

\`\`\`diff
- return rest.length
+ return [...segmenter.segment(rest)].length
\`\`\`

\`\`\`sh
npm install && npm start   # a comment
\`\`\`

    indented four spaces, and so code as well

Escapes: 1 \\* 2 \\* 3, a < b && c > d, and a snake_case_name that stays whole.

That was all of it, from {model}, by script.`

export const markdown: Script = {
  name: 'markdown',
  words: ['md', 'table', 'list'],
  about: 'headings, lists, tables, code and quotations',
  calls: [[{ text: more, pace: 16 }]],
}
