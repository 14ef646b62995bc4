/** Calls of which not all is in memory: made whole while somebody looks at them, and let go again. */
import { noGap, shortened } from '../conversation/elide.ts'
import type { ToolCall } from '../conversation/state.ts'
import type { Item } from '../transcript/timeline.ts'
import type { ViewerBlock } from './block.ts'

/** Reads a call back, a piece of work after the other; null where it is not there (any more). */
export type ReadCall = (tool: ToolCall) => Generator<void, ToolCall | null>

type Place = { section: number; block: ViewerBlock }
type Reading = Place & { tool: ToolCall; steps: ReturnType<ReadCall> }

/** Calls that are whole at once; the first of them is shortened again for one more. */
const MOST_WHOLE = 32
/** Characters of one text that are shown: who wants more of it copies it, or opens it in an editor. */
const MOST_TEXT = 512 * 1024

export class OutputLoader {
  readonly #read: ReadCall
  readonly #reading: Reading[] = []
  /** With the piece as it is in memory. */
  readonly #whole: (Place & { item: Item })[] = []

  constructor(read: ReadCall) {
    this.#read = read
  }

  /** Begins to read what is missing in an open block. False where nothing is, or that was tried before. */
  begin(section: number, block: ViewerBlock): boolean {
    const tool = callOf(block)
    if (!tool?.leftOut || block.rest) return false
    block.rest = 'reading'
    this.#reading.push({ section, block, tool, steps: this.#read(tool) })
    return true
  }

  /** Reads on. The blocks that are other now, none while it goes on; null where nothing is to be read. */
  step(): Place[] | null {
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

  /** The block is as it is in memory again. */
  forget(block: ViewerBlock): void {
    const at = this.#whole.findIndex(each => each.block === block)
    const [whole] = at < 0 ? [] : this.#whole.splice(at, 1)
    if (whole) block.items = [whole.item]
    block.rest = null
  }

  /** A call with all that it was given and answered, at once; as it is where that is not there. */
  readNow(tool: ToolCall): ToolCall {
    if (!tool.leftOut) return tool
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

function withCall(item: Item, tool: ToolCall): Item {
  if (item.kind === 'tool') return { ...item, tool }
  return item.kind === 'shell' ? { ...item, shell: { ...item.shell, tool } } : item
}

function bounded(tool: ToolCall): ToolCall {
  const result = tool.result?.map(content =>
    content.type === 'text'
      ? { ...content, text: shortened(content.text, MOST_TEXT, noGap, 'beginning').text }
      : content,
  )
  return { ...tool, result: result ?? null }
}
