/** Reads images in the order of their pastes, and the images of restored drafts. */
import { basename } from 'node:path'
import { readImage } from '../../platform/images/read-image.ts'
import type { AppContext } from '../context/context.ts'
import type { RestoredImage } from '../context/draft-store.ts'

export type ImageReading = {
  /** Calls `work` after the current readings. */
  inTurn: (work: () => Promise<void>) => void
  isReading: () => boolean
  /** Reads the images of restored drafts again. */
  restore: (images: readonly RestoredImage[]) => void
  /** Calls `work` when nothing is being read: usually at once. A reading that has failed is over, too. */
  after: (work: () => void) => void
}

export function createImageReading({ state, dispatch, addNotice }: AppContext): ImageReading {
  let last: Promise<void> | null = null
  return {
    inTurn,
    isReading: () => last !== null,
    restore(images) {
      if (images.length > 0) inTurn(() => readAgain(images))
    },
    after(work) {
      if (last) void last.then(work, work)
      else work()
    },
  }

  function inTurn(work: () => Promise<void>): void {
    const mine: Promise<void> = (last ?? Promise.resolve()).then(work).finally(() => {
      if (last === mine) last = null
    })
    last = mine
  }

  async function readAgain(images: readonly RestoredImage[]): Promise<void> {
    for (const { character, file } of images) {
      const chip = state().chips.get(character)
      if (chip?.kind !== 'image') continue
      const { label, path, sha256 } = chip
      const read = await readImage(file)
      if (!read.ok || read.image.sha256 !== sha256) {
        const why = read.ok ? 'has changed' : read.reason
        const what = path === null ? 'its stored copy' : basename(path)
        addNotice('warn', `Only the label ${label} will be sent: ${what} ${why}.`, 'Paste the image again to send it.')
        continue
      }
      const { mimeType, data, bytes } = read.image
      const image = { mimeType, data, sha256, ...(path !== null && { path }) }
      dispatch({ type: 'image_read', character, chip: { ...chip, image, bytes } })
    }
  }
}
