/** Reverts, stages and unstages what `/diff` shows, with a checkpoint before a file is changed. */
import { dirname, resolve } from 'node:path'
import { createHunkEditor, type HunkEditor } from '../../changes/hunks/hunk-editor.ts'
import { openRepository } from '../../changes/repository.ts'
import type { GitOptions } from '../../changes/run-git.ts'
import { here } from '../../platform/project-files.ts'
import { isWithin } from '../../platform/within.ts'
import type { AppContext } from '../context/context.ts'

export type { HunkAnswer, HunkRequest, HunkUndo, HunkEditor } from '../../changes/hunks/hunk-editor.ts'

/** Milliseconds that one question to git may take. */
const LIMIT = 20_000

/** Null where there is no project. */
export function openHunkEditor(context: AppContext): HunkEditor | null {
  const { host, ownWrites, worktrees } = context
  if (!host) return null
  const { remote, env } = host
  const folder = resolve(host.folder)
  return createHunkEditor({
    folder,
    project: folder,
    env,
    limit: LIMIT,
    ...(remote && { remote }),
    keep: async (label, file) =>
      (await isKept(file, { folder, env, ...(remote && { remote }) }, context.state().chat.folders))
        ? keep(context, label)
        : 'the file is outside of what they keep',
    ...(worktrees && { worktreeOf: file => worktrees.at(dirname(file)) }),
    // What is written on another machine is not noted.
    writing: (file, work) => (ownWrites && !remote ? ownWrites.during('revert', [file], work) : work()),
  })
}

async function keep(
  { checkpoints, settings, state, redact, sessionId }: AppContext,
  label: string,
): Promise<string | null> {
  if (!checkpoints || !settings.values().checkpoints) return null
  const { open, folders } = state().chat
  // What has changed since the last checkpoint is the agent's while it works.
  const by = open?.kind === 'turn' && open.endedAt === null ? 'agent' : 'user'
  const made = await checkpoints.make({ by, label: redact(label), session: sessionId(), folders })
  return made.ok ? null : made.why
}

/** Whether checkpoints have a file: it is in the folder's repository, or in an opened folder. Worktrees are other repositories. */
async function isKept(
  file: string,
  place: Pick<GitOptions, 'folder' | 'env' | 'remote'>,
  folders: readonly string[],
): Promise<boolean> {
  if (folders.some(folder => isWithin(folder, file))) return true
  const [own, its] = await Promise.all(
    [place.folder, dirname(file)].map(folder => openRepository({ ...place, folder, limit: LIMIT })),
  )
  if (own?.ok && its?.ok) return own.value.top === its.value.top
  const files = place.remote?.files ?? here
  const root = own?.ok ? own.value.top : await files.realPath(place.folder).catch(() => place.folder)
  return isWithin(root, file)
}
