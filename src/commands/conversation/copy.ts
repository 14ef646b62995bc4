/** `/copy`: copies an answer, or code from it, exactly as it was written. */
import type { CommandApp } from '../../app/command-app.ts'
import { answerOf, textsOf } from '../../conversation/queries/answer.ts'
import type { ChatState, Turn } from '../../conversation/state.ts'
import { slashCommand } from '../slash-command.ts'

export const copy = slashCommand({
  name: 'copy',
  aliases: ['yank'],
  argument: '[number|answer]',
  help: 'copy the last code block, block 2 or the answer; verbatim',
  group: 'conversation',
  needs: ['host'],
  run: copyAnswer,
})

/**
 * Copies the last code block of the last answer, or the whole answer if it has none. A number selects a code block;
 * `answer` copies the whole answer.
 */
async function copyAnswer({ context, clipboard }: CommandApp, argument: string): Promise<void> {
  const { state, hint } = context
  const turn = lastAnswered(state().chat)
  if (!turn) return hint('There is no answer to copy yet.')
  const { codeBlocksOf } = await import('../../markdown/blocks/code-blocks.ts')
  const codes = textsOf(turn).flatMap(codeBlocksOf)
  const typed = argument.trim()
  if (typed !== '' && typed !== 'answer' && !/^[1-9]\d*$/.test(typed)) {
    return hint('/copy, /copy 2 for the second code block, or /copy answer.')
  }
  const number = typed === '' ? codes.length : Number(typed)
  const code = codes[number - 1]
  if (code)
    return hint(await clipboard.copy(code.text, codes.length === 1 ? 'the code' : `code ${number} of ${codes.length}`))
  if (typed !== '' && typed !== 'answer')
    return hint(`The last answer has ${codes.length || 'no'} code ${codes.length === 1 ? 'block' : 'blocks'}.`)
  hint(await clipboard.copy(answerOf(turn), 'the answer'))
}

function lastAnswered({ open, entries }: ChatState): Turn | null {
  const turns = [...entries, ...(open ? [open] : [])].filter(entry => entry.kind === 'turn')
  return turns.findLast(turn => answerOf(turn) !== '') ?? null
}
