import type { Prompt, PromptImage, Steer } from './backend.ts'
import type { EventOf } from './event.ts'

/** The event of a prompt that was sent. Of its images the event has the sizes, not the contents. */
export function promptSent(prompt: Prompt, at: number): EventOf<'prompt_sent'> {
  const { text, typed, by, from, images, before = [], files = [], memory } = prompt
  return {
    type: 'prompt_sent',
    at,
    text,
    ...(typed !== undefined && typed !== text && { typed }),
    ...(by && { by }),
    ...(from !== undefined && { from }),
    images: images.map(measured),
    ...(before.length > 0 && { before: [...before] }),
    ...(files.length > 0 && { files: [...files] }),
    ...(memory && { memory: memory.facts }),
  }
}

/** The event of words that a running turn has got. */
export function steerDelivered({ id, prompt }: Steer, at: number): EventOf<'steer_delivered'> {
  const { text, typed, from, images, before = [], files = [] } = prompt
  return {
    type: 'steer_delivered',
    at,
    id,
    text,
    ...(typed !== undefined && typed !== text && { typed }),
    images: images.map(measured),
    ...(before.length > 0 && { before: [...before] }),
    ...(files.length > 0 && { files: [...files] }),
    ...(from !== undefined && { from }),
  }
}

function measured({ data, ...facts }: PromptImage): Omit<PromptImage, 'data'> & { bytes: number } {
  return { ...facts, bytes: Buffer.byteLength(data, 'base64') }
}
