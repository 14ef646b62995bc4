/**
 * Decides what a person who is away should hear of: a question that nobody has answered for a while, and a long turn that ended while nobody
 * looked. Each once, and never more than a bounded number. No clock: the caller says what time it is.
 */
import type { PublishedRow, ServedQuestion } from '../../published/protocol.ts'

/** A conversation as the server knows it. */
export type NotifiedConversation = Pick<PublishedRow, 'state' | 'folder' | 'title'> & {
  id: string
  questions: readonly Pick<ServedQuestion, 'id' | 'kind' | 'title'>[]
  /** True while a device shows it. */
  isWatched: boolean
}

/** Either `questions`, or the end of a turn. */
export type DueNotice = {
  conversation: string
  folder: string
  title: string
  questions: NotifiedConversation['questions']
  ended: 'ended' | 'failed' | null
}

/** All times are in milliseconds. */
type DueState = {
  conversation: NotifiedConversation
  /** When each question came, or was last looked at. */
  questions: Map<string, { since: number; isDone: boolean }>
  /** When the running turn began; null for none. */
  workingSince: number | null
  /** A long turn that ended while nobody looked. */
  ended: { at: number; how: 'ended' | 'failed' } | null
  /** The last notice. */
  noticedAt: number
}

/** Between two notices about one conversation. What comes meanwhile is in the next one. */
const APART = 30_000
/** In an hour, about all conversations: an agent that asks without end wakes nobody up without end. */
const MOST_AN_HOUR = 60
const HOUR = 3_600_000

const AT_WORK: ReadonlySet<PublishedRow['state']> = new Set(['starting', 'working', 'waiting', 'asks'])

export class DueNotices {
  readonly #known = new Map<string, DueState>()
  #notices: number[] = []

  /** Takes what there is now. `patience`: how long a question waits, and a turn takes, before anybody is notified. */
  see(conversations: readonly NotifiedConversation[], now: number, patience: number): void {
    const ids = new Set(conversations.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    for (const conversation of conversations) {
      const known = this.#known.get(conversation.id) ?? unknownBefore(conversation)
      this.#known.set(conversation.id, known)
      seeQuestions(known, conversation, now)
      seeTurn(known, conversation, now, patience)
      known.conversation = conversation
    }
  }

  /** What is due now. It counts as said. */
  take(now: number, patience: number): DueNotice[] {
    this.#notices = this.#notices.filter(at => at > now - HOUR)
    return [...this.#known.values()].flatMap(known => {
      if (this.#notices.length >= MOST_AN_HOUR || dueAt(known, patience) > now) return []
      this.#notices.push(now)
      known.noticedAt = now
      return [noticeOf(known, now - patience)]
    })
  }

  /** When to call `take` next; null for not before something changes. */
  nextAt(patience: number): number | null {
    const room = this.#notices.length >= MOST_AN_HOUR ? (this.#notices[0] ?? 0) + HOUR : 0
    const next = Math.min(...[...this.#known.values()].map(known => dueAt(known, patience)))
    return next === Infinity ? null : Math.max(next, room)
  }
}

/** What is there when the server begins is not news of the server's: questions are, since somebody waits. */
function unknownBefore(conversation: NotifiedConversation): DueState {
  return { conversation, questions: new Map(), workingSince: null, ended: null, noticedAt: -Infinity }
}

function seeQuestions(known: DueState, { questions, isWatched }: NotifiedConversation, now: number): void {
  const before = known.questions
  // Whoever looks at it has it before them: the time begins when they put it away.
  const isOrWas = isWatched || known.conversation.isWatched
  known.questions = new Map(
    questions.map(({ id }) => {
      const last = before.get(id)
      return [id, last && !isOrWas ? last : { since: now, isDone: last?.isDone ?? false }]
    }),
  )
}

function seeTurn(known: DueState, { state, isWatched }: NotifiedConversation, now: number, patience: number): void {
  if (AT_WORK.has(state)) {
    known.workingSince ??= now
    known.ended = null
    return
  }
  const { workingSince } = known
  known.workingSince = null
  if (workingSince !== null && now - workingSince >= patience)
    known.ended = { at: now, how: state === 'failed' ? 'failed' : 'ended' }
  if (isWatched) known.ended = null
}

/** Infinity for nothing. */
function dueAt({ questions, ended, noticedAt, conversation }: DueState, patience: number): number {
  if (conversation.isWatched) return Infinity
  const waiting = [...questions.values()].filter(({ isDone }) => !isDone).map(({ since }) => since)
  const first = Math.min(...waiting, ended?.at ?? Infinity)
  return Math.max(first + patience, noticedAt + APART)
}

function noticeOf(known: DueState, before: number): DueNotice {
  const { id, folder, title, questions } = known.conversation
  const due = questions.filter(({ id: each }) => {
    const question = known.questions.get(each)
    if (!question || question.isDone || question.since > before) return false
    question.isDone = true
    return true
  })
  const { ended } = known
  known.ended = null
  return { conversation: id, folder, title, questions: due, ended: due.length > 0 ? null : (ended?.how ?? null) }
}
