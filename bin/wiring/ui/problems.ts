export type Problems = {
  /** Tells a problem, or keeps it until it can be told. */
  report: (words: string) => void
  /** Calls `tell` with what was kept, and with each later problem. */
  follow: (tell: (words: string) => void) => void
}

/** Problems with files that outlive the program. Those of the start wait until messages stay on the screen. */
export function createProblems(): Problems {
  const kept: string[] = []
  let report = (words: string): void => void kept.push(words)
  return {
    report: words => report(words),
    follow(tell) {
      report = tell
      for (const words of kept) tell(words)
    },
  }
}
