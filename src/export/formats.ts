/** The table of formats that a session is exported in. The name of a format is the extension of its files. */
import { loadCommonLanguages } from '../markdown/languages.ts'
import { toJson } from '../text/json.ts'
import type { Zone } from './facts.ts'
import type { Transcript } from './schema.ts'

export const exportFormats = ['md', 'html', 'json', 'zotsession'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The pieces of the text, an entry of the session each. */
type Write = (transcript: Transcript, zone: Zone) => Iterable<string>

/** Each is loaded when it is asked for. */
const writers: Readonly<Record<ExportFormat, () => Promise<Write>>> = {
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
  /** Where times are told, an IANA name; left out it is here. */
  zone?: string
  /** Lets others do something in between: a long session takes seconds. */
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
