/** `/copy`: copies an answer, or code from it, exactly as it was written. */
import { answerOf, textsOf } from '../../conversation/queries/answer.ts'
import type { Turn } from '../../conversation/state.ts'
import { codeBlocksOf } from '../../markdown/blocks/code-blocks.ts'
import type { Clipboard } from '../context/clipboard.ts'
import type { AppContext } from '../context/context.ts'

/**
 * Copies the last code block of the last answer, or the whole answer if it has none. A number selects a code block;
 * `answer` copies the whole answer.
 */
export async function copyAnswer({ state, hint }: AppContext, clipboard: Clipboard, argument: string): Promise<void> {
  const turn = lastAnswered(state().chat)
  if (!turn) return hint('There is no answer to copy yet.')
  const codes = textsOf(turn).flatMap(codeBlocksOf)
  const wanted = argument.trim()
  if (wanted !== '' && wanted !== 'answer' && !/^[1-9]\d*$/.test(wanted)) {
    return hint('/copy, /copy 2 for the second code block, or /copy answer.')
  }
  const number = wanted === '' ? codes.length : Number(wanted)
  const code = codes[number - 1]
  if (code)
    return hint(await clipboard.copy(code.text, codes.length === 1 ? 'the code' : `code ${number} of ${codes.length}`))
  if (wanted !== '' && wanted !== 'answer')
    return hint(`The last answer has ${codes.length || 'no'} code ${codes.length === 1 ? 'block' : 'blocks'}.`)
  hint(await clipboard.copy(answerOf(turn), 'the answer'))
}

function lastAnswered({ open, entries }: ReturnType<AppContext['state']>['chat']): Turn | null {
  const turns = [...entries, ...(open ? [open] : [])].filter(entry => entry.kind === 'turn')
  return turns.findLast(turn => answerOf(turn) !== '') ?? null
}
