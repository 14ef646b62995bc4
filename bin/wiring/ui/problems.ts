export type Problems = {
  /** Reports a problem, or keeps it until there is a listener. */
  report: (words: string) => void
  /** Calls `listener` with what was kept, and with each later problem. */
  follow: (listener: (words: string) => void) => void
}

/** Problems with files that outlive the program. Those of the start wait until messages stay on the screen. */
export function createProblems(): Problems {
  const kept: string[] = []
  let show = (words: string): void => void kept.push(words)
  return {
    report: words => show(words),
    follow(listener) {
      show = listener
      for (const words of kept) listener(words)
    },
  }
}
