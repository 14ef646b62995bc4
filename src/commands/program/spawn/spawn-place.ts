/** Chooses the folder of a spawned conversation: the user's folder or a new git worktree. */
import { counted } from '../../../text/counted.ts'
import type { AppContext } from '../../../app/context/context.ts'
import type { SpawnFlags } from './spawn-flags.ts'

/** `folder` is undefined for the user's; `note` is a sentence about the place, or ''. `undo` removes the worktree. */
export type SpawnPlace =
  | { ok: true; folder: string | undefined; note: string; undo: () => Promise<unknown> }
  | { ok: false; why: string }

export const HERE = { ok: true, folder: undefined, note: '', undo: async () => undefined } as const

/**
 * Makes a worktree if the user wants one. If the user has not said, it is made if the agent may edit without asking and
 * the folder has uncommitted changes: two agents must not both change them.
 */
export async function spawnPlace(
  { place, prompt }: Pick<SpawnFlags, 'place' | 'prompt'>,
  {
    worktrees,
    host,
    state,
    dispatch,
    redact,
  }: Pick<AppContext, 'worktrees' | 'host' | 'state' | 'dispatch' | 'redact'>,
): Promise<SpawnPlace> {
  if (place === 'here') return HERE
  if (!worktrees || !host) return place === 'worktree' ? { ok: false, why: reason(state().startup.demo, host) } : HERE
  const { folder } = host
  const { permissionMode } = state().chat
  if (place === null) {
    if (permissionMode !== 'edits' && permissionMode !== 'allow') return HERE
    const dirty = await worktrees.isDirty(folder)
    if (!dirty.ok || !dirty.value) return HERE
  }
  dispatch({ type: 'hinted', hint: 'Making a git worktree…' })
  // The names of the branch and a commit come from the prompt.
  const created = await worktrees.create({ folder, prompt: redact(prompt) })
  dispatch({ type: 'hinted', hint: null })
  if (created.ok) {
    const { worktree, left } = created.value
    const missing = left === 0 ? '' : ` Your ${changesText(left)} ${left === 1 ? 'is' : 'are'} not in it.`
    const note = `It works on the branch ${worktree.branch}, in a worktree (/worktrees).${missing}`
    return { ok: true, folder: created.value.folder, note, undo: async () => worktrees.discard(worktree) }
  }
  if (place === 'worktree') return { ok: false, why: created.why }
  return { ...HERE, note: `It works in your folder, because there is no worktree: ${created.why}.` }
}

const changesText = (count: number): string => counted(count, 'uncommitted change')

function reason(isDemo: boolean, host: AppContext['host']): string {
  if (host?.remote) return `the folder is on ${host.remote.name}`
  return isDemo ? 'the demo changes no files' : 'no files are kept here'
}
