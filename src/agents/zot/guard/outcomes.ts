/** The outcome of a tool that ran here, in zot's words and in ours. */
import type { Content } from '../../../agent/event.ts'
import type { ToolOutcome } from '../../../local-tools/tool.ts'
import type { WireBlock } from './frames.ts'

export function toBlocks({ content }: ToolOutcome): WireBlock[] {
  return content.map(part =>
    part.type === 'text' ? part : { type: 'image', mime_type: part.mimeType, data: part.data },
  )
}

export function toContents({ content }: ToolOutcome): Content[] {
  return content.map(part =>
    part.type === 'text'
      ? part
      : { type: 'image', mimeType: part.mimeType, bytes: Buffer.byteLength(part.data, 'base64') },
  )
}

/** The text for a model that is told with a prompt, which tells no images. */
export function toText({ content }: ToolOutcome): string {
  return content.map(part => (part.type === 'text' ? part.text : `(an image of type ${part.mimeType})`)).join('\n')
}
