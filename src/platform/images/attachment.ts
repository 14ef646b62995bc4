/** Labels of the images in a prompt, for the user. */
import { formatBytes } from '../../text/format.ts'
import { IMAGE_LIMIT, type Image } from './read-image.ts'

/** The label of an image's chip: `[Image #1 640x480 34 KB]`. */
export function imageLabel(
  number: number,
  { width, height, bytes }: Pick<Image, 'width' | 'height' | 'bytes'>,
): string {
  return `[Image #${number} ${width}x${height} ${formatBytes(bytes).replace('kB', 'KB')}]`
}

/** The reason why these images cannot be sent in one prompt, as a sentence; null if they can. */
export function attachmentsProblem(images: readonly Pick<Image, 'bytes'>[]): string | null {
  const bytes = images.reduce((sum, image) => sum + image.bytes, 0)
  if (bytes <= IMAGE_LIMIT) return null
  const what = images.length === 1 ? 'The image has' : `The ${images.length} images have`
  return `${what} ${formatBytes(bytes)}; one prompt can carry ${formatBytes(IMAGE_LIMIT)}. Remove some, or make them smaller.`
}
