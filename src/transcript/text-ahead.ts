/**
 * Text that an agent writes while an earlier call of its turn still runs, such as a server in the background. It cannot go to the
 * scrollback before the panel of that call, so its end is shown in the live zone meanwhile.
 */
import type { MarkdownBlock } from '../markdown/block.ts'
import { createBlocks } from '../markdown/blocks/blocks.ts'
import { createOpenEnd } from '../markdown/render-open.ts'
import type { TextPart } from '../conversation/part.ts'
import type { GrowingText } from './timeline.ts'

/** Characters at the end of the text that are read: it is read again whenever it grows. */
const MOST_READ = 8192

/** Texts that did not grow are not read again. */
const read = new WeakMap<TextPart, GrowingText>()

export function textAhead(part: TextPart): GrowingText {
  const known = read.get(part)
  if (known) return known
  const source = endOf(part.text)
  const blocks = createBlocks()
  const done = blocks.push(source)
  const all: readonly MarkdownBlock[] = [...done, ...(part.final ? blocks.end() : blocks.open())]
  const text = { blocks: { open: () => all }, lines: { rest: source }, begun: false, code: 0, drawEnd: createOpenEnd() }
  read.set(part, text)
  return text
}

/** Begins with a whole line, if the text has one there. */
function endOf(text: string): string {
  if (text.length <= MOST_READ) return text
  const end = text.slice(-MOST_READ)
  return end.slice(end.indexOf('\n') + 1)
}
