import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { zotHome } from '../../../src/agents/zot/program/home.ts'
import { openZotSessions } from '../../../src/import/zot-sessions.ts'
import { statePath } from '../../../src/storage/log.ts'
import type { ForeignSessions } from '../../../src/storage/sessions/sessions.ts'

/** The sessions that zot itself keeps, for this folder and the others. `secrets` are masked. */
export function zotSessions(projectFolder: string, secrets: readonly string[]): ForeignSessions {
  const { env, platform } = process
  const zotFolder = zotHome(env, platform, homedir())
  return openZotSessions({ zotFolder, projectFolder, cachePath: join(statePath(), 'zot-sessions.jsonl'), secrets })
}
