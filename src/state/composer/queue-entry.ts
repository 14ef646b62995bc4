/** Prompts and commands that wait for the agent. */

export type QueueEntry =
  | { kind: 'prompt'; text: string }
  /** `name` may be that of a prompt file that has not been read yet or has been removed since. */
  | { kind: 'command'; name: string; argument: string }

export function promptEntry(text: string): QueueEntry {
  return { kind: 'prompt', text }
}

export function commandEntry(name: string, argument: string): QueueEntry {
  return { kind: 'command', name, argument }
}

/** An entry as a user types it: for the screen, the composer and the drafts on disk. */
export function entryText(entry: QueueEntry): string {
  if (entry.kind === 'prompt') return entry.text
  return entry.argument === '' ? `/${entry.name}` : `/${entry.name} ${entry.argument}`
}
