/** Attaches images and files to the draft: from the clipboard, or as paths that were pasted or dropped. */
import { stat } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import { imageLabel } from '../../platform/images/attachment.ts'
import { isWsl } from '../../platform/clipboard/clipboard-tools.ts'
import { readClipboard } from '../../platform/clipboard/read-clipboard.ts'
import { looksLikeImage, readDroppedPaths, type DroppedPath } from '../../platform/images/paths.ts'
import { imageOf, readImage, type Image } from '../../platform/images/read-image.ts'
import { formatTokens } from '../../text/format.ts'
import { sentence } from '../../text/sentence.ts'
import type { TextRange } from '../../composer/editor.ts'
import { linesText, type MentionedLines } from '../../composer/mentions.ts'
import { fileChip, numberOf, type FileChip, type ImageChip } from '../../state/composer/chips.ts'
import { isBusy } from '../../state/state.ts'
import type { Composing } from './composing.ts'
import type { AppContext } from '../context/context.ts'
import type { MentionReader } from '../mentions/mention-reader.ts'
import type { Host } from '../context/host.ts'
import type { ImageReading } from './image-reading.ts'

export type Attaching = {
  /** Pastes a text. If it has only paths of images, these become chips. */
  paste: (text: string) => void
  /** Pastes the content of the clipboard, an image or a text. */
  pasteClipboard: () => void
  /** Replaces a range by the chip of a file or image. The chip then shows how much of it is sent. */
  addFile: (path: string, lines: MentionedLines | null, range: TextRange) => void
  /** Opens the chip before the caret: a paste in its place, a file on the alternate screen. False if there is none. */
  openChip: () => boolean
}

export type AttachingParts = {
  context: AppContext
  composing: Composing
  images: ImageReading
  mentions: Pick<MentionReader, 'look'>
  /** True if the screen shows this conversation. */
  isShown: () => boolean
  /** Shows a text to read. It may be unsanitised. */
  show: (title: string, text: string) => void
}

/** Pastes are added in the order in which they were made. */
export function createAttaching({ context, composing, images, mentions, isShown, show }: AttachingParts): Attaching {
  const { host, state, hint, keyed } = context
  const { inTurn } = images

  return {
    paste,
    pasteClipboard() {
      if (!host) return hint('There is no clipboard here.')
      hint('Reading the clipboard.')
      inTurn(() => addClipboard(host))
    },
    addFile(path, lines, range) {
      const character = composing.addFile(path, lines, range)
      if (host) inTurn(() => labelFile(character, path, lines))
    },
    openChip() {
      const file = composing.fileBefore()
      if (!file) return composing.openPaste()
      inTurn(() => openFile(file))
      return true
    },
  }

  function paste(text: string): void {
    const readings = host ? readDroppedPaths(text, { home: host.home, system: systemOf(host) }) : []
    const withImages = readings.filter(paths => paths.some(path => path.image))
    if (images.isReading() || withImages.length > 0) inTurn(() => addPaths(text, withImages))
    else composing.paste(text)
  }

  async function addClipboard(place: Host): Promise<void> {
    const content = await readClipboard(place)
    if (content.kind === 'none') return hint(content.reason)
    if (content.kind === 'image') {
      const read = imageOf(content.data)
      return read.ok ? add(read.image, null) : hint(sentence(`the image on the clipboard ${read.reason}`))
    }
    const paths = readDroppedPaths(content.text, host ? { home: host.home, system: systemOf(host) } : {})
    await addPaths(
      content.text,
      paths.filter(each => each.some(path => path.image)),
    )
  }

  async function addPaths(text: string, readings: readonly DroppedPath[][]): Promise<void> {
    for (const paths of readings) {
      // A file that is dropped on this terminal is on this machine; a relative path could mean the other one.
      if (host?.remote && !paths.every(({ path }) => isAbsolute(path))) continue
      const files = paths.map(({ path, image }) => ({ path: resolve(host?.folder ?? '', path), image }))
      if (!(await allThere(files))) continue
      // An image among other files stays a path, like the others.
      if (!files.every(({ image }) => image)) break
      const reads = await Promise.all(files.map(({ path }) => readImage(path)))
      const found = reads.flatMap(read => (read.ok ? [read.image] : []))
      if (found.length === files.length) return found.forEach((image, index) => add(image, files[index]?.path ?? null))
      composing.pasteRead(text)
      const at = reads.findIndex(read => !read.ok)
      const reason = reads.map(read => (read.ok ? '' : read.reason))[at] ?? ''
      return hint(`${basename(files[at]?.path ?? '')} ${reason}: the path was pasted as text.`)
    }
    composing.pasteRead(text)
  }

  function add(image: Image, path: string | null): void {
    composing.addRead(chipOf(image, path))
  }

  function chipOf(image: Image, path: string | null): ImageChip {
    const { mimeType, data, bytes, sha256 } = image
    const label = imageLabel(numberOf('image', state().chips), image)
    return {
      kind: 'image',
      label,
      image: { mimeType, data, sha256, ...(path !== null && { path }) },
      bytes,
      sha256,
      path,
    }
  }

  async function openFile({ path, lines }: FileChip): Promise<void> {
    const read = await mentions.look({ path, lines })
    if (!read) return hint(`Only the name ${path} will be sent.`)
    const { file, text } = read
    // The user may have left the chip meanwhile.
    const { picker, page, question } = state()
    if (!isShown() || picker || page || question || composing.fileBefore()?.path !== path) return
    if (text !== undefined) return show(`${path}${linesText(lines)}, as it will be sent`, text)
    hint(
      `${path} ${file.because ?? 'will be sent as an image'}.${file.sent === 'name' ? ' Only its name will be sent.' : ''}`,
    )
  }

  async function labelFile(character: string, path: string, lines: MentionedLines | null): Promise<void> {
    const file = (await mentions.look({ path, lines }))?.file
    if (file?.sent === 'name') {
      composing.relabelChip(character, fileChip(path, lines, '(name only)'))
      return hint(`${path} ${file.because}. Only its name will be sent.`)
    }
    if (looksLikeImage(path)) return showAsImage(character, resolve(host?.folder ?? '', path))
    if (file?.tokens === undefined) return
    composing.relabelChip(character, fileChip(path, lines, `~${formatTokens(file.tokens)} tokens`))
    if (!isBusy(state())) hint(keyed('{composer.queue_or_complete} shows what will be sent.'))
  }

  /** A file that is an image only by its name stays a path. */
  async function showAsImage(character: string, path: string): Promise<void> {
    const read = await readImage(path, host?.remote?.files)
    if (read.ok) composing.replaceChip(character, chipOf(read.image, path))
    else hint(`${basename(path)} ${read.reason}: the path stays as text.`)
  }
}

async function allThere(files: readonly DroppedPath[]): Promise<boolean> {
  try {
    await Promise.all(files.map(({ path }) => stat(path)))
    return true
  } catch {
    // A path to no file is text.
    return false
  }
}

function systemOf({ env, platform }: Host): 'posix' | 'windows' | 'wsl' {
  if (platform === 'win32') return 'windows'
  return isWsl(env, platform) ? 'wsl' : 'posix'
}
