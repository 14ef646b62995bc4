/** The answers that an agent offers: all of them, in its order, with its names. Pure. */
import type { PermissionOption } from '../../agent/permission.ts'
import type { QuestionMove } from '../../state/question.ts'
import { lookup } from '../../text/lookup.ts'

export type OfferedAnswer = {
  label: string
  isWhole: true
  short?: string
  detail: string
  move: QuestionMove | null
  id: string
}

/** The effects of the four kinds; the agent's names for them can be anything. */
const MEANINGS: Readonly<Record<string, string>> = {
  allow_once: 'allows it once',
  allow_always: 'allows it always',
  reject_once: 'refuses it once',
  reject_always: 'refuses it always',
}

/** The kinds in a word, for the smallest screens. */
const WORDS: Readonly<Record<string, string>> = {
  allow_once: 'once',
  allow_always: 'always',
  reject_once: 'no',
  reject_always: 'never',
}

/** A kind has a letter only if exactly one option is of that kind. */
const LETTERS: Readonly<Record<string, QuestionMove>> = { allow_once: 'yes', allow_always: 'again', reject_once: 'no' }

/** `selected` is the row that is selected first: one that allows only this call, or else one that refuses it. */
export function offeredAnswers(options: readonly PermissionOption[]): { answers: OfferedAnswer[]; selected: number } {
  const answers = options.map(({ id, name, kind }) => {
    const isAlone = options.filter(each => each.kind === kind).length === 1
    const word = isAlone ? lookup(WORDS, kind) : undefined
    return {
      id,
      label: name,
      isWhole: true as const,
      ...(word !== undefined && { short: word }),
      detail: lookup(MEANINGS, kind) ?? '',
      move: isAlone ? (lookup(LETTERS, kind) ?? null) : null,
    }
  })
  const once = options.findIndex(({ kind }) => kind === 'allow_once')
  const selected = once >= 0 ? once : options.findIndex(({ kind }) => kind.startsWith('reject'))
  return { answers, selected: Math.max(0, selected) }
}
