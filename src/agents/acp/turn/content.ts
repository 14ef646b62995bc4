/** Translates blocks of content from the protocol and to it. Pure. */
import { pathToFileURL } from 'node:url'
import type { Prompt, PromptResource } from '../../../agent/backend.ts'
import type { Content } from '../../../agent/event.ts'
import type { CallDiff } from '../../../agent/turn-events.ts'
import type { AcpBlock, WireToolContent } from '../frame.ts'

/** Translates a block. What is neither text nor an image becomes a line of text. */
export function toContent(block: AcpBlock): Content {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text ?? '' }
    case 'image':
      return { type: 'image', mimeType: block.mimeType ?? '', bytes: Buffer.byteLength(block.data ?? '', 'base64') }
    case 'resource':
      return { type: 'text', text: block.resource?.text ?? `[${block.resource?.uri ?? 'a resource'}]` }
    case 'resource_link':
      return { type: 'text', text: `[${block.name ?? ''} ${block.uri ?? ''}]` }
    default:
      return { type: 'text', text: `[${block.type || 'something'} that cannot be shown]` }
  }
}

/** The content that a call shows, without diffs and terminals. */
export function shownContent(blocks: readonly WireToolContent[]): Content[] {
  return blocks.flatMap(({ content }) => (content ? [toContent(content)] : [])).map(withoutFence)
}

export function diffsOf(blocks: readonly WireToolContent[]): CallDiff[] {
  return blocks.flatMap(({ type, path, oldText, newText }) =>
    type === 'diff' && path !== undefined ? [{ path, before: oldText ?? null, after: newText ?? '' }] : [],
  )
}

/** The text of a list of blocks, for summaries. */
export function textOfBlocks(blocks: readonly AcpBlock[]): string {
  return blocks.flatMap(block => (block.type === 'text' && block.text ? [block.text] : [])).join('\n')
}

/** Some agents wrap the output of tools in a Markdown fence. */
const FENCE = /^(`{3,})[^\n`]*\n/

function withoutFence(content: Content): Content {
  const [begin = '', fence = ''] = (content.type === 'text' ? FENCE.exec(content.text) : null) ?? []
  if (content.type !== 'text' || fence === '') return content
  const inside = content.text.slice(begin.length).trimEnd()
  if (!inside.endsWith(fence)) return content
  return { type: 'text', text: inside.slice(0, -fence.length).replace(/\n$/, '') }
}

/**
 * The blocks of a prompt. An agent looks for its own commands at the beginning, so such a prompt comes before the added context. An agent that
 * `embeds` gets mentioned files as they are, after the prompt that mentions them.
 */
export function promptBlocks({ text, images, before = [], resources = [], memory }: Prompt, embeds: boolean): object[] {
  const embedded = embeds ? resources.filter(isEmbeddable) : []
  const replaced = new Set(embedded.map(({ instead }) => instead))
  const others = before.filter(each => !replaced.has(each))
  const context = [...(memory ? [memory.text] : []), ...others].map(each => ({ type: 'text', text: each }))
  const own = { type: 'text', text }
  const files = embedded.map(embeddedFile)
  const pictures = images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }))
  return text.startsWith('/') ? [own, ...context, ...files, ...pictures] : [...context, own, ...files, ...pictures]
}

/** Agents put a file into this element: one that ends it would seem to be the user's own words. An empty file may be lost. */
function isEmbeddable({ text }: PromptResource): boolean {
  return text !== '' && !/<\/?\s*context/i.test(text)
}

function embeddedFile({ path, lines, text }: PromptResource): object {
  const uri = `${pathToFileURL(path).href}${lines ? `#L${lines.from}:${lines.to}` : ''}`
  return { type: 'resource', resource: { uri, mimeType: 'text/plain', text } }
}
