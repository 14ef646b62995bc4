/** What the title, the list and the line at the bottom say about comments. */
import type { ReviewComment } from '../../../src/review/comment.ts'
import { counted } from '../../../src/text/counted.ts'
import type { KeyNames } from '../../../src/text/key-hints.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import type { Fact } from '../../../src/style/facts-line.ts'
import { empty, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { keyFacts } from './facts.ts'
import { cursorTarget, type DiffReading } from './reading.ts'

/** Below this width a number and a letter stand for the words. */
const WORDS_FROM = 60

/** The comments that have not been sent, by the paths of their files. Counted once for a list of comments. */
const counts = new WeakMap<readonly ReviewComment[], ReadonlyMap<string, number>>()

function countsOf(comments: readonly ReviewComment[]): ReadonlyMap<string, number> {
  const known = counts.get(comments)
  if (known) return known
  const made = new Map<string, number>()
  for (const { path, state } of comments) if (state !== 'sent') made.set(path, (made.get(path) ?? 0) + 1)
  counts.set(comments, made)
  return made
}

/** `2 comments`; of these files, or of all if null. */
export function commentCount({ view, context }: DiffReading, paths: readonly string[] | null): Styled {
  const { theme, size } = context
  const all = countsOf(view.comments)
  // Two files may have one path.
  const shown = all.size === 0 ? [] : paths === null ? [...all.keys()] : new Set(paths)
  const count = [...shown].reduce((sum, path) => sum + (all.get(path) ?? 0), 0)
  if (count === 0) return empty
  return theme.accent(sanitize(size.columns < WORDS_FROM ? `${count}c` : counted(count, 'comment')))
}

/** The keys of the text field, or of the comment at the cursor; null without one. */
export function commentKeyFacts(reading: DiffReading, names: KeyNames, theme: Theme): Fact | null {
  if (reading.view.field) {
    const hints = ['{comment.keep} keeps', '{composer.newline} new line', '{comment.close} closes, unfinished']
    return keyFacts(hints, 1, names, theme, [])
  }
  const comment = cursorTarget(reading)?.comment
  if (!comment) return null
  const keep = comment.state === 'offered' ? ['{diff.stage} keeps'] : []
  const hints = [
    ...keep,
    '{diff.comment} changes',
    '{diff.revert} deletes',
    '{diff.next_comment} next',
    '{diff.send} sends all',
  ]
  return keyFacts(hints, 1, names, theme)
}
