/** The effect of restoring a checkpoint. */
import { differences, ignoredThen, isFile, lineCounts, missing, type Difference } from './compare.ts'
import { madeByRestore } from './interrupted.ts'
import type { Checkpoint } from './record.ts'
import type { PlannedFile } from './restore.ts'
import { isLossy, type Shadow } from './shadow.ts'

export type RestorePlan = {
  files: readonly PlannedFile[]
  /** Files that differ and would not be restored. `why` completes a sentence that begins with the path. */
  stay: readonly { path: string; why: string }[]
}

/** @throws GitFailure */
export async function makePlan(
  shadow: Shadow,
  target: Checkpoint,
  present: { tree: string; left: readonly string[] },
  byUser: ReadonlySet<string>,
): Promise<RestorePlan> {
  const found = await differences(shadow, present.tree, target.tree)
  const oids = found.flatMap(({ after }) => (isFile(after) ? [after.oid] : []))
  const [gone, counts] = [await missing(shadow, oids), await lineCounts(shadow, present.tree, target.tree)]
  const deleted = found.filter(({ after }) => after === null).map(({ path }) => path)
  const ignored = await ignoredThen(shadow, target, deleted)
  const left = new Set([...target.left, ...present.left])
  const files: PlannedFile[] = []
  const stay: { path: string; why: string }[] = []
  for (const difference of found) {
    const { path } = difference
    const why = whyNot(difference, { gone, ignored, left })
    if (why !== null) stay.push({ path, why })
    else {
      const lines = counts.get(path)
      const what = difference.after === null ? 'deleted' : difference.before === null ? 'recreated' : 'restored'
      const [added, removed] = [lines?.added ?? null, lines?.removed ?? null]
      files.push({ path, what, added, removed, byUser: byUser.has(path), entry: difference.after })
    }
  }
  const named = new Set(found.map(({ path }) => path))
  for (const path of left) if (!named.has(path)) stay.push({ path, why: isLossy(path) ? LOSSY : TOO_LARGE })
  return { files, stay }
}

const LOSSY = 'was not kept: its name is not UTF-8'
const TOO_LARGE = 'was not kept: it is too large, or cannot be read'

type Reasons = { gone: ReadonlySet<string>; ignored: ReadonlySet<string>; left: ReadonlySet<string> }

/**
 * Whether a part of a path is the folder of a repository, whose files run programs: as any file system may read the name. git puts no such
 * path into an index, but an index of another's making may have one.
 */
function isOfGit(name: string): boolean {
  // Some file systems ignore these characters, and others dots and spaces at the end.
  const plain = name.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').replace(/[. ]+$/, '')
  return /^(?:\.git|git~\d)$/i.test(plain)
}

function whyNot({ path, before, after }: Difference, { gone, ignored, left }: Reasons): string | null {
  if (before?.mode === '160000' || after?.mode === '160000') return 'is a submodule'
  if (path.split('/').some(isOfGit)) return 'belongs to git'
  if (isLossy(path)) return LOSSY
  if (left.has(path)) return TOO_LARGE
  if (after !== null && gone.has(after.oid)) return 'is no longer kept: git has removed its content'
  return ignored.has(path) ? 'was ignored then' : null
}

/**
 * The paths that the user has changed since a checkpoint: those that changed between the agent's turns, and after the last one. What a
 * restore wrote that was killed is not the user's.
 */
export async function changedByUser(
  shadow: Shadow,
  checkpoints: readonly Checkpoint[],
  from: string,
  present: { tree: string; by: Checkpoint['by'] },
): Promise<Set<string>> {
  const start = checkpoints.findIndex(({ id }) => id === from)
  const paths = new Set<string>()
  let before = checkpoints[start]
  for (const next of [...checkpoints.slice(start + 1), null]) {
    const { tree, by } = next ?? present
    if (by === 'user' && before) {
      const found = await differences(shadow, before.tree, tree)
      const made = await madeByRestore(shadow, checkpoints, before, found)
      for (const { path } of found) if (!made.has(path)) paths.add(path)
    }
    before = next ?? before
  }
  return paths
}
