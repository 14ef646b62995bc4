/** Steps of change, each with its way back. */

export interface Step {
  readonly at: number
  readonly removed: string
  readonly inserted: string
  readonly caretBefore: number
  readonly caretAfter: number
}

/** The kind of run that a step may continue: typing, deleting, or none. */
export type UndoRun = 'typing' | 'deleting' | 'none'

/** The most steps that are kept; the oldest are dropped. */
export const UNDO_LIMIT = 1000

/** The steps with `next` recorded, as a part of the newest step when it continues its run. */
export function record(steps: readonly Step[], next: Step, run: UndoRun): readonly Step[] {
  const newest = steps.at(-1)
  const grown = newest === undefined ? undefined : joined(newest, next, run)
  if (grown !== undefined) return [...steps.slice(0, -1), grown]
  return [...steps.slice(-UNDO_LIMIT + 1), next]
}

function joined(step: Step, next: Step, run: UndoRun): Step | undefined {
  if (run === 'typing') {
    if (next.removed !== '' || next.at !== step.at + step.inserted.length) return undefined
    // A word and the blanks after it are one step: the next word begins the next.
    if (/\s$/u.test(step.inserted) && !/^\s/u.test(next.inserted)) return undefined
    return { ...step, inserted: step.inserted + next.inserted, caretAfter: next.caretAfter }
  }
  if (run === 'deleting' && step.inserted === '') {
    if (next.at + next.removed.length === step.at) {
      return { ...step, at: next.at, removed: next.removed + step.removed, caretAfter: next.caretAfter }
    }
    if (next.at === step.at) return { ...step, removed: step.removed + next.removed, caretAfter: next.caretAfter }
  }
  return undefined
}

export function applied(text: string, step: Step): string {
  return text.slice(0, step.at) + step.inserted + text.slice(step.at + step.removed.length)
}

export function reverted(text: string, step: Step): string {
  return text.slice(0, step.at) + step.removed + text.slice(step.at + step.inserted.length)
}
