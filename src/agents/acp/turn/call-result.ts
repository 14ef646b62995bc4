/** The result of a call: its output, in whichever field the agent puts it. Pure. */
import { z } from 'zod'
import type { Content } from '../../../agent/event.ts'
import { withExit } from '../../host/exit-line.ts'
import { MOST_OF_LINE } from '../../../text/lines/cut-text.ts'
import { memberAt, textAt } from '../../../text/member.ts'

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
  // Cline: one for each command of a call.
  result: words,
  success: z.boolean().optional().catch(undefined),
  // Copilot.
  contents: z
    .array(z.object({ exitCode: number }).catch({ exitCode: undefined }))
    .optional()
    .catch(undefined),
})

/** Data about a call that agents send in addition to the protocol. */
export type CallMeta = {
  output: string
  exitCode: number | null
  toolName: string | null
  parent: string | null
  /** What the tool itself has answered: Claude Code sends it before the end of the call. */
  response: unknown
}

/** Reads it without a schema, since each piece that a command prints has one. */
export function readMeta(meta: unknown): CallMeta {
  if (meta === undefined) return NO_META
  const exitCode = memberAt(meta, 'terminal_exit', 'exit_code')
  return {
    output: textAt(meta, 'terminal_output_delta', 'data') ?? '',
    exitCode: Number.isFinite(exitCode) ? Number(exitCode) : null,
    toolName: textAt(meta, 'claudeCode', 'toolName') ?? textAt(meta, 'toolName') ?? null,
    parent: textAt(meta, 'claudeCode', 'parentToolUseId') ?? null,
    response: memberAt(meta, 'claudeCode', 'toolResponse'),
  }
}

const NO_META: CallMeta = { output: '', exitCode: null, toolName: null, parent: null, response: undefined }

/** The parts of a result as an agent reported them. */
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
  if (code !== null && code !== 0) return { content: withExit(content, code), exitFailed: true }
  return { content, exitFailed: raw.isFailed }
}

type RawResult = { output: string | null; text: string; exitCode: number | null; isFailed: boolean }

function readRaw(raw: unknown): RawResult {
  if (!Array.isArray(raw)) return readOne(raw)
  const each = raw.map(readOne)
  const text = each.map(result => result.text.replace(/\n$/, '')).join('\n')
  return { output: null, text, exitCode: null, isFailed: each.some(({ isFailed }) => isFailed) }
}

function readOne(raw: unknown): RawResult {
  if (typeof raw === 'string') return { output: null, text: raw, exitCode: null, isFailed: false }
  const { data } = rawSchema.safeParse(raw)
  const { output, text, result, error, message, contents = [], success } = data ?? {}
  const ended = contents.find(({ exitCode }) => exitCode !== undefined)
  return {
    output: output ?? null,
    text: output ?? text ?? result ?? error ?? message ?? '',
    exitCode: data?.exitCode ?? data?.exit_code ?? data?.metadata?.exit ?? ended?.exitCode ?? null,
    isFailed: success === false,
  }
}

/** Appends to the output of a call. Only the end of a very long output is kept. */
export function printedWith(printed: string, piece: string): string {
  const all = printed + piece
  return all.length > 2 * MOST_OF_LINE ? all.slice(-MOST_OF_LINE) : all
}
