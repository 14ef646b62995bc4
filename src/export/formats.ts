/** The table of formats that a session is exported in. The name of a format is the extension of its files. */
import { loadCommonLanguages } from '../markdown/languages.ts'
import type { Zone } from './facts.ts'
import type { Transcript } from './schema.ts'

export const exportFormats = ['md', 'html', 'json', 'zotsession'] as const
export type ExportFormat = (typeof exportFormats)[number]

type Write = (transcript: Transcript, zone: Zone) => string

/** Each is loaded when it is asked for. */
const writers: Readonly<Record<ExportFormat, () => Promise<Write>>> = {
  md: async () => (await import('./markdown.ts')).toMarkdown,
  async html() {
    await loadCommonLanguages()
    return (await import('./html.ts')).toHtml
  },
  json: () => Promise.resolve(transcript => `${JSON.stringify(transcript, null, 2)}\n`),
  zotsession: async () => (await import('./zotsession.ts')).toZotsession,
}

export function exportFormatOf(word: string): ExportFormat | null {
  return exportFormats.find(format => format === word) ?? null
}

/** The session as a text in that format. `zone` is where times are told, an IANA name; left out it is here. */
export async function exported(transcript: Transcript, format: ExportFormat, zone?: string): Promise<string> {
  const write = await writers[format]()
  return write(transcript, zone)
}
