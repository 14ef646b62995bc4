import type { MarkdownStyle } from '../../src/markdown/style.ts'
import type { Syntax } from '../../src/markdown/block.ts'
import { plainStyle as asItIs, textStyle, type Attribute, type Styled, type TextStyle } from '../../src/text/styled.ts'
import { hyperlink } from '../helpers/lines.ts'

const coloured = (index: number): TextStyle => textStyle({ color: { kind: 'palette', index } })
const having = (attribute: Attribute): TextStyle => textStyle({ attributes: [attribute] })

/** A look that `tagged` shows as a tag of this name. */
export const tag = (name: string): TextStyle => having(name as Attribute)

/** A line with a tag for each look: `<b>text</b>`. */
export function tagged({ spans }: Styled): string {
  return spans
    .map(({ text, style: { attributes, link } }) => {
      const shown = attributes.reduceRight<string>((inner, name) => `<${name}>${inner}</${name}>`, text)
      return link === '' ? shown : hyperlink(shown, link)
    })
    .join('')
}

const syntax: Record<Syntax, TextStyle> = {
  keyword: coloured(5),
  string: coloured(2),
  number: coloured(3),
  literal: coloured(3),
  comment: coloured(8),
  title: coloured(4),
  type: coloured(6),
  variable: coloured(1),
  attribute: coloured(6),
  tag: coloured(4),
  meta: coloured(8),
  added: coloured(2),
  removed: coloured(1),
}

/** Text without a look. */
export const plainStyle: MarkdownStyle = {
  heading: () => asItIs,
  strong: asItIs,
  emphasis: asItIs,
  strike: asItIs,
  code: asItIs,
  link: asItIs,
  quote: asItIs,
  rule: asItIs,
  listMark: asItIs,
  tableHeader: asItIs,
  tableRule: asItIs,
  dim: asItIs,
  syntax: {},
  hyperlinks: false,
  unicode: true,
}

/** Every meaning has a look, as in a real theme. */
export const ansiStyle: MarkdownStyle = {
  heading: () => having('bold'),
  strong: having('bold'),
  emphasis: having('italic'),
  strike: having('strike'),
  code: coloured(6),
  link: having('underline'),
  quote: having('dim'),
  rule: having('dim'),
  listMark: coloured(5),
  tableHeader: having('bold'),
  tableRule: having('dim'),
  dim: having('dim'),
  syntax,
  hyperlinks: true,
  unicode: true,
}

