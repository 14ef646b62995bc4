/** Takes sessions out of the lists. Their files stay: moved back, they are listed again. */
import { existsSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../platform/folders.ts'
import { filesBeside } from './beside.ts'
import { openSessionFiles } from './session-files.ts'

/** The folder in that of a project's sessions. */
const ARCHIVED = 'archived'

/** Why it is not archived, as a sentence; null if it is. Never throws for what another program does. @throws what the system throws. */
export function archiveSession(stateFolder: string, id: string, now: number): string | null {
  const files = openSessionFiles(stateFolder, stateFolder)
  const path = files.pathOf(id)
  if (path === null) return 'There is no such session.'
  if (files.isOpen(path, now)) return 'A zotui has this session open.'
  const folder = dirname(path)
  const archived = join(folder, ARCHIVED)
  makeFolder(archived)
  // What is beside it goes first: left behind, it would be a session of its own.
  for (const each of [...filesBeside(folder, id), path]) {
    if (existsSync(each)) renameSync(each, join(archived, basename(each)))
  }
  return null
}
