/** The export formats as a list to choose from. */
import { exportFormats, type ExportFormat } from '../../export/formats.ts'
import type { Choice } from '../pickers/picker.ts'

const ABOUT: Readonly<Record<ExportFormat, string>> = {
  md: 'Markdown, to read and to paste',
  html: 'one page for a browser, with a search',
  json: 'for programs',
  zotsession: 'for zot, and to be imported again',
}

export const exportChoices: readonly Choice[] = exportFormats.map(format => ({ label: format, detail: ABOUT[format] }))
