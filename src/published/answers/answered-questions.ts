/** Who answered which question, for those who come later. */
import type { AgentEvent, EventOf } from '../../agent/event.ts'
import { questionId } from './questions.ts'

/** Questions that are remembered. */
const MOST = 300

export class AnsweredQuestions {
  readonly #words = new Map<string, string>()

  /** Takes each event with the device that has caused it. `plan` is the plan that waits before the event. */
  follow(event: AgentEvent, plan: string | null): void {
    const { type } = event
    if (type === 'permission_decided') this.#keep(questionId('call', event.id), decisionWords(event))
    else if (type === 'question_answered') this.#keep(questionId('form', event.id), formWords(event))
    else if (type === 'plan_answered' && plan !== null)
      this.#keep(questionId('plan', plan), `It was answered ${placeOf(event.from)}.`)
  }

  /** A sentence about the answer to the question with this id; null if there was none. */
  words(question: string): string | null {
    return this.#words.get(question) ?? null
  }

  #keep(question: string, words: string): void {
    this.#words.delete(question)
    this.#words.set(question, words)
    for (const oldest of [...this.#words.keys()].slice(0, -MOST)) this.#words.delete(oldest)
  }
}

function decisionWords({ allowed, by, from }: EventOf<'permission_decided'>): string {
  if (by === 'end') return 'The turn ended before an answer.'
  const how = allowed ? 'allowed' : 'refused'
  return by === 'user' ? `It was ${how} ${placeOf(from)}.` : `It was ${how} by a rule.`
}

function formWords({ answer, from }: EventOf<'question_answered'>): string {
  return answer === 'cancelled' ? 'The turn ended before an answer.' : `It was answered ${placeOf(from)}.`
}

const placeOf = (from: string | undefined): string => (from === undefined ? 'at the terminal' : `from ${from}`)
