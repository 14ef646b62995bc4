/** The export formats of a session. The name of a format is the extension of its files. */
import { loadCommonLanguages } from '../markdown/code/languages.ts'
import { toJson } from '../text/json.ts'
import type { TimeZone } from './fact-words.ts'
import type { Transcript } from './schema.ts'

export const exportFormats = ['md', 'html', 'json', 'zotsession'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Yields the text in pieces, one for each entry of the session. */
type WriteExport = (transcript: Transcript, zone: TimeZone) => Iterable<string>

/** Each writer is loaded when needed. */
const writers: Readonly<Record<ExportFormat, () => Promise<WriteExport>>> = {
  md: async () => (await import('./markdown.ts')).toMarkdown,
  async html() {
    await loadCommonLanguages()
    return (await import('./html.ts')).toHtml
  },
  json: () => Promise.resolve(transcript => [`${toJson(transcript, 2)}\n`]),
  zotsession: async () => (await import('./zotsession.ts')).toZotsession,
}

export function exportFormatOf(word: string): ExportFormat | null {
  return exportFormats.find(format => format === word) ?? null
}

export type ExportOptions = {
  /** The time zone by its IANA name; the local one by default. */
  zone?: string
  /** Called between pieces, since a long session takes seconds. */
  pause?: () => Promise<unknown>
}

/** The session as a text in that format. */
export async function exported(
  transcript: Transcript,
  format: ExportFormat,
  { zone, pause }: ExportOptions = {},
): Promise<string> {
  const write = await writers[format]()
  const pieces: string[] = []
  for (const piece of write(transcript, zone)) {
    pieces.push(piece)
    await pause?.()
  }
  return pieces.join('')
}
