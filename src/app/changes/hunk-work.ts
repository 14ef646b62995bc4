/** Reverts, stages and unstages what `/diff` shows, with a checkpoint before a file is changed. */
import { resolve } from 'node:path'
import { createHunkWork, type HunkWork } from '../../changes/hunks/hunk-work.ts'
import type { AppContext } from '../context/context.ts'

export type { HunkAnswer, HunkRequest, HunkUndo, HunkWork } from '../../changes/hunks/hunk-work.ts'

/** Milliseconds that one question to git may take. */
const LIMIT = 20_000

/** Null where there is no project. */
export function openHunkWork(context: AppContext): HunkWork | null {
  const { host, ownWrites } = context
  if (!host) return null
  const { remote, env } = host
  const folder = resolve(host.folder)
  return createHunkWork({
    folder,
    project: folder,
    env,
    limit: LIMIT,
    ...(remote && { remote }),
    keep: label => keep(context, label),
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
