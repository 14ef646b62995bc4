import type { AgentEvent } from '../../src/agent/event.ts'
import { createFold } from '../../src/conversation/fold.ts'
import { hasGap, renderItem } from '../../src/transcript/entries.ts'
import { createTheme } from '../../src/style/theme.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'

/** The scrollback that events result in, without colours. */
export function transcriptOf(events: readonly AgentEvent[], width: number): string {
  const fold = createFold()
  fold.add(events)
  const chat = fold.chat()
  const theme = createTheme(0, { definition: null, unicode: true, hyperlinks: false })
  const timeline = createTimeline()
  const lines: string[] = []
  let last: TimelineItem | null = null
  do {
    for (const item of timeline.advance(chat)) {
      if (last && hasGap(last, item)) lines.push('')
      lines.push(...renderItem(item, { theme, markdown: theme.markdown, width }).map(line => line.text))
      last = item
    }
  } while (timeline.isBehind())
  return lines.map(line => `${line}\n`).join('')
}
