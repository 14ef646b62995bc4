/** The result of a call: its output, in whichever field the agent puts it. Pure. */
import { isObject } from '../../../text/json.ts'
import { z } from 'zod'
import type { Content } from '../../../agent/event.ts'
import { withExit } from '../../rpc/exit-line.ts'
import { MOST_OF_LINE } from '../../../text/lines/cut-text.ts'
import { lookup } from '../../../text/lookup.ts'

const number = z.number().optional().catch(undefined)
const words = z.string().optional().catch(undefined)

const rawSchema = z.object({
  output: words,
  text: words,
  error: words,
  message: words,
  exitCode: number,
  exit_code: number,
  metadata: z.object({ exit: number }).optional().catch(undefined),
})

/** Data about a call that agents send in addition to the protocol. */
export type CallMeta = { output: string; exitCode: number | null; toolName: string | null; parent: string | null }

/** Reads it without a schema, since each piece that a command prints has one. */
export function readMeta(meta: unknown): CallMeta {
  if (meta === undefined) return NO_META
  const exitCode = at(meta, 'terminal_exit', 'exit_code')
  return {
    output: textAt(meta, 'terminal_output_delta', 'data') ?? '',
    exitCode: Number.isFinite(exitCode) ? Number(exitCode) : null,
    toolName: textAt(meta, 'claudeCode', 'toolName') ?? textAt(meta, 'toolName'),
    parent: textAt(meta, 'claudeCode', 'parentToolUseId'),
  }
}

const NO_META: CallMeta = { output: '', exitCode: null, toolName: null, parent: null }

function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : null
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) ? lookup(found, name) : undefined
  return found
}

/** The parts of a result as an agent told them. */
export type ResultParts = {
  /** The content that the call shows. */
  shown: readonly Content[]
  /** Its printed output, piece by piece. */
  printed: string
  rawOutput: unknown
  /** Sent in addition to the protocol. */
  exitCode: number | null
  isCommand: boolean
}

/** The content of a result, and whether its exit code means failure. */
export function resultOf({ shown, printed, rawOutput, exitCode, isCommand }: ResultParts): {
  content: Content[]
  exitFailed: boolean
} {
  const raw = readRaw(rawOutput)
  const code = exitCode ?? raw.exitCode
  // The output of a command stands there in plain words, and among others in the shown content.
  const plain = isCommand && raw.output !== null ? raw.output : null
  const text = plain ?? (shown.length > 0 ? null : printed || raw.text)
  const content = text === null ? [...shown] : text === '' ? [] : [{ type: 'text' as const, text }]
  const exitFailed = code !== null && code !== 0
  return { content: exitFailed ? withExit(content, code) : content, exitFailed }
}

function readRaw(raw: unknown): { output: string | null; text: string; exitCode: number | null } {
  if (typeof raw === 'string') return { output: null, text: raw, exitCode: null }
  const { data } = rawSchema.safeParse(raw)
  const { output, text, error, message } = data ?? {}
  return {
    output: output ?? null,
    text: output ?? text ?? error ?? message ?? '',
    exitCode: data?.exitCode ?? data?.exit_code ?? data?.metadata?.exit ?? null,
  }
}

/** Appends to the output of a call. Only the end of a very long output is kept. */
export function printedWith(printed: string, piece: string): string {
  const all = printed + piece
  return all.length > 2 * MOST_OF_LINE ? all.slice(-MOST_OF_LINE) : all
}
