/** The changes since a checkpoint, for `/diff`. */
import { resolve } from 'node:path'
import type { Checkpoints } from '../../checkpoints/checkpoints.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import { readPatch } from '../../changes/patch.ts'
import type { FileChange } from '../../tools/diff/change.ts'

/** Never rejects. */
export async function changesSince(
  checkpoints: Checkpoints,
  id: string,
  folders: readonly string[],
): Promise<CollectedChanges> {
  const preview = await checkpoints.preview(id, folders)
  if (!preview.ok)
    return { list: { ...nothing, notes: [`The files cannot be compared: ${preview.why}.`] }, diffOf: noDiff }
  const { root, files, stay } = preview.value
  const paths = new Map(files.map(file => [resolve(root, file.path), file.path]))
  // The preview says what a restore would do, which is the reverse.
  const session = files.map(({ path, what, added, removed }): FileChange => ({
    file: resolve(root, path),
    path,
    from: null,
    kind: what === 'deleted' ? 'new' : what === 'recreated' ? 'deleted' : 'changed',
    form: added === null ? 'binary' : 'text',
    added: removed,
    removed: added,
    isEstimate: false,
    calls: 0,
  }))
  const notes = stay.map(({ path, why }) => `${path} ${why}.`)
  return {
    list: { ...nothing, session, notes },
    async diffOf({ file }) {
      const path = paths.get(file)
      const patch = path === undefined ? null : await checkpoints.diff(id, [path], folders)
      if (patch?.ok) return readPatch(patch.value, 'bytes')
      return { hunks: [], notes: [`This file cannot be compared: ${patch?.why ?? 'it is no longer in the list'}.`] }
    },
  }
}

/** No changes. */
export const nothing = { session: [], before: [], unsure: 0, notes: [] }
const noDiff: CollectedChanges['diffOf'] = async () => ({ hunks: [], notes: [] })
