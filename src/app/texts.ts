/** What /help says, and what of an agent's memory. */
import type { MemoryFacts } from '../agent/event.ts'
import { formatTokens } from '../text/format.ts'
import type { Binding } from './keymap.ts'
import type { SlashCommand } from './slash.ts'

/** In Markdown: a table of the keys and one of the commands. */
export function helpText(bindings: readonly Binding[], commands: readonly SlashCommand[]): string {
  const keys = bindings
    .filter(binding => binding.help !== null && binding.keys.length > 0)
    .map(binding => tableRow([binding.keys.map(keyLabel).join(', '), binding.help ?? '']))
  const slashes = commands.map(command => {
    const name = `/${command.name}${command.argument ? ` ${command.argument}` : ''}`
    const aliases = command.aliases.length > 0 ? ` (${command.aliases.map(alias => `/${alias}`).join(' ')})` : ''
    return tableRow([name, `${command.help}${aliases}`])
  })
  const keyTable = [tableRow(['key', 'does']), '|---|---|', ...keys]
  const commandTable = [tableRow(['command', 'does']), '|---|---|', ...slashes]
  return [...keyTable, '', ...commandTable].join('\n')
}

/** One row of a table; nothing in a cell means anything to Markdown. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replace(/[\\`*_[\]|<>~]/g, '\\$&')).join(' | ')} |`
}

/** `ctrl+j` as people write it: `Ctrl+J`. */
export function keyLabel(key: string): string {
  return key
    .split(' ')
    .map(each => each.split('+').map(partLabel).join('+'))
    .join(' ')
}

function partLabel(part: string): string {
  return part === 'escape' ? 'Esc' : part.charAt(0).toUpperCase() + part.slice(1)
}

/** What an agent that has heard nothing is going to be told, and what not; null is nothing. */
export function memoryText(facts: MemoryFacts | null): string {
  if (facts === null) return 'It remembers nothing of what stands above.'
  const { turns, whole, leftOut, summary, tokens } = facts
  const shortened = turns - whole - leftOut
  const parts = [
    summary ? 'the summary' : '',
    turns - leftOut > 0 ? countOf(turns - leftOut, 'turn') : '',
    shortened > 0 ? `${shortened} of them shortened` : '',
    leftOut > 0 ? `the ${leftOut === 1 ? 'oldest' : `${leftOut} oldest`} left out` : '',
  ].filter(part => part !== '')
  return `It remembers nothing itself: your next prompt takes along ${parts.join(', ')} (about ${formatTokens(tokens)} tokens, without what tools printed). /clear drops it.`
}

function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}
