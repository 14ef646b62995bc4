/** The fields of `turn/start` for a prompt. Pure. */
import type { Prompt } from '../../agent/backend.ts'

/** `notes` come before the prompt and are not the user's words. */
export function promptFields({ text, images, before = [], memory }: Prompt, notes: readonly string[]) {
  const context = [...(memory ? [memory.text] : []), ...notes, ...before]
  const pictures = images.map(({ mimeType, data }) => ({ type: 'image', media_type: mimeType, source: 'inline', data }))
  return {
    prompt: pictures.length > 0 ? [{ type: 'text', text }, ...pictures] : text,
    ...(context.length > 0 && { injected_context: context }),
  }
}
