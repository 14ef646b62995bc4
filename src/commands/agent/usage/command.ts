import { slashCommand } from '../../slash-command.ts'
import { USAGE_DAYS, usageText } from './usage-text.ts'

export const usage = slashCommand({
  name: 'usage',
  aliases: ['cost', 'stats', 'status', 'tokens'],
  help: 'tokens, cost and time by day, model and folder',
  group: 'agent',
  run({ context, pages }) {
    const { ledger, sessionId, now, showsUnicode, state } = context
    pages.open('usage', {
      note: ledger ? (ledger.note ?? '') : 'Only this session: usage is not recorded here.',
      text: () =>
        usageText({
          chat: state().chat,
          noted: ledger ? { records: ledger.read(USAGE_DAYS), session: sessionId() ?? '' } : null,
          now: now(),
          showsUnicode,
        }),
      save: async (selection, format) => (await import('./save-usage.ts')).saveUsage(context, selection, format),
    })
  },
})
