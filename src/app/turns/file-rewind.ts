/** Restores earlier versions of files, after a preview and a question. */
import { counted } from '../../text/counted.ts'
import type { Checkpoints, RestorePreview } from '../../checkpoints/checkpoints.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'

export type FileRewind = {
  /**
   * Asks whether to go back in the conversation, in the files, or in both. `back` goes back in the conversation; null
   * if the question is only about files.
   */
  ask: (id: string, title: string, back: (() => void) | null) => Promise<void>
  /** Asks whether to undo the last restore. */
  undo: () => Promise<void>
}

/** The maximum of files that are named before the question. */
const MOST_NAMED = 20

/** `redraw` redraws the screen, which folds a cancelled preview. */
export function createFileRewind(context: AppContext, choicePrompt: ChoicePrompt, redraw: () => void): FileRewind {
  const { addNotice, hint } = context
  return {
    ask: async (id, title, back) => {
      const { checkpoints } = context
      if (!checkpoints) return back?.()
      const preview = await checkpoints.preview(id, context.state().chat.folders)
      if (!preview.ok) {
        addNotice('warn', `The files cannot be restored: ${preview.why}.`)
        return back?.()
      }
      const { value } = preview
      sayStaying(value)
      if (value.files.length === 0) {
        addNotice('info', 'No files have changed since then.')
        return back?.()
      }
      const cancelled = context.preview(listed(value))
      const cancel = (): void => {
        cancelled(`Cancelled: restoring ${filesOf(value.files.length)}, ${linesOf(value)}.`)
        redraw()
      }
      choicePrompt.ask({ title, answers: answersFor(checkpoints, value, back, cancel), otherwise: cancel })
    },
    async undo() {
      const answer = await context.checkpoints?.lastUndo()
      if (answer?.ok !== true || answer.value === null) return hint('No files were restored here yet.')
      await this.ask(answer.value, 'undo the last restore', null)
    },
  }

  function answersFor(
    checkpoints: Checkpoints,
    preview: RestorePreview,
    back: (() => void) | null,
    cancel: () => void,
  ): ChoiceAnswer[] {
    const mine = preview.files.filter(({ byUser }) => byUser).map(({ path }) => path)
    const all = `${filesOf(preview.files.length)}, ${linesOf(preview)}`
    const overwrites = mine.length > 0 ? `overwrites ${filesOf(mine.length)} that you changed` : all
    const others = filesOf(preview.files.length - mine.length)
    const run = (keep: readonly string[], then: (() => void) | null) => () => {
      void restore(context, checkpoints, preview, keep).then(isDone => (isDone ? then?.() : undefined))
    }
    const withoutFiles = (then: () => void) => (): void => {
      cancel()
      then()
    }
    const hasOthers = mine.length > 0 && mine.length < preview.files.length
    const choices: (ChoiceAnswer | null)[] = [
      back && hasOthers ? { label: 'Both, but keep my changes', detail: others, run: run(mine, back) } : null,
      back && { label: 'Conversation and files', detail: overwrites, run: run([], back) },
      back && { label: 'Conversation only', detail: 'files stay as they are', run: withoutFiles(back) },
      hasOthers ? { label: 'Files, but keep my changes', detail: others, run: run(mine, null) } : null,
      { label: back ? 'Files only' : 'Restore the files', detail: overwrites, run: run([], null) },
      back ? null : { label: 'Keep the files as they are', detail: '', run: cancel },
    ]
    return choices.filter(choice => choice !== null)
  }

  function sayStaying({ stay }: RestorePreview): void {
    const named = stay.slice(0, MOST_NAMED).map(({ path, why }) => `${shown(path)} ${why}`)
    const more = stay.length > MOST_NAMED ? [`and ${stay.length - MOST_NAMED} more`] : []
    if (stay.length > 0) addNotice('info', `These stay as they are: ${[...named, ...more].join('; ')}.`)
  }
}

/** Restores the files, except those to keep; false if nothing was restored. */
async function restore(
  context: AppContext,
  checkpoints: Checkpoints,
  preview: RestorePreview,
  keep: readonly string[],
): Promise<boolean> {
  const { addNotice, report, now, backend, sessionId } = context
  const done = await checkpoints.restore(preview.checkpoint.id, {
    session: sessionId(),
    expected: preview.present,
    folders: context.state().chat.folders,
    ...(preview.inFolders && { inFolders: preview.inFolders }),
    keep,
  })
  if (!done.ok) {
    addNotice('warn', `Nothing was restored: ${done.why}.`, '/rewind tries again.')
    return false
  }
  const { checkpoint, undo, count, failed } = done.value
  const restored = { type: 'files_restored', at: now(), checkpoint, undo, count } as const
  if (backend.holder) backend.holder.note(restored)
  else report([restored])
  addNotice('info', `Restored ${filesOf(count)}.`, '/rewind undo brings back what was there.')
  for (const { path, why } of failed.slice(0, MOST_NAMED)) addNotice('warn', `${shown(path)} ${why}.`)
  const more = failed.length - MOST_NAMED
  if (more > 0) addNotice('warn', `${counted(more, 'more file')} may not have been restored.`)
  return true
}

const filesOf = (count: number): string => counted(count, 'file')

const shown = (path: string): string => oneLine(sanitize(path))

function listed({ files }: RestorePreview): string {
  const agents = files.filter(({ byUser }) => !byUser)
  const mine = files.filter(({ byUser }) => byUser)
  return [
    ...(agents.length > 0 ? [block('Restoring would change:', agents)] : []),
    ...(mine.length > 0 ? [block('It would overwrite what you have changed since then:', mine)] : []),
  ].join('\n\n')
}

/** The path comes last, because it is broken where a line is full. */
function block(title: string, files: RestorePreview['files']): string {
  const rows = files.slice(0, MOST_NAMED).map(({ path, what, added, removed }) => {
    const lines = added === null || removed === null ? 'binary' : `+${added} -${removed}`
    return `${what === 'deleted' ? 'deletes' : 'restores'} ${lines}  ${shown(path)}`
  })
  const more = files.length > MOST_NAMED ? [`and ${files.length - MOST_NAMED} more`] : []
  // A name cannot end the block, because it has no newlines and is never first in its row.
  return `${title}\n\n\`\`\`text\n${[...rows, ...more].join('\n')}\n\`\`\``
}

function linesOf({ files }: RestorePreview): string {
  const sum = (key: 'added' | 'removed'): number => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  return `+${sum('added')} -${sum('removed')} lines`
}
