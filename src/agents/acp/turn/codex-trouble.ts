/** Failures of the model that Codex reports beside the protocol. Pure. */
import { z } from 'zod'

const words = z.string().optional().catch(undefined)

const codexSchema = z.object({
  codex: z.object({
    error: z
      .object({ message: words, additionalDetails: words, willRetry: z.boolean().catch(false) })
      .optional()
      .catch(undefined),
    threadStatus: z.object({ type: words }).optional().catch(undefined),
  }),
})

type CodexTrouble =
  | { kind: 'retry'; message: string; attempt: number | null; of: number | null }
  | { kind: 'failure'; message: string }

/**
 * Failures of the model that Codex reports in the `_meta` of an update, in addition to the protocol: its turn then ends like a successful
 * one. Null where nothing is wrong.
 */
export function readCodexTrouble(meta: unknown): CodexTrouble | null {
  const { data } = codexSchema.safeParse(meta)
  if (!data) return null
  const { error, threadStatus } = data.codex
  if (threadStatus?.type === 'systemError') return { kind: 'failure', message: '' }
  if (!error) return null
  const message = error.additionalDetails ?? error.message ?? ''
  if (!error.willRetry) return { kind: 'failure', message }
  const [, attempt, of] = /(?<!\d)(\d{1,6})\/(\d{1,6})(?!\d)/.exec(error.message ?? '') ?? []
  return { kind: 'retry', message, attempt: attempt ? Number(attempt) : null, of: of ? Number(of) : null }
}
