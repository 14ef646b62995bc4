/** A compaction: what it freed, and the beginning of its summary. */
import type { Compaction } from '../conversation/state.ts'
import { renderMarkdown } from '../markdown/render.ts'
import { indented, type Styled } from '../style/styled.ts'
import { formatDuration, formatTokens } from '../text/format.ts'
import { sanitize } from '../text/sanitize.ts'
import { sentence } from '../text/sentence.ts'
import { estimateTokens } from '../text/tokens.ts'
import { body, signed, type ItemContext } from './entry-lines.ts'

export function compactionLines(compaction: Compaction, context: ItemContext): Styled[] {
  const { theme } = context
  switch (compaction.outcome) {
    case 'failed': {
      const what = sanitize(sentence(`not compacted: ${compaction.error ?? ''}`))
      return signed(theme.failed, theme.signs.failed, what, 'The conversation is unchanged.', context)
    }
    case 'nothing':
      return body(sanitize('Nothing to compact yet.'), context.width, context.theme.dim)
    case 'aborted': {
      const what = sanitize('Compaction stopped. The conversation is unchanged.')
      return signed(theme.warning, theme.signs.stopped, what, '', context)
    }
    case 'running':
    case 'done': {
      const title = signed(
        theme.ok,
        theme.signs.done,
        sanitize(`Compacted${duration(compaction)}.`),
        freed(compaction),
        context,
      )
      return [...title, ...summaryLines(compaction.summary, context)]
    }
  }
}

/** The beginning of a summary, or all of it. */
export function summaryLines(text: string, { theme, width, markdown, whole = false }: ItemContext): Styled[] {
  if (text.trim() === '') return []
  const summary = renderMarkdown(text.trim(), { width, style: markdown, indent: 4 })
  const shown = whole ? summary.length : SUMMARY_ROWS
  const hidden = summary.length - shown
  const more = hidden > 0 ? [indented(4, theme.dim(sanitize(`+${hidden} lines`)))] : []
  return [...summary.slice(0, shown), ...more]
}

/** Rows shown of a summary. */
const SUMMARY_ROWS = 6

function duration({ startedAt, endedAt }: Compaction): string {
  return endedAt === null ? '' : ` in ${formatDuration(endedAt - startedAt)}`
}

function freed({ contextBefore, summary }: Compaction): string {
  if (contextBefore === null) return ''
  const after = formatTokens(estimateTokens(summary))
  return `From ${formatTokens(contextBefore)} to about ${after} tokens, plus the latest messages.`
}
