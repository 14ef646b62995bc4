/** Code as HTML, with the colours that the screen has. */
import type { Span } from '../markdown/block.ts'
import { beginCode, readCode } from '../markdown/code.ts'
import type { DiffRow } from '../tools/diff/diff.ts'
import { joined, markup, type Markup } from './markup.ts'
import type { CodeSample } from './tool-words.ts'

/** More of a text than this stays plain: reading it would take longer than anybody waits. */
const LONGEST_COLOURED = 200_000

export function codeBlock({ text, language }: CodeSample): Markup {
  const shown = text.replace(/\n+$/, '')
  if (shown.length > LONGEST_COLOURED) return markup`<pre><code>${shown}</code></pre>`
  let state = beginCode(language)
  const lines = shown.split('\n').map(line => {
    const { spans, next } = readCode(state, line)
    state = next
    return joined(spans.map(span))
  })
  return markup`<pre><code>${joined(lines, '\n')}</code></pre>`
}

export function span({ text, syntax }: Span): Markup {
  return syntax === null ? markup`${text}` : markup`<span class="s-${syntax}">${text}</span>`
}

const SIGNS: Readonly<Record<DiffRow['sign'], string>> = { '+': 'added', '-': 'removed', ' ': 'same' }

/** The sign stands in the style, so that a copy is the code. */
export function diffBlock(lines: readonly DiffRow[]): Markup {
  const rows = lines.map(({ sign, text }) => markup`<span class="row ${SIGNS[sign]}">${text}</span>`)
  return markup`<pre class="diff"><code>${rows}</code></pre>`
}
