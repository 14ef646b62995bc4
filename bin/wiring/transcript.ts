import type { Backend } from '../../src/agent/backend.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { hasGap, renderItem } from '../../src/transcript/entries.ts'
import { createTheme } from '../../src/style/theme.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'

/** Runs the backend to its end and resolves to the resulting scrollback, without colours. */
export async function transcriptOf(
  backend: Backend & { readonly finished: Promise<void> },
  width: number,
): Promise<string> {
  let chat = initialChat
  backend.subscribe(event => {
    chat = reduce(chat, event)
  })
  await backend.open()
  await backend.finished
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
