/** Prompts and commands that wait for the agent. */

export type QueueEntry =
  /** `from`: the device from which it came, in words for people. It mentions only files of the folder. */
  | { kind: 'prompt'; text: string; from?: string }
  /** `name` may be that of a prompt file that has not been read yet or has been removed since. */
  | { kind: 'command'; name: string; argument: string }

/** A prompt for the running turn. */
export type PromptEntry = Extract<QueueEntry, { kind: 'prompt' }>

/** Words for the running turn, until it is known what became of them. `id` grows with each. */
export type WaitingSteer = {
  id: number
  entry: PromptEntry
  /** True if the agent has them; false while hooks judge them and files are read. */
  isSent: boolean
  /** True if the person wants them back. */
  isTakenBack: boolean
  /** True if the agent that has them has ended. */
  isLost?: boolean
}

export function promptEntry(text: string): PromptEntry {
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
