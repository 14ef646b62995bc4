/** Code as HTML, with the colours of the screen. */
import type { CodeSpan } from '../markdown/block.ts'
import { beginCode, readCode } from '../markdown/code/code.ts'
import type { DiffLine } from '../text/diff-line.ts'
import { joined, markup, type Markup } from './markup.ts'
import type { CodeSample } from './tool-words.ts'
import { withoutEnd } from '../text/without-end.ts'

/** In characters. Longer code is not coloured, since that would take too long. */
const LONGEST_COLOURED = 200_000

export function codeBlock(sample: CodeSample): Markup {
  return linesBlock(codeLines(sample))
}

/** Each line of the code. */
export function codeLines({ text, language }: CodeSample): Markup[] {
  const lines = withoutEnd(text, /\n/).split('\n')
  if (text.length > LONGEST_COLOURED) return lines.map(line => markup`${line}`)
  let state = beginCode(language)
  return lines.map(line => {
    const { spans, next } = readCode(state, line)
    state = next
    return joined(spans.map(span))
  })
}

export function linesBlock(lines: readonly Markup[]): Markup {
  return markup`<pre><code>${joined(lines, '\n')}</code></pre>`
}

export function span({ text, style }: CodeSpan): Markup {
  return style === null ? markup`${text}` : markup`<span class="s-${style}">${text}</span>`
}

const SIGNS: Readonly<Record<DiffLine['sign'], string>> = { '+': 'added', '-': 'removed', ' ': 'same' }

/** The signs are in the style sheet, so that copied text is only the code. */
export function diffBlock(lines: readonly DiffLine[]): Markup {
  const rows = lines.map(({ sign, text }) => markup`<span class="row ${SIGNS[sign]}">${text}</span>`)
  return markup`<pre class="diff"><code>${rows}</code></pre>`
}
