/** `/export`: the conversation as a file. */
import { exportFormats, type ExportFormat } from '../../../export/formats.ts'
import { slashCommand } from '../../slash-command.ts'

const ABOUT: Readonly<Record<ExportFormat, string>> = {
  md: 'Markdown, to read and to paste',
  html: 'one page for a browser, with a search',
  json: 'for programs',
  zotsession: 'for zot, and to be imported again',
}

const formats = exportFormats.map(format => ({ label: format, detail: ABOUT[format] }))

export const exportCommand = slashCommand({
  name: 'export',
  aliases: ['save'],
  argument: '[format] [file]',
  completes: { choices: () => formats },
  help: 'save the conversation: md, html, json, zotsession',
  group: 'conversation',
  needs: ['host'],
  run: async ({ context }, argument) =>
    (await import('./export-conversation.ts')).exportConversation(context, argument),
})
