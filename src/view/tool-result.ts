import type { Content } from '../agent/event.ts'

/** A result's texts, one after the other; images as their kind and size. */
export function resultText(content: readonly Content[]): string {
  return content
    .map(block =>
      block.type === 'text' ? block.text : `[image: ${block.mimeType || 'unknown kind'}, ${block.bytes} bytes]`,
    )
    .join('\n')
}

export type BashResult = {
  output: string
  exitCode: number
  /** As zot words it: `0.3s`, `1m5s`. */
  duration: string
  /** File with the whole output, where it was cut. */
  fullOutput: string | null
}

/**
 * Takes apart the text of a bash result: `$ command`, an empty line, the output, an empty line and a footer (zot-rpc.md
 * 2.21). Null where the footer is missing, as with an error before the start.
 */
export function parseBashResult(text: string): BashResult | null {
  const end = text.lastIndexOf('\n')
  const footer = /^\[exit (-?\d+)\](?: \(full output: (.+?)\))? {2}Took (\S+)$/.exec(text.slice(end + 1))
  if (!footer) return null
  return {
    output: bashOutput(text.slice(0, Math.max(0, end))),
    exitCode: Number(footer[1]),
    duration: footer[3] ?? '',
    fullOutput: footer[2] ?? null,
  }
}

/** The command may have several lines and the result does not say how many: the first empty line ends it. */
function bashOutput(body: string): string {
  const start = body.indexOf('\n\n')
  return start < 0 ? '' : body.slice(start + 2).replace(/\n+$/, '')
}
