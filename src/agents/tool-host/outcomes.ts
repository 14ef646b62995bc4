/** The outcome of a tool that ran here, in our words. */
import type { Content } from '../../agent/event.ts'
import { text, type ToolOutcome } from '../../local-tools/tool.ts'
import type { HostedResult } from './tool-host.ts'

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

/** The result as the model gets it: with what the user says to it now. */
export function asHeard({ words, ...result }: HostedResult): HostedResult {
  return words ? { ...result, content: [...result.content, ...text(`\n${words.text}`).content] } : result
}
