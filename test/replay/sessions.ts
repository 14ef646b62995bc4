/** Sessions to replay. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from '../../src/agent/event.ts'
import { openSessions } from '../../src/storage/sessions/sessions.ts'
import type { Home } from '../helpers/home.ts'

/** Stores a session of a home's project as zotui does; returns its ID and its file. */
export function storeSession(home: Home, events: readonly AgentEvent[], title = ''): { id: string; file: string } {
  const stateFolder = join(home.path, '.local', 'state', 'zotui')
  mkdirSync(stateFolder, { recursive: true })
  const sessions = openSessions({
    stateFolder,
    projectFolder: home.project,
    now: () => events[0]?.at ?? 0,
    timers: { after: () => () => undefined },
    onProblem(words) {
      throw new Error(words)
    },
  })
  sessions.add(events)
  if (title !== '') sessions.rename(sessions.current().id, title)
  const { id } = sessions.current()
  sessions.close()
  return { id, file: fileOf(home, id) }
}

function fileOf(home: Home, id: string): string {
  const root = join(home.path, '.local', 'state', 'zotui', 'sessions')
  const folder = readdirSync(root).find(name => existsSync(join(root, name, `${id}.jsonl`)))
  return join(root, folder ?? '', `${id}.jsonl`)
}

/** Writes events as the file of a session; returns its path. */
export function sessionFile(home: Home, name: string, events: readonly object[]): string {
  const file = join(home.path, name)
  writeFileSync(file, events.map(event => `${JSON.stringify(event)}\n`).join(''))
  return file
}
