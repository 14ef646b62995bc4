/** The entry of the queue for a text. It is parsed once, when it enters the queue. */
import { parseSlash, type ParsedSlash, type SlashCommand } from '../slash.ts'
import { expand, type Chips } from './chips.ts'
import { commandEntry, entryText, promptEntry, type QueueEntry } from './queue-entry.ts'

/** The entry for a typed or stored text. */
export function entryOf(text: string, commands: readonly SlashCommand[]): QueueEntry {
  return entryOfSlash(text, parseSlash(text, commands))
}

/** The entry for a parsed text. */
export function entryOfSlash(text: string, slash: ParsedSlash | null): QueueEntry {
  if (slash === null) return promptEntry(text)
  return commandEntry(slash.kind === 'command' ? slash.command.name : slash.word.slice(1), slash.argument)
}

/** The entry for a stored text. Its prompt file may be unread yet, and may take an argument of several lines. */
export function storedEntry(text: string, commands: readonly SlashCommand[]): QueueEntry {
  const [line = ''] = text.split('\n', 1)
  const slash = parseSlash(line, commands)
  if (slash?.kind !== 'unknown') return entryOf(text, commands)
  return commandEntry(slash.word.slice(1), text.slice(slash.word.length).trim())
}

/** The place of an earlier prompt among the waiting entries, the newest of equal ones; -1 if it does not wait. */
export function placeInQueue(
  text: string,
  entries: readonly QueueEntry[],
  { chips, commands }: { chips: Chips; commands: readonly SlashCommand[] },
): number {
  if (entries.length === 0) return -1
  // Prompts from the disk have no chips, and a command may have been typed by another of its names.
  const whole = (entry: QueueEntry): string => expand(entryText(entry), chips).text
  const typed = whole(entryOf(text, commands))
  return entries.findLastIndex(entry => whole(entry) === typed)
}
