/** Merges a worktree into the user's folder, after a preview and a question. */
import { folderLabel } from '../../../platform/project.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../../../app/context/choice-prompt.ts'
import type { AppContext } from '../../../app/context/context.ts'
import type { TakePreview, TakingWay } from '../../../worktrees/preview.ts'
import type { Worktree } from '../../../worktrees/record.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import { changedText } from '../../../app/worktrees/turn-notice.ts'
import { named, previewRows, previewTitle, takenWords } from './taking-words.ts'

export type TakingParts = {
  context: AppContext
  worktrees: Worktrees
  choicePrompt: ChoicePrompt
  /** Sends a prompt to the agent of the worktree. */
  say: (prompt: string) => void
  /** Redraws the screen, which folds a cancelled preview. */
  redraw: () => void
}

const verbs = { merge: 'Merge', rebase: 'Rebase', pick: 'Cherry-pick' } as const

/** Returns a function that resolves when the question has been asked. */
export function createTaking({ context, worktrees, choicePrompt, say, redraw }: TakingParts) {
  const { addNotice, hint, dispatch, host } = context
  const place = ({ from }: Worktree): string => folderLabel(from, host?.home ?? '')
  return async (worktree: Worktree, way: TakingWay): Promise<void> => {
    hint('Comparing…')
    const answer = await worktrees.preview(worktree, way)
    dispatch({ type: 'hinted', hint: null })
    if (!answer.ok) return addNotice('warn', `Nothing was changed: ${answer.why}.`)
    const preview = answer.value
    const cancelled = context.preview(listed(worktree, preview))
    const cancel = (): void => {
      cancelled(`Cancelled: ${verbs[way].toLowerCase()} of ${worktree.branch}, ${changedText(preview.files)}.`)
      redraw()
    }
    if (preview.overlap.length > 0) {
      const files = named(preview.overlap)
      addNotice(
        'warn',
        `Nothing was changed: you have changed ${files}, too.`,
        'Commit or stash that, then /worktree again.',
      )
    } else if (preview.conflicts.length > 0) askConflicts(worktree, preview, cancel)
    else ask(worktree, preview, cancel)
  }

  function ask(worktree: Worktree, preview: TakePreview, cancel: () => void): void {
    const run = (): void => void take(worktree, preview)
    const label = `${verbs[preview.way]} it`
    const answers = [
      { label, detail: changedText(preview.files), run },
      { label: 'Leave it', detail: 'nothing is changed', run: cancel },
    ]
    const title = `${preview.way === 'pick' ? 'cherry-pick' : preview.way} ${worktree.branch}`
    choicePrompt.ask({ title, answers, otherwise: cancel })
  }

  function askConflicts(worktree: Worktree, preview: TakePreview, cancel: () => void): void {
    const { conflicts, way, isClean, onto } = preview
    const prompt = `Merge the commit ${onto} into your branch, resolve the conflicts in ${conflicts.join(', ')}, and commit the merge.`
    const answers: ChoiceAnswer[] = [
      { label: 'Leave it', detail: 'nothing is changed', run: cancel },
      {
        label: 'Let the agent resolve them',
        detail: 'it merges your branch into its own; then /worktree merges that',
        run: () => say(prompt),
      },
    ]
    const marks = {
      label: 'Merge with conflicts',
      detail: 'conflict markers in your files; git merge --abort undoes it',
      run: () => void begin(worktree, preview),
    }
    choicePrompt.ask({
      title: `conflicts in ${named(conflicts)}`,
      answers: way === 'merge' && isClean ? [...answers, marks] : answers,
      otherwise: cancel,
    })
  }

  async function take(worktree: Worktree, preview: TakePreview): Promise<void> {
    const taken = await worktrees.take(worktree, preview)
    if (!taken.ok) return addNotice('warn', `Nothing was changed: ${taken.why}.`, '/worktree tries again.')
    const { behind } = taken.value
    const { text, undo } = takenWords(worktree, preview, taken.value, host?.home ?? '')
    addNotice('success', text, undo)
    if (behind !== null) addNotice('warn', `The worktree itself was not updated: ${behind}.`)
  }

  async function begin(worktree: Worktree, preview: TakePreview): Promise<void> {
    const begun = await worktrees.beginMerge(worktree, preview)
    if (!begun.ok) return addNotice('warn', `The merge was not started: ${begun.why}.`)
    const undo = `Resolve ${named(preview.conflicts)} and commit, or undo it: git merge --abort`
    addNotice('warn', `A merge with conflicts is in progress in ${place(worktree)}.`, undo)
  }
}

/** A name cannot end the block, because it has no newlines and is never first in its row. */
function listed(worktree: Worktree, preview: TakePreview): string {
  return `${previewTitle(worktree, preview)}:\n\n\`\`\`text\n${previewRows(preview).join('\n')}\n\`\`\``
}
