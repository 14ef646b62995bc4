/** A worktree that a way back has made here before its zotui was killed. */
import { join } from 'node:path'
import { lookAt } from '../../move/look.ts'
import { sealAt } from '../../move/pack.ts'
import { lineFrom } from '../../move/problem.ts'
import { requireCutOff, type MoveRecord } from '../../move/record.ts'
import type { MoveSide } from '../../move/side.ts'
import type { Worktree } from '../../worktrees/record.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'

/** By these words the list of worktrees shows where one comes from. */
export const promptOf = ({ machine }: Pick<MoveRecord, 'machine'>): string => `back from ${machine}`

/** Null if there is none, or if somebody has worked in it since. @throws MoveProblem if its zotui still runs. */
export async function leftWorktree(here: MoveSide, record: MoveRecord, worktrees: Worktrees): Promise<Worktree | null> {
  const { bringing } = record
  if (!bringing?.isWorktree) return null
  requireCutOff(bringing)
  const listed = await worktrees.list(record.folder)
  const found = listed.ok ? listed.value.find(each => each.isThere && isOf(each.worktree, record)) : undefined
  if (!found || found.isUsed) return null
  return (await isUntouched(here, found.worktree, bringing)) ? found.worktree : null
}

const isOf = ({ prompt, at }: Worktree, record: MoveRecord): boolean =>
  prompt === promptOf(record) && at >= (record.bringing?.at ?? Infinity)

async function isUntouched(
  here: MoveSide,
  { folder, base, branch }: Worktree,
  { head, commit, tree }: NonNullable<MoveRecord['bringing']>,
): Promise<boolean> {
  const own = await here.temporary()
  try {
    const look = await lookAt(here, folder)
    // The commits of a branch that somebody has left go with it.
    if (look.branch !== branch || ![base, head, commit].includes(look.head)) return false
    // Git is not asked about the files of submodules, which a way back never brings.
    const kinds = await Promise.all(look.submodules.map(async path => here.kind(join(folder, path))))
    if (kinds.includes('folder')) return false
    const git = await here.git(folder)
    // A way back stages nothing, and the seal has only what the files are.
    if (!(await git(['diff-index', '--cached', '--quiet', look.head, '--'])).ok) return false
    const seal = await sealAt(here, look, own.path)
    const before = await lineFrom(git, ['rev-parse', '--verify', `${base}^{tree}`], here.name)
    return [before, tree].includes(seal.tree) && look.ignored === 0
  } catch {
    // It is no whole worktree: the list has it.
    return false
  } finally {
    await own.remove()
  }
}
