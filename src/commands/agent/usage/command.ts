import { slashCommand } from '../../slash-command.ts'
import { USAGE_DAYS, usageText } from './usage-text.ts'

export const usage = slashCommand({
  name: 'usage',
  aliases: ['cost', 'stats', 'status', 'tokens'],
  argument: '[limit USD]',
  help: 'tokens, cost and time by day, model and folder; limit: raises maxCostPerDayUsd for today',
  group: 'agent',
  async run({ context, pages }, argument) {
    const { ledger, dayCost, sessionId, now, showsUnicode, state } = context
    if (argument !== '') return (await import('./raise-limit.ts')).raiseLimit(context, argument)
    const ofLedger = ledger ? (ledger.note ?? '') : 'Only this session: usage is not recorded here.'
    const note = (): string => [dayCost?.words() ?? '', ofLedger].filter(words => words !== '').join(' ')
    pages.open('usage', {
      note,
      text: () =>
        usageText({
          chat: state().chat,
          noted: ledger ? { records: ledger.read(USAGE_DAYS), session: sessionId() ?? '' } : null,
          day: dayCost?.words() ?? '',
          now: now(),
          showsUnicode,
        }),
      save: async (selection, format) => (await import('./save-usage.ts')).saveUsage(context, selection, format),
    })
    return undefined
  },
})
