/** Loads the full output of shortened calls while they are visible, and releases it again. */
import { nothingOmitted, elide } from '../../../../src/conversation/calls/elide.ts'
import type { ToolCall } from '../../../../src/conversation/part.ts'
import type { TimelineItem } from '../../../../src/transcript/timeline.ts'
import type { ViewerBlock } from './block.ts'

/** Reads a call back in small steps; null if it is not stored. */
export type ReadCall = (tool: ToolCall) => Generator<void, ToolCall | null>

type BlockPlace = { section: number; block: ViewerBlock }
type Reading = BlockPlace & { tool: ToolCall; steps: ReturnType<ReadCall> }

/** Calls kept in full at once; one more shortens the oldest again. */
const MOST_WHOLE = 32
/** Characters shown of one text; copying it or opening it in an editor gives all of it. */
const MOST_TEXT = 512 * 1024

export class OutputLoader {
  readonly #read: ReadCall
  readonly #reading: Reading[] = []
  /** The calls kept in full, with their shortened items. */
  readonly #whole: (BlockPlace & { item: TimelineItem })[] = []

  constructor(read: ReadCall) {
    this.#read = read
  }

  /** Begins to load the omitted output of an open block. False if there is none, or if it was requested before. */
  begin(section: number, block: ViewerBlock): boolean {
    const tool = callOf(block)
    if (!tool?.omitted || block.rest) return false
    block.rest = 'reading'
    this.#reading.push({ section, block, tool, steps: this.#read(tool) })
    return true
  }

  /** Loads a step further. Returns the blocks that changed, or null if there is nothing to load. */
  step(): BlockPlace[] | null {
    const [reading] = this.#reading
    if (!reading) return null
    const { section, block, tool, steps } = reading
    const { done, value } = steps.next()
    if (!done) return []
    this.#reading.shift()
    if (!value) {
      block.rest = 'missing'
      return [reading]
    }
    const [item] = block.items
    if (!item) return []
    block.rest = null
    block.items = [withCall(item, bounded({ ...tool, ...value }))]
    this.#whole.push({ section, block, item })
    const old = this.#whole.length > MOST_WHOLE ? this.#whole[0] : undefined
    if (old) this.forget(old.block)
    return old ? [reading, old] : [reading]
  }

  /** Replaces a block's full output by the shortened one. */
  forget(block: ViewerBlock): void {
    const at = this.#whole.findIndex(each => each.block === block)
    const [whole] = at < 0 ? [] : this.#whole.splice(at, 1)
    if (whole) block.items = [whole.item]
    block.rest = null
  }

  /** Loads a call with its full arguments and result at once; returns it unchanged if they are not stored. */
  readNow(tool: ToolCall): ToolCall {
    if (!tool.omitted) return tool
    for (const steps = this.#read(tool); ;) {
      const { done, value } = steps.next()
      if (done) return value ?? tool
    }
  }
}

function callOf({ items: [item] }: ViewerBlock): ToolCall | null {
  if (item?.kind === 'tool') return item.tool
  return item?.kind === 'shell' ? item.shell.tool : null
}

function withCall(item: TimelineItem, tool: ToolCall): TimelineItem {
  if (item.kind === 'tool') return { ...item, tool }
  return item.kind === 'shell' ? { ...item, shell: { ...item.shell, tool } } : item
}

function bounded(tool: ToolCall): ToolCall {
  const result = tool.result?.map(content =>
    content.type === 'text'
      ? { ...content, text: elide(content.text, MOST_TEXT, nothingOmitted, 'beginning').text }
      : content,
  )
  return { ...tool, result: result ?? null }
}