/** Documents with every construct and every kind of text. */
export const corpus: Record<string, string> = {
  headings:
    '# One\n## Two ##\n### Three with `code` and **strong**\n#no heading\nSetext one\n===\nSetext\ntwo\n---\n####### seven\n',
  paragraphs:
    'A first line that is long enough to be wrapped at eighty columns, because it goes on and on and on.\nA second line.  \nAfter a hard break\\\nand another.\n\n\n\nA second paragraph.',
  inline:
    'Some **bold**, *italic*, ***both***, __under__, _score_, ~~struck~~, `code`, ``co`de``, \\*escaped\\*, &amp; &lt;b&gt; &#9731; &nope; snake_case_name 20~25 and 30~35, **bold with `code` and *italic* in it**.',
  links:
    'A [label](https://example.com/path?a=1&b=2 "title"), <https://auto.link/x>, https://bare.link/y, me@mail.org, [file](src/a.ts), [evil](javascript:alert(1)), [https://bank.com](https://evil.com), ![alt text](image.png) and ![](only.png).\n\n[ref]: https://ref.org "Title"\n\nA [ref], a [named][ref], a [missing] one, [constructor] and [__proto__].',
  lists:
    '- one\n- two which is long enough to be wrapped at forty columns at the very least\n  - nested\n    - deeper\n\n      a paragraph in it\n- [ ] open\n- [x] done\n\n* loose\n\n* list\n\n1. first\n2. second\n   1. inner\n   2. inner two\n1. third\n\n7) seven\n8) [x] eight\n\n-\n- after an empty one\n',
  quotes:
    '> quoted **text**\n> goes on\n>\n> > deeper\n> > still\nlazily\n\n> - list in it\n> - two\n>\n> ```js\n> const a = 1\n> ```\n',
  tables:
    '| Name | Amount | Note |\n|:-----|-------:|:----:|\n| apple | 1 | **good** |\n| 世界 | 1000 | `a\\|b` |\n| long | 20 | a cell with quite some text that will have to be wrapped somewhere in the middle |\n| short |\n| too | many | cells | here |\n\nText\na | b\n--|--\n1 | 2\n',
  fences:
    'Look:\n```ts\nconst greeting: string = `hello ${name}\n  and more`\n/* a comment\n   over lines */ function f(a = 1) { return a }\n\nif (x) {\n\ty()   \n}\n```\nText right after.\n\n~~~\nno language\n```\n~~~\n\n```nonsense\nplain\n```\n\n    indented code\n\n    after a blank\n\n````md\n```\nnested\n```\n````\n',
  inLists:
    '1. Do this:\n   ```bash\n   npm install   # all\n   ```\n   Then that.\n2. ```py\n   print("""a\n   b""")\n   ```\n\n   after\n- x\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n\n  > quote in item\n',
  html: '<div class="x">\n**raw** text\n</div>\n\n<!-- a comment\n\nover blank lines -->\n\nText with <b>bold</b> and <br> in it.\n\n<details>\n<summary>More</summary>\n\nInside **strong**.\n\n</details>\n',
  rules: 'above\n\n---\n\n* * *\n___\nbelow',
  windows: '# One\r\n\r\nText\r\nmore\r\n\r\n```js\r\nlet a\r\n```\r\n- x\r\n',
  wide: '# 你好世界\n\n这是一个很长的段落，用来测试在没有空格的情况下如何换行。它应该在任何字符之间断开（但不在标点之前）。\n\n- 日本語の**項目**です\n- 한국어 항목 입니다\n\n| 名前 | 値 |\n|---|--:|\n| テスト | 12 |\n\n```js\nconst 世界 = "你好你好你好你好你好你好你好你好你好你好你好你好你好你好你好你好你好你好"\n```\n',
  emoji: '👩‍👩‍👧‍👦 family 👍🏽 thumbs 🏳️‍🌈 flag 🇩🇪🇫🇷 ❤️ 1️⃣\n\n- ✅ done\n- 🚧 **work 👷‍♀️**\n\n| 🎉 | x |\n|---|---|\n| 👩‍💻 | 2 |\n',
  combining: 'e\u0301 a\u0308 n\u0303 Z\u0351\u036b\u0343 Việt Nam **e\u0301\u0301** `a\u0300`\n',
  rtl: '# שלום עולם\n\nمرحبا **بالعالم** هذا نص طويل يجب أن يلتف في مكان ما هنا أو هناك.\n\n- می‌خواهم\n- क्‍ष नमस्ते दुनिया\n',
  hostile:
    'a \x1b]52;c;AAAA\x07 b\x1b[2J\x1b]8;;http://evil\x07x\x1b]8;;\x07 \u202eabc\u202c \u200bz\u009b31m\n\n[l](https://x.org/\x1b[31m) `\x1b[0m` &#27;[31m &#x202e; &#155;2J\n\n```js\n\x1b[3J // \u202e\n```\n\n| \x1b[H |\n|---|\n| \x07 |\n\nover\rwritten\n\n<b \x1b[5n>\n',
  tabs: '-\ta\n\n\tb\n\n```\n\tx\ty\n```\n\n| a\t| b |\n|---|---|\n',
  unfinished: 'A **bold that never ends and `code too\n\n- item\n\n```ts\nconst open = 1',
  mixed: 'Text\n# Heading\nText\n- a\n> q\n1. b\n---\n| x |\n|---|\n| y |\n```\nc\n```\n```\nd\n```\n<p>\nz',
  nesting:
    Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}\n`).join('') +
    '>'.repeat(40) +
    ' deep\n',
}

export const everything = Object.values(corpus).join('\n\n')
