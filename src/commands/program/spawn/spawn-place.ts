/** Chooses the folder of a spawned conversation: the user's folder or a new git worktree. */
import { counted } from '../../../text/counted.ts'
import type { AppContext } from '../../../app/context/context.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import { readyWorktree } from '../../../app/worktrees/ready-worktree.ts'
import type { SpawnFlags } from './spawn-flags.ts'

/** `folder` is undefined for the user's; `note` is a sentence about the place, or ''. `undo` removes the worktree. `isMade`: there was one; `isLeft`: it stays. */
export type SpawnPlace =
  | { ok: true; folder: string | undefined; note: string; undo: () => Promise<unknown> }
  | { ok: false; why: string; isMade: boolean; isLeft: boolean }

type SpawnApp = Pick<CommandApp, 'context' | 'choicePrompt' | 'shell'>

export const HERE = { ok: true, folder: undefined, note: '', undo: async () => undefined } as const

/**
 * Makes a worktree if the user wants one. If the user has not said, it is made if the agent may edit without asking and
 * the folder has uncommitted changes: two agents must not both change them.
 */
export async function spawnPlace(
  { place, prompt }: Pick<SpawnFlags, 'place' | 'prompt'>,
  app: SpawnApp,
): Promise<SpawnPlace> {
  const { worktrees, host, state, redact } = app.context
  if (place === 'here') return HERE
  if (!worktrees || !host)
    return place === 'worktree'
      ? { ok: false, why: reason(state().startup.demo, host), isMade: false, isLeft: false }
      : HERE
  const { folder } = host
  const { permissionMode } = state().chat
  if (place === null) {
    if (permissionMode !== 'edits' && permissionMode !== 'allow') return HERE
    const dirty = await worktrees.isDirty(folder)
    if (!dirty.ok || !dirty.value) return HERE
  }
  // The names of the branch and a commit come from the prompt.
  const ready = await readyWorktree({ ...app, worktrees }, { folder, prompt: redact(prompt), asks: true })
  if (ready.ok) {
    const { worktree, left, copied } = ready
    const missing = left === 0 ? '' : ` Your ${changesText(left)} ${left === 1 ? 'is' : 'are'} not in it.`
    const brought = copied === 0 ? '' : ` ${counted(copied, 'ignored file was', 'ignored files were')} copied into it.`
    const note = `It works on the branch ${worktree.branch}, in a worktree (/worktrees).${missing}${brought}`
    return { ok: true, folder: ready.folder, note, undo: async () => worktrees.discard(worktree) }
  }
  const isMade = ready.worktree !== undefined || ready.isDiscarded === true
  if (place === 'worktree' || isMade) return { ok: false, why: ready.why, isMade, isLeft: ready.worktree !== undefined }
  return { ...HERE, note: `It works in your folder, because there is no worktree: ${ready.why}.` }
}

const changesText = (count: number): string => counted(count, 'uncommitted change')

function reason(isDemo: boolean, host: AppContext['host']): string {
  if (host?.remote) return `the folder is on ${host.remote.name}`
  return isDemo ? 'the demo changes no files' : 'no files are kept here'
}
