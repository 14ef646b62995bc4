/** The outcome of a tool that ran here, in zot's words. */
import type { ToolOutcome } from '../../../local-tools/tool.ts'
import type { WireBlock } from './link/frames.ts'

export function toBlocks({ content }: ToolOutcome): WireBlock[] {
  return content.map(part =>
    part.type === 'text' ? part : { type: 'image', mime_type: part.mimeType, data: part.data },
  )
}
