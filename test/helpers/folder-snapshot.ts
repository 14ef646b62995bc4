/** What is in folders, as one text that is the same as long as nothing changes: names, kinds, modes, contents, targets. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** What lies in `without` is left out. A path that is not there is told from one that is. */
export function snapshot(paths: readonly string[], without: readonly string[] = []): string {
  const hash = createHash('sha256')
  const visit = (at: string): void => {
    if (without.includes(at)) return
    const stats = lstatSync(at, { throwIfNoEntry: false })
    hash.update(`${at}\0${stats?.mode ?? 'none'}\0`)
    if (stats?.isSymbolicLink()) hash.update(readlinkSync(at))
    else if (stats?.isFile()) hash.update(readFileSync(at))
    else if (stats?.isDirectory()) for (const name of readdirSync(at).toSorted()) visit(path.join(at, name))
  }
  for (const each of paths) visit(each)
  return hash.digest('hex')
}
