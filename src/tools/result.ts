/** Parses a tool's result: exit codes, counts and files are found only inside its text. */
import type { Content } from '../agent/event.ts'
import { formatBytes } from '../text/format.ts'
import { withoutEnd } from '../text/without-end.ts'

/** The texts of a result joined by newlines; images are named by kind and size. */
export function resultText(content: readonly Content[]): string {
  return content.map(block => (block.type === 'text' ? block.text : imageText(block))).join('\n')
}

export function imageText({ mimeType, bytes }: { mimeType: string; bytes: number }): string {
  const kind = mimeType.replace(/^image\//, '').replaceAll(/[^\w.+/-]/g, '')
  return `[image: ${kind || 'unknown kind'} ${formatBytes(bytes)}]`
}

/** Whether a result says only that the call was stopped, in the words of zot and of Go: `aborted: start: context canceled`. */
export function isStopText(text: string): boolean {
  return /^(?:aborted: )?(?:start: )?context canceled$/.test(text.trim())
}

export type BashResult = {
  output: string
  exitCode: number
  /** In zot's format: `0.3s`, `1m5s`. */
  duration: string
  /** The file with the whole output, if it was truncated. */
  fullOutput: string | null
}

/**
 * Parses a bash result: `$ command`, an empty line, the output, an empty line and a footer (docs/zot-protocol.md, 21). Null
 * if the footer is missing, as with an error before the start. The command itself may contain empty lines, so it is needed
 * to find the beginning of the output.
 */
export function parseBashResult(text: string, command?: string): BashResult | null {
  const end = text.lastIndexOf('\n')
  const footer = /^\[exit (-?\d+)\](?: \(full output: (.+?)\))? {2}Took (\S+)$/.exec(text.slice(end + 1))
  if (!footer) return null
  return {
    output: bashOutput(text.slice(0, Math.max(0, end)), command),
    exitCode: Number(footer[1]),
    duration: footer[3] ?? '',
    fullOutput: footer[2] ?? null,
  }
}

function bashOutput(body: string, command: string | undefined): string {
  const head = `$ ${command}\n\n`
  if (command !== undefined && `${body}\n`.startsWith(head)) return withoutEnd(body.slice(head.length), /\n/)
  // An unknown command is assumed to end at the first empty line.
  const start = body.indexOf('\n\n')
  return start < 0 ? '' : withoutEnd(body.slice(start + 2), /\n/)
}

/** The milliseconds of a duration in zot's format; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text)
  if (!match || text === '') return null
  const [, hours = 0, minutes = 0, seconds = 0] = match
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
}

export type CutText = {
  /** The text without the line about truncation. */
  text: string
  /** The limit in zot's words: `2000 lines`, `51200 bytes`; null if it was not truncated. */
  limit: string | null
}

/** Removes zot's lines about truncation from the end of an output. */
export function withoutCutMark(text: string): CutText {
  let limit: string | null = null
  let rest = text
  for (;;) {
    const match = /(?:^|\n)\.\.\. \[truncated at (\d+ (?:lines|bytes))\]\n?$/.exec(rest.slice(-60))
    if (!match) return { text: rest, limit }
    limit = match[1] ?? null
    rest = rest.slice(0, rest.length - match[0].length)
    if (match[0].startsWith('\n')) rest += '\n'
  }
}

/** The number of lines in a text; a final newline does not begin another. */
export function lineCount(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
