/** A text with every construct of Markdown, and texts that break off in the middle of one. */
export const markdownDocument = `# A heading with \`code\` and **strong**

## Two
### Three
#### Four
##### Five
###### Six

Setext
======

A paragraph that is long enough to be wrapped in every one of the widths, because it goes on and on, with **bold**,
*italic*, ***both***, ~~struck~~, \`inline code\`, \\*escaped\\*, &amp; &lt;b&gt; and snake_case_names.  
After a hard break.

A [label](https://example.com/path?a=1&b=2 "title"), <https://auto.link/x>, https://bare.link/y, me@mail.org,
[a file](src/a.ts), [evil](javascript:alert(1)), [https://bank.com](https://evil.com), a [reference][ref] and
![alt text](image.png).

[ref]: https://ref.org "Title"

- one
- two, which is long enough to be wrapped at forty columns at the very least
  - nested
    - deeper

      with a paragraph in it
- [ ] to do
- [x] done

1. first
2. second
   1. inner
   2. inner two
3. third, with code:
   \`\`\`bash
   npm install   # all
   \`\`\`
   and more.

> A quote with **strong** words
> that goes on
>
> > and a deeper one
>
> - with a list
>
> \`\`\`js
> const a = 1
> \`\`\`

| Name | Amount | Note |
|:-----|-------:|:----:|
| apple | 1 | **good** |
| 世界 | 1000 | \`a\\|b\` |
| long | 20 | a cell with quite some text that will have to be wrapped somewhere in the middle |
| short |

\`\`\`ts
/** Says hello. */
export async function greet(name: string, times = 3): Promise<string> {
  const greeting = \`hello \${name}\\n\` // again and again, in a comment that goes beyond eighty columns for sure
  if (times > 0 && name !== 'nobody') return greeting.repeat(times)

  throw new TypeError("no 'name'")
}
\`\`\`

\`\`\`python
@cached
def depth(tree: dict, at=0):
    """How deep it is."""
    return max((depth(v, at + 1) for v in tree.values()), default=at) # None, True
\`\`\`

\`\`\`diff
 context
-const most = 64
+const most = 256
\`\`\`

\`\`\`json
{ "name": "zotui", "count": 3, "ok": true, "none": null }
\`\`\`

\`\`\`
no language
\`\`\`

    indented code

---

<details>
<summary>More</summary>

Inside, <b>as text</b>.

</details>

# 你好世界

这是一个很长的段落，用来测试在没有空格的情况下如何换行。它应该在任何字符之间断开（但不在标点之前）。

👩‍👩‍👧‍👦 family 👍🏽 thumbs 🏳️‍🌈 flag 🇩🇪🇫🇷 ❤️ 1️⃣, e\u0301 a\u0308 n\u0303 Việt Nam, שלום עולם, مرحبا بالعالم, नमस्ते.

Hidden: \u001b]0;title\u0007 \u001b[2J user\u202Egnp.exe pay\u200Bpal \u009b31m over\rwritten.
`

export const openDocuments: readonly string[] = [
  'A **bold that has not ended and `code too',
  '- one\n- two\n  - nested and be',
  '> quoted\n> and go',
  'So:\n\n```ts\nconst open = 1\nfunction f() {\n  ret',
  '| Name | Amount |\n|---|--:|\n| apple | 1 |\n| pe',
  `A list:\n\n${Array.from({ length: 40 }, (_, index) => `- entry ${index + 1}\n`).join('')}`,
  'a paragraph that is longer than the screen, '.repeat(60),
]
