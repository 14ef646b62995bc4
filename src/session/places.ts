/** Where the sessions are: `sessions`, a folder for each project in it, a file for each session in that. */
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { listing, placeName } from '../journal/places.ts'
import { claim, isOpen, type Claim } from './claim.ts'
import { openIndex, sessionIds, sessionPath } from './index-file.ts'
import type { SessionSummary } from './summary.ts'

/** Those of this folder, or of all. */
export type SessionScope = 'folder' | 'all'

export type Places = {
  /** Where those of this project are. */
  own: string
  /** Null where there is none of that name. Those of this project go first. */
  pathOf: (id: string) => string | null
  /** Null where it is open in a program that is alive. */
  claim: (id: string, now: number) => Claim | null
  isOpen: (path: string, now: number) => boolean
  /** In no order. What of it cannot be read is told to `report`. */
  list: (scope: SessionScope, report: (error: unknown) => void) => Promise<SessionSummary[]>
  /** The one of this project that was written to last. */
  newest: () => string | null
}

/** Which sessions are open, beside their files. */
const OPEN = 'open'
/** How long the reading of many sessions may hold up what else there is to do, in milliseconds. */
const SLICE = 10
/** What may be a session's name: nothing that leads elsewhere. */
const ID = /^[\w-]+$/

/** Nothing is read or made by opening; the rest throws what the system throws. */
export function openPlaces(stateFolder: string, projectFolder: string): Places {
  const root = join(stateFolder, 'sessions')
  const own = join(root, placeName(projectFolder))

  return {
    own,
    pathOf(id) {
      if (!ID.test(id)) return null
      const folders = [own, ...foldersIn(root)]
      return folders.map(folder => sessionPath(folder, id)).find(path => changed(path) > 0) ?? null
    },
    claim: (id, now) => claim(join(own, OPEN), id, () => changed(sessionPath(own, id)), now),
    isOpen: (path, now) => isOpen(join(dirname(path), OPEN), basename(path, '.jsonl'), () => changed(path), now),
    async list(scope, report) {
      const found: SessionSummary[] = []
      for (const folder of scope === 'folder' ? [own] : foldersIn(root)) {
        try {
          await listFolder(folder, found)
        } catch (error) {
          report(error)
        }
      }
      return found
    },
    newest() {
      const byChange = sessionIds(own).map(id => ({ id, at: changed(sessionPath(own, id)) }))
      return byChange.toSorted((a, b) => b.at - a.at)[0]?.id ?? null
    },
  }
}

async function listFolder(folder: string, found: SessionSummary[]): Promise<void> {
  const index = openIndex(folder)
  let begun = performance.now()
  for (const id of index.ids) {
    const summary = index.summaryOf(id)
    if (summary) found.push(summary)
    if (performance.now() - begun < SLICE) continue
    await setImmediate()
    begun = performance.now()
  }
  index.save()
}

function foldersIn(root: string): string[] {
  return listing(root).map(name => join(root, name))
}

/** When a file was last written, in milliseconds since the Unix epoch; 0 where there is none. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
