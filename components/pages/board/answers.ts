/** The answers that the person gives on the board: when a yes or a no counts, and what it does. */
import { createEditor } from '../../../src/composer/editor.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { AnswerQuiet, TOO_SOON } from '../answer-quiet.ts'
import type { BoardAsk } from './entries.ts'
import { hostWords } from './list-rows.ts'
import { isEndShown, type BoardReading } from './reading.ts'
import type { BoardDoubt } from './state.ts'
import { takeRow } from './taking.ts'
import { send, type BoardWorkParts } from './work-parts.ts'

export class BoardAnswers {
  readonly #parts: BoardWorkParts
  readonly #quiet = new AnswerQuiet(key => this.#arm(key))

  constructor(parts: BoardWorkParts) {
    this.#parts = parts
  }

  /** What waits for an answer may be another question now. */
  follow(reading: BoardReading): void {
    if (!this.#quiet.isFor(askedKey(reading))) this.disarm()
  }

  /** What is on the screen now: a resize, or a shorter list, may have brought the end of a question that waits for an answer. */
  drawn(reading: BoardReading): void {
    const { armed, seen } = this.#parts.page.state()
    if (armed !== null && seen !== armed && isEndShown(reading)) this.disarm()
    else this.follow(reading)
  }

  /** After a key: what it did may have been meant for something else than the question. */
  disarm(): void {
    const { page, change } = this.#parts
    const { armed, doubt } = page.state()
    if (armed !== null) change({ armed: null })
    if (doubt?.armed === true) change({ doubt: { ...doubt, armed: false } })
    this.#quiet.begin(askedKey(page.reading()))
  }

  closed(): void {
    this.#quiet.end()
  }

  /** Asks before something that cannot be taken back. */
  ask(doubt: BoardDoubt): void {
    this.#parts.change({ doubt, scroll: { ask: '', from: 0 } })
    this.disarm()
  }

  async decide(isYes: boolean): Promise<void> {
    const { doubt } = this.#parts.page.state()
    if (doubt) {
      if (!isYes) this.#parts.change({ doubt: null })
      else if (!doubt.armed) this.#parts.context.hint(TOO_SOON)
      else if (isEndShown(this.#parts.page.shown())) await this.#settle(doubt)
      else this.#hintAtMore()
    } else await this.#reply(isYes)
    this.disarm()
  }

  /** Opens the text field for words to the agent. */
  refuseWithWords(): void {
    const ask = this.#answerable('say')
    if (ask) {
      const { key } = ask.entry
      const field = { kind: 'words', key, ask: ask.key, editor: createEditor() } as const
      this.#parts.change({ selected: key, doubt: null, field })
    }
    this.disarm()
  }

  /** Sends an answer to what was shown. `words` are for the agent. */
  async answer(ask: BoardAsk, allow: boolean, words?: string): Promise<void> {
    const { page, context, request, change } = this.#parts
    const { entry, question } = ask
    const { id, digest, title } = question
    if (entry.isStale) return context.hint(hostWords(entry.host))
    change({ sent: ask.key, armed: null })
    const action = { do: 'answer', question: id, digest, allow, ...(words !== undefined && { words }) } as const
    const reply = await request.board.act(entry.host.name, entry.row.id, action)
    if (page.state().sent === ask.key) change({ sent: null })
    if (!reply.ok) return context.hint(oneLine(sanitize(reply.message)))
    context.hint(`${allow ? 'Allowed once' : 'Refused'}: ${oneLine(sanitize(title))}`)
    this.#selectNext(ask)
  }

  /** The end of the question counts as read when it was on the screen for that moment. */
  #arm(key: string): void {
    const { page, change } = this.#parts
    const { doubt, field } = page.state()
    const reading = page.reading()
    if (askedKey(reading) !== key) return
    if (doubt) change({ doubt: { ...doubt, armed: true } })
    else if (!field) change({ armed: key, ...(isEndShown(reading) && { seen: key }) })
  }

  async #reply(isYes: boolean): Promise<void> {
    const { page } = this.#parts
    const ask = this.#answerable(isYes ? 'allow' : 'refuse')
    if (!ask) return
    if (isYes && page.state().seen !== ask.key) return this.#hintAtMore()
    await this.answer(ask, isYes)
  }

  #hintAtMore(): void {
    const { context } = this.#parts
    context.hint(context.keyed('Its end was not on the screen yet: {board.question_down} shows more.'))
  }

  /** The question that takes this answer now. Otherwise null, and the screen says why. */
  #answerable(needed: BoardAsk['question']['answers'][number]): BoardAsk | null {
    const { page, context } = this.#parts
    const { hint, keyed } = context
    const { armed, sent } = page.state()
    // What counts is what the person has seen.
    const { ask } = page.shown()
    if (ask && armed === ask.key && sent !== ask.key && ask.question.answers.includes(needed)) return ask
    if (!ask) hint('This conversation asks nothing.')
    else if (sent === ask.key) hint('The answer is on its way.')
    else if (armed !== ask.key) hint(TOO_SOON)
    else hint(ask.question.note === '' ? keyed('{board.open} goes there to answer.') : ask.question.note)
    return null
  }

  async #settle(doubt: BoardDoubt): Promise<void> {
    const { page, context, change } = this.#parts
    change({ doubt: null })
    if (doubt.kind === 'merge') return context.hint(await doubt.merge.run())
    const entry = page.reading().entries.find(({ key }) => key === doubt.key)
    if (!entry) return context.hint('It is not on the board any more.')
    if (doubt.kind === 'take') return takeRow(this.#parts, entry, doubt.opens)
    await send(this.#parts, entry, { do: doubt.kind }, doubt.kind === 'end' ? 'Ending' : 'Archiving')
  }

  /** The next conversation that asks, if the person has not gone on. */
  #selectNext({ key, entry }: BoardAsk): void {
    const { page, change } = this.#parts
    const { entries, entry: current } = page.reading()
    const next = entries.find(each => each.row.questions.length > 0 && !each.isStale && each.key !== entry.key)
    const goesOn = entry.row.questions.length > 1 || !next
    if (current?.key === entry.key && !goesOn && page.state().seen !== null) change({ selected: next.key })
    if (page.state().seen === key) change({ seen: null })
    this.disarm()
  }
}

/** What a yes or a no would answer; null for nothing. */
function askedKey({ view: { doubt }, ask }: BoardReading): string | null {
  return doubt ? `${doubt.kind}\n${doubt.key}` : (ask?.key ?? null)
}
