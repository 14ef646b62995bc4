/** Reads the files that a prompt mentions, if the settings, the permissions and their sizes allow it. */
import type { AttachedFile } from '../../agent/attached-file.ts'
import type { PromptImage, PromptResource } from '../../agent/backend.ts'
import { mentionsIn, type Mention, type MentionReading } from '../../composer/mentions.ts'
import { codeOf, messageOf } from '../../platform/errors.ts'
import { IMAGE_LIMIT } from '../../platform/images/read-image.ts'
import type { ProjectFiles } from '../../platform/project-files.ts'
import { formatDuration } from '../../text/format.ts'
import { onlyNamed, readMention, type ListFolder, type PromptRoom, type ReadMention } from './read-file.ts'

/** The files that are sent with a prompt: their facts, the texts to send before it, and images. */
export type Attachments = {
  files: readonly AttachedFile[]
  texts: readonly string[]
  images: readonly PromptImage[]
  /** The texts of files for an agent that takes them apart from its text. */
  resources: readonly PromptResource[]
}

export const nothingAttached: Attachments = { files: [], texts: [], images: [], resources: [] }

/** Resolves a path, and says why its content may not be sent, as the end of a sentence; null if it may. */
export type MentionPermit = (path: string) => Promise<{ path: string; refusal: string | null }>

export type MentionReaderParts = {
  /** The machine of the files. */
  files: ProjectFiles
  list: ListFolder
  permit: MentionPermit
  /** For a prompt of somebody who is not at the terminal; `permit` by default. */
  permitOutside?: MentionPermit
  /** The current settings: whether contents are sent, and the maximum of their tokens in a prompt. */
  limits: () => MentionLimits
}

type MentionLimits = { mentions: 'content' | 'name'; mentionTokens: number }

export type MentionReader = {
  /** Reads the files that the user's own text mentions; null at once if there is nothing to read. Never rejects. */
  read: (text: string, isFromOutside?: boolean) => Promise<Attachments> | null
  /** Reads one file as it would be sent; null if there is none, or if only names are sent. Never rejects. */
  look: (mention: MentionReading) => Promise<ReadMention | null>
}

/** Reads nothing. */
export const noMentions: MentionReader = { read: () => null, look: async () => null }

/** The maximum of mentions in a prompt. */
const MOST_MENTIONS = 50
/** Milliseconds for all of them: a file system that hangs must not block a prompt for ever. */
const LIMIT = 10_000

export function createMentionReader(parts: MentionReaderParts): MentionReader {
  const { files, list, limits, permitOutside = parts.permit } = parts
  return {
    read(text, isFromOutside = false) {
      const { mentions, mentionTokens } = limits()
      const found = mentions === 'name' ? [] : mentionsIn(text).slice(0, MOST_MENTIONS)
      return found.length === 0 ? null : readAll(found, mentionTokens, isFromOutside ? permitOutside : parts.permit)
    },
    async look(mention) {
      const { mentions, mentionTokens } = limits()
      if (mentions === 'name') return null
      const { files: found, texts } = await readAll([[mention]], mentionTokens, parts.permit)
      const [[file], [text]] = [found, texts]
      return file && file.sent !== 'missing' ? { file, ...(text !== undefined && { text }) } : null
    },
  }

  async function readAll(mentions: readonly Mention[], all: number, permit: MentionPermit): Promise<Attachments> {
    const room: PromptRoom = { tokens: all, imageBytes: IMAGE_LIMIT, all }
    const read = new Map<string, ReadMention>()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(resolve, LIMIT, 'late')
    })
    for (const readings of mentions) {
      const attached = await Promise.race([readFirst(readings, permit, room, read), late])
      if (attached === 'late') {
        const [mention] = readings
        if (mention) read.set(keyOf(mention), onlyNamed(mention, `could not be read within ${formatDuration(LIMIT)}`))
        break
      }
      if (attached === null) continue
      read.set(keyOf(attached.mention), attached.read)
      room.tokens -= attached.read.file.tokens ?? 0
      if (attached.read.file.sent === 'image') room.imageBytes -= attached.read.file.bytes ?? 0
    }
    clearTimeout(timer)
    const results = [...read.values()]
    return {
      files: results.map(({ file }) => file),
      texts: results.flatMap(each => each.text ?? []),
      images: results.flatMap(each => each.image ?? []),
      resources: results.flatMap(each => each.resource ?? []),
    }
  }

  /** Reads the first path that exists; null if it was read before. */
  async function readFirst(
    readings: Mention,
    permit: MentionPermit,
    room: PromptRoom,
    before: ReadonlyMap<string, unknown>,
  ): Promise<{ mention: MentionReading; read: ReadMention } | null> {
    let folder: MentionReading | null = null
    for (const mention of readings) {
      try {
        const { path, refusal } = await permit(mention.path)
        const facts = await files.stats(path)
        // A word such as @media names no folder; with a slash it does.
        if (facts?.kind === 'folder' && !mention.path.endsWith('/')) folder ??= mention
        if (facts === null || folder === mention) continue
        if (before.has(keyOf(mention))) return null
        if (refusal !== null) return { mention, read: onlyNamed(mention, refusal) }
        return { mention, read: await readMention({ mention, path, facts }, files, list, room) }
      } catch (error) {
        if (codeOf(error) === 'ENAMETOOLONG') continue
        return { mention, read: onlyNamed(mention, `cannot be read: ${messageOf(error)}`) }
      }
    }
    const mention = folder ?? readings.at(-1)
    if (!mention || before.has(keyOf(mention))) return null
    const because = folder === null ? 'names no file here' : 'is a folder; with a slash at its end its files are listed'
    return { mention, read: { file: { path: mention.path, sent: 'missing', because } } }
  }
}

function keyOf({ path, lines }: MentionReading): string {
  return JSON.stringify([path, lines])
}
