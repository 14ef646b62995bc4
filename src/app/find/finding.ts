/** The search in all sessions for its page: asks the index, and continues from what was found. */
import type { FindQuery, FoundPassage, SessionFinder } from '../../storage/find/passage.ts'
import type { Composing } from '../composer/composing.ts'
import type { FindPageRequest } from '../pages/pages.ts'
import type { AppContext } from '../context/context.ts'
import { typedQuery } from './find-query.ts'
import { continueFrom, type ContinueFromParts } from './continue-from.ts'
import { quoteOf } from './quote.ts'

export type FindingParts = Omit<ContinueFromParts, 'context'> & {
  context: AppContext
  composing: Pick<Composing, 'edit'>
}

/** Passages that are asked for. */
const MOST = 200

/** What the page is opened with; `words` are searched for first. */
export function findRequest(parts: FindingParts, words: string): FindPageRequest {
  const { context, composing } = parts
  const { host, now, hint } = context
  const place = { folder: host?.folder ?? '/', home: host?.home ?? '/' }
  let finder: Promise<SessionFinder | null> | null = null

  const open = (): Promise<SessionFinder | null> => (finder ??= context.openSessionFinder?.() ?? Promise.resolve(null))

  return {
    words,
    folder: place.folder,
    async ask({ typed, kind, isHere }) {
      const query = typedQuery(typed, { ...place, now: now() })
      const narrowed: FindQuery = {
        ...query,
        ...(kind !== null && { kinds: [kind] }),
        ...(isHere && { folder: place.folder }),
      }
      // The folder of a key narrows what is asked for, and asks for nothing by itself.
      if (isEmpty({ ...narrowed, folder: query.folder })) return { ok: true, found: [], share: 1, isCut: false }
      return (await open())?.find(narrowed, MOST) ?? { ok: false, why: NONE }
    },
    async catchUp() {
      // The newest words of this session may still wait to be written.
      context.sessions?.flush()
      return (await open())?.catchUp() ?? NONE
    },
    continueFrom: ({ place: found }) => void continueFrom(parts, found),
    quote(passage: FoundPassage) {
      const { text } = context.state().editor
      const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
      composing.edit({ kind: 'move', to: 'textEnd' })
      composing.edit({ kind: 'paste', text: `${gap}${quoteOf(passage)}` })
      hint('The passage is in your draft.')
    },
  }
}

const NONE = 'Sessions cannot be searched here.'

/** Without words and filters, nothing is asked for. */
function isEmpty({ words, folder, agent, since, kinds, failed }: FindQuery): boolean {
  return words.trim() === '' && folder === null && agent === null && since === null && kinds === null && !failed
}
