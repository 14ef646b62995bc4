/** Failures of the model that Codex reports in addition to the protocol: its turn then ends like a successful one. Pure. */
import { z } from 'zod'

const words = z.string().optional().catch(undefined)

const schema = z.object({
  codex: z.object({
    error: z
      .object({ message: words, additionalDetails: words, willRetry: z.boolean().catch(false) })
      .optional()
      .catch(undefined),
    threadStatus: z.object({ type: words }).optional().catch(undefined),
  }),
})

export type CodexTrouble =
  | { kind: 'retry'; message: string; attempt: number | null; of: number | null }
  | { kind: 'failure'; message: string }

/** Reads the `_meta` of an update; null where nothing is wrong. */
export function readCodex(meta: unknown): CodexTrouble | null {
  const { data } = schema.safeParse(meta)
  if (!data) return null
  const { error, threadStatus } = data.codex
  if (threadStatus?.type === 'systemError') return { kind: 'failure', message: '' }
  if (!error) return null
  const message = error.additionalDetails ?? error.message ?? ''
  if (!error.willRetry) return { kind: 'failure', message }
  const [, attempt, of] = /(?<!\d)(\d{1,6})\/(\d{1,6})(?!\d)/.exec(error.message ?? '') ?? []
  return { kind: 'retry', message, attempt: attempt ? Number(attempt) : null, of: of ? Number(of) : null }
}
