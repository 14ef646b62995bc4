/** Passages as an index finds them, and a search that has them. */
import type { FindPageRequest, FoundPassage } from '../../../src/app/pages/pages.ts'

export function passage(facts: Partial<FoundPassage>): FoundPassage {
  return {
    place: { session: 's', at: 0, call: null },
    kind: 'answer',
    failed: false,
    folder: '/home/me/app',
    agent: 'zot',
    title: 'Fix the parser',
    excerpt: 'the length counts UTF-16 units',
    matches: [[4, 10]],
    ...facts,
  }
}

/** It finds the passages whose excerpt or title has the words, and that are of the kind. */
export function findRequestFor(all: readonly FoundPassage[], rest: Partial<FindPageRequest> = {}): FindPageRequest {
  return {
    words: 'length',
    folder: '/home/me/app',
    ask: async ({ typed, kind, isHere }) => ({
      ok: true,
      found: all.filter(
        each =>
          `${each.title} ${each.excerpt}`.includes(typed.trim()) &&
          (kind === null || each.kind === kind) &&
          (!isHere || each.folder === '/home/me/app'),
      ),
      share: 1,
      isCut: false,
    }),
    catchUp: async () => null,
    continueFrom: () => undefined,
    quote: () => undefined,
    ...rest,
  }
}
