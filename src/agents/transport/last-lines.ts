/** The last lines of a text stream that may be endless. */

const LF = 0x0a

export type LastLines = {
  push(chunk: Buffer): void
  /** The last lines, oldest first, without empty ones at the end. */
  lines(): readonly string[]
}

/** Keeps the last `maxLines` lines, and at most about twice `maxBytes`. A line cut by that bound is dropped, unless it is the only one. */
export function createLastLines(maxLines: number, maxBytes: number): LastLines {
  let chunks: Buffer[] = []
  let size = 0
  /** Whether anything was dropped, so that the first line may be incomplete. */
  let cut = false

  const shrink = (): void => {
    const all = Buffer.concat(chunks)
    const kept = Buffer.from(all.subarray(-maxBytes))
    cut ||= kept.length < all.length
    chunks = [kept]
    size = kept.length
  }
  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      // Shrinking at twice the bound keeps the cost of a flood linear.
      if (size > 2 * maxBytes) shrink()
    },
    lines() {
      shrink()
      const [bytes = Buffer.alloc(0)] = chunks
      const from = cut ? bytes.indexOf(LF) + 1 : 0
      const text = bytes.toString('utf8', from).trimEnd()
      return text === '' ? [] : text.split(/\r?\n/u).slice(-maxLines)
    },
  }
}
