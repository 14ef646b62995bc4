/** The outcome of a tool that ran here, in our words. */
import type { Content } from '../../agent/event.ts'
import type { ToolOutcome } from '../../local-tools/tool.ts'

export function toContents({ content }: ToolOutcome): Content[] {
  return content.map(part =>
    part.type === 'text'
      ? part
      : { type: 'image', mimeType: part.mimeType, bytes: Buffer.byteLength(part.data, 'base64') },
  )
}

/** The text for a model that gets the outcome in a prompt, which has no images. */
export function toText({ content }: ToolOutcome): string {
  return content.map(part => (part.type === 'text' ? part.text : `(an image of type ${part.mimeType})`)).join('\n')
}
