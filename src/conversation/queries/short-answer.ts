/** The one-key answers to a permission question: yes or no, once. */
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { ChatState } from '../state.ts'

/**
 * Null if the agent offers its own answers and none of them matches, and for a yes to a run outside the sandbox: why it is asked is only in
 * the question itself.
 */
export function shortAnswer(
  { options, wants }: Pick<ChatState['questions'][number], 'options' | 'wants'>,
  isAllowed: boolean,
): PermissionAnswer | null {
  if (isAllowed && wants && wants.kind !== 'host') return null
  const kind = isAllowed ? 'allow_once' : 'reject_once'
  const option = options?.find(each => each.kind === kind)
  if (option) return { answer: 'option', option: option.id }
  if (options) return null
  return isAllowed ? { answer: 'allow' } : { answer: 'refuse', words: '' }
}
