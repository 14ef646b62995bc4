import type { TurnCause } from '../../agent/turn-events.ts'

/** The prompt as people see it: what the user typed, such as `/review main`, where the agent got what that stands for. */
export function shownPrompt({ prompt, typed = prompt }: { prompt: string; typed?: string | undefined }): string {
  return typed
}

const CAUSES: Readonly<Record<TurnCause, string>> = {
  task: 'its background work has ended',
  wakeup: 'it had set itself a time',
  goal: 'it works towards its goal',
  other: '',
}

/** Why the agent began a turn itself, in its own words if it gives any; '' if that is not known. Unsanitised. */
export function causeWords({ cause, about = '' }: { cause: TurnCause; about?: string | undefined }): string {
  return about.trim() || CAUSES[cause]
}

/** A turn that the agent began itself, in a line. Unsanitised. */
export function unpromptedWords(unprompted: { cause: TurnCause; about?: string | undefined }): string {
  const cause = causeWords(unprompted)
  return cause === '' ? 'The agent went on by itself' : `The agent went on by itself: ${cause}`
}

/** What a list shows for a turn: its prompt, or why the agent began it. */
export function turnHeading(
  turn: Parameters<typeof shownPrompt>[0] & { unprompted?: Parameters<typeof unpromptedWords>[0] | undefined },
): string {
  return turn.unprompted ? unpromptedWords(turn.unprompted) : shownPrompt(turn)
}
