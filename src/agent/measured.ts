import type { PromptImage } from './backend.ts'

/** The properties of an image, with its size in bytes instead of its content. */
export function measured({ data, ...facts }: PromptImage): Omit<PromptImage, 'data'> & { bytes: number } {
  return { ...facts, bytes: Buffer.byteLength(data, 'base64') }
}
