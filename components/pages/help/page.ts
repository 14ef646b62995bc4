/** The help: the keys and commands, or a text to read. */
import type { HelpRequest } from '../../../src/app/pages/pages.ts'
import { helpSections, helpText } from '../../../src/state/help.ts'
import type { Page } from '../page.ts'
import { transcriptKeys } from '../transcript/keys.ts'
import { helpAfter, type HelpMove } from './moves.ts'
import { createHelpReader, helpRows, type HelpReading } from './rows.ts'
import type { HelpState } from './state.ts'

export const help: Page<HelpState, HelpMove, never, HelpReading, HelpRequest> = {
  keys: transcriptKeys,
  initial: () => ({ from: 0 }),
  reader: ({ context: { keymap, commands } }, request) =>
    createHelpReader(
      request.kind === 'text' ? request : { kind: 'keys', sections: helpSections(keymap.bindings, commands()) },
    ),
  after: helpAfter,
  rows: helpRows,
  effects: () => ({ works: {} }),
  spoken: (request, { context }) =>
    request.kind === 'text'
      ? context.show(`${request.title}:\n\n${request.text}`)
      : context.show(helpText(context.keymap.bindings, context.commands())),
  load: async () => (await import('./HelpPage.tsx')).HelpPage,
}
