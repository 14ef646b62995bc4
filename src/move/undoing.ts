/** The steps of a move that can be undone, in reverse order. */
export type Undoing = {
  /** `what` completes a sentence: `There is still ...`. `undo` resolves to whether nothing is left, and may throw. */
  add: (what: string, undo: () => Promise<boolean>) => void
  /** Undoes all of them. Resolves to what could not be undone. Never rejects. */
  undo: () => Promise<readonly string[]>
}

export function createUndoing(): Undoing {
  const steps: { what: string; undo: () => Promise<boolean> }[] = []
  return {
    add: (what, undo) => void steps.push({ what, undo }),
    async undo() {
      const left: string[] = []
      for (const { what, undo } of steps.splice(0).toReversed()) {
        const isGone = await undo().catch(() => false)
        if (!isGone) left.push(what)
      }
      return left
    },
  }
}
