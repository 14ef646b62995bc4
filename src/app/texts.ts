/** What /help and /usage say. */
import type { ChatState } from '../chat/state.ts'
import { formatCost, formatPercent, formatTokens } from '../text/format.ts'
import { bindings } from './keymap.ts'
import type { SlashCommand } from './slash.ts'

const KEY_COLUMN = 24

export function helpText(commands: readonly SlashCommand[]): string {
  const keys = bindings
    .filter(binding => binding.help !== null)
    .map(binding => `  ${binding.keys.map(keyLabel).join(', ').padEnd(KEY_COLUMN)}${binding.help}`)
  const slashes = commands.map(command => {
    const name = `/${command.name}${command.argument ? ` ${command.argument}` : ''}`
    const aliases = command.aliases.length > 0 ? ` (${command.aliases.map(alias => `/${alias}`).join(' ')})` : ''
    return `  ${name.padEnd(KEY_COLUMN)}${command.help}${aliases}`
  })
  return ['Keys', ...keys, '', 'Commands', ...slashes].join('\n')
}

/** `ctrl+j` as people write it: `Ctrl+J`. */
export function keyLabel(key: string): string {
  return key
    .split('+')
    .map(part => (part === 'escape' ? 'Esc' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('+')
}

export function usageText(chat: ChatState): string {
  const { usage, context, agent } = chat
  const turns = chat.entries.filter(entry => entry.kind === 'turn').length
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const cached = sent === 0 ? null : usage.cacheRead / sent
  const rows: [string, string][] = [
    ['Turns', String(turns)],
    ['Tokens in', `${formatTokens(sent)}${cached === null ? '' : `, ${formatPercent(cached)} of them from the cache`}`],
    ['Tokens out', formatTokens(usage.output)],
    ['Cost', `${chat.usageIsPartial ? 'at least ' : ''}${formatCost(usage.costUsd)}`],
    ['Context', contextText(context, agent.contextWindow)],
  ]
  const table = rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`)
  const remark = chat.usageIsPartial ? ['', 'The agent does not report what compacting cost.'] : []
  return [`Usage of this session`, ...table, ...remark].join('\n')
}

function contextText(context: number | null, window: number | null): string {
  if (context === null) return 'known after the next answer'
  if (window === null) return `${formatTokens(context)} tokens; the size of the window is not known`
  return `${formatTokens(context)} of ${formatTokens(window)} tokens (${formatPercent(context / window)})`
}
