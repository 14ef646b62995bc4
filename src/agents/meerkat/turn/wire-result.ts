/** The result of a tool of ours as Meerkat reads it. Pure. */
import type { ToolOutcome } from '../../../local-tools/tool.ts'

/** `data` is base64. */
type WireResultBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; media_type: string; source: 'inline'; data: string }

export function wireResult({ content, isError }: ToolOutcome): {
  content: string | readonly WireResultBlock[]
  is_error: boolean
} {
  const [only] = content
  if (content.length === 1 && only?.type === 'text') return { content: only.text, is_error: isError }
  const blocks = content.map((part): WireResultBlock =>
    part.type === 'text' ? part : { type: 'image', media_type: part.mimeType, source: 'inline', data: part.data },
  )
  return { content: blocks, is_error: isError }
}
