import { slashCommand } from '../slash-command.ts'

export const paste = slashCommand({
  name: 'paste',
  help: 'paste an image or text from the clipboard',
  group: 'program',
  needs: ['host'],
  run: ({ attaching }) => attaching.pasteClipboard(),
})
