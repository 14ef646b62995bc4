import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepsFolders } from '../keeps-folders.ts'

/**
 * Writes a text to a file in a folder of its own that only the user may open, and passes its path to `work`. The folder is
 * removed afterwards, unless `work` calls `keep`.
 *
 * @throws what the system throws where the file cannot be written.
 */
export async function withTemporaryFile<Result>(
  name: string,
  text: string,
  work: (path: string, keep: () => void) => Promise<Result>,
): Promise<Result> {
  // Another user could put another folder there, in a folder of theirs.
  const parent = [tmpdir(), '/tmp'].find(keepsFolders) ?? tmpdir()
  const folder = await mkdtemp(join(parent, 'zotui-'))
  let isKept = false
  try {
    const path = join(folder, name)
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
    return await work(path, () => (isKept = true))
  } finally {
    // A folder that cannot be removed is left to the system, which clears its own.
    if (!isKept) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
