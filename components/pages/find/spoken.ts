/** /find for people who use a screen reader: a question, and a numbered list of what was found. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { FindAnswer, FindPageRequest, FoundPassage, PageParts } from '../../../src/app/pages/pages.ts'
import { formatPercent } from '../../../src/text/format.ts'
import type { SpokenLook } from '../page.ts'
import { listTurns } from '../transcript/spoken.ts'
import { foundWords, spokenFacts } from './rows.ts'
import { wordsAt } from './words-at.ts'

/** Passages that are listed: more words find fewer. */
const MOST_LISTED = 50

export function askForWords(request: FindPageRequest, parts: PageParts, look: SpokenLook): void {
  const { context, choicePrompt } = parts
  const { hint, keyed } = context
  const caughtUp = request.catchUp()
  void caughtUp.then(problem => problem !== null && hint(problem))
  if (request.words === '') askWords()
  else void search(request.words)

  function askWords(): void {
    choicePrompt.ask({
      title: 'search all sessions for',
      answers: [],
      typed: { detail: keyed('{picker.take} searches for it'), run: words => void search(words) },
    })
  }

  async function search(typed: string): Promise<void> {
    const answer = await bestAnswer(typed)
    if (!answer.ok) return hint(answer.why)
    const { found, share, isCut } = answer
    const soFar = share < 1 ? ` ${formatPercent(share)} of your sessions are searched so far.` : ''
    if (found.length === 0) return hint(`Nothing found for ${typed}.${soFar}`)
    list(found.slice(0, MOST_LISTED), `${foundWords(found, isCut)} for ${typed}, the best first.${soFar}`)
  }

  /** What is found at once, or else in all sessions once they have been read. */
  async function bestAnswer(typed: string): Promise<FindAnswer> {
    const search = { typed, kind: null, isHere: false }
    const first = await request.ask(search)
    if (!first.ok || first.found.length > 0 || first.share === 1) return first
    hint('Nothing found so far. The sessions are being read.')
    await caughtUp
    return request.ask(search)
  }

  function list(found: readonly FoundPassage[], title: string): void {
    choicePrompt.ask({
      title,
      answers: [
        ...found.map((passage): ChoiceAnswer => ({
          label: passage.excerpt,
          detail: spokenFacts(passage, context.now()),
          run: () => openPassage(passage, () => list(found, title)),
        })),
        { label: 'search for something else', detail: '', run: askWords },
      ],
    })
  }

  function openPassage(passage: FoundPassage, back: () => void): void {
    const { place } = passage
    choicePrompt.ask({
      title: passage.excerpt,
      answers: [
        {
          label: 'read it in its session',
          detail: '',
          run: () => listTurns({ session: place.session, place, words: wordsAt(passage) }, parts, look),
        },
        {
          label: 'go on from it',
          detail: 'resumes the session, or forks it there',
          run: () => request.continueFrom(passage),
        },
        { label: 'quote it', detail: 'in your draft', run: () => request.quote(passage) },
        { label: 'the other passages', detail: '', run: back },
      ],
    })
  }
}
