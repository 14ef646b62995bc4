/** What the viewer searches for when it opens at a passage. */
import type { FoundPassage } from '../../../src/app/pages/pages.ts'

/** The longest run of matches with only blanks between them, in any case; '' if nothing matched. */
export function wordsAt({ excerpt, matches }: Pick<FoundPassage, 'excerpt' | 'matches'>): string {
  let best = ''
  let run: readonly [from: number, to: number] | null = null
  for (const [from, to] of matches) {
    const joins: boolean = run !== null && from >= run[1] && excerpt.slice(run[1], from).trim() === ''
    run = joins && run !== null ? [run[0], to] : [from, to]
    const words = excerpt.slice(...run).trim()
    if (words.length > best.length) best = words
  }
  // Capitals would be searched for as they are.
  return best.toLowerCase()
}
