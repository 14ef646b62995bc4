/** `/diff`: opens the page with the changes of this session, or with those since one of its prompts. */
import { shownPrompt } from '../../conversation/queries/shown-prompt.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Pages } from '../pages/pages.ts'
import { changesSince } from './checkpoint-changes.ts'
import type { SessionChanges } from './session-changes.ts'

export type DiffCommandParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  changes: SessionChanges
  pages: Pick<Pages, 'open'>
}

/** With an argument it asks for the prompt to compare with. The argument narrows that list; a leading `since` does not count. */
export function createDiffCommand(parts: DiffCommandParts): (argument: string) => void {
  const { context, choicePrompt, changes, pages } = parts
  return argument => {
    if (argument === '') return pages.open('diff', { collect: changes.collect, first: changes.fromCalls })
    const { checkpoints, hint, state } = context
    const { entries, open } = state().chat
    const turns = [...entries, ...(open ? [open] : [])].flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
    const answers = turns.toReversed().flatMap(turn => {
      const { checkpoint } = turn
      if (checkpoint === null || !checkpoints) return []
      const run = (): void => pages.open('diff', { collect: () => changesSince(checkpoints, checkpoint) })
      return [{ label: shownPrompt(turn).trim(), detail: '', run }]
    })
    if (answers.length === 0) return hint('This session has no checkpoints yet.')
    choicePrompt.ask({ title: 'changes since', answers, filter: argument.replace(/^since\s*/, '') })
  }
}
