/** Draws tool calls and notices of a run without the UI on standard error. */
import process from 'node:process'
import type { Settings } from '../../src/config/schema.ts'
import type { PrintedNote } from '../../src/print/text-writer.ts'
import { createTheme } from '../../src/style/theme.ts'
import { colorDepth, showsUnicode } from '../../src/terminal/capabilities.ts'
import { paintLine } from '../../src/terminal/output/paint.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import { writeLines } from '../standard-streams.ts'

/** Returns a function that prints one line for each tool call. */
export function notePrinter({ color, ascii }: Settings): (note: PrintedNote) => void {
  const { env, platform } = process
  const unicode = !ascii && showsUnicode(env, platform)
  const theme = createTheme(color ? colorDepth(env, platform) : 0, { definition: null, unicode, hyperlinks: false })
  return note => {
    const width = process.stderr.columns || 80
    writeLines(renderItem(note, { theme, markdown: theme.markdown, width, detail: 'names' }), paintLine)
  }
}
