import { slashCommand } from '../../slash-command.ts'
import { USAGE_DAYS, usageText } from './usage-text.ts'

export const usage = slashCommand({
  name: 'usage',
  aliases: ['cost', 'stats', 'status', 'tokens'],
  help: 'tokens, cache and cost of this session',
  group: 'agent',
  run({ context: { ledger, sessions, now, showsUnicode, show, state } }) {
    const noted = ledger ? { records: ledger.read(USAGE_DAYS), session: sessions?.current().id ?? '' } : null
    show(usageText({ chat: state().chat, noted, now: now(), showsUnicode }))
  },
})
