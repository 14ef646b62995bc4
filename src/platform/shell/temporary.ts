import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepsFolders } from '../keeps-folders.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

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
  const folder = makeTemporaryFolder(parent)
  let isKept = false
  try {
    const path = join(folder.path, name)
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
    folder.lend(name)
    return await work(path, () => (isKept = true))
  } finally {
    if (isKept) folder.keep()
    else folder.remove()
  }
}
