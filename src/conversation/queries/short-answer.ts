/** The one-key answers to a permission question: yes or no, once. */
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { ChatState } from '../state.ts'

/** Null if the agent offers its own answers and none of them matches. */
export function shortAnswer(
  { options }: Pick<ChatState['questions'][number], 'options'>,
  isAllowed: boolean,
): PermissionAnswer | null {
  const kind = isAllowed ? 'allow_once' : 'reject_once'
  const option = options?.find(each => each.kind === kind)
  if (option) return { answer: 'option', option: option.id }
  if (options) return null
  return isAllowed ? { answer: 'allow' } : { answer: 'refuse', words: '' }
}
