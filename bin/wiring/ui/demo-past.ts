/**
 * What the demo keeps until it ends: its sessions with made-up earlier ones, their marks and their index. The index and the viewer read
 * files, so these are in a private folder of the system's temporary one, which is removed at the end.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { ControllerOptions } from '../../../src/app/controller-options.ts'
import { timers } from '../../../src/platform/timers.ts'
import { listedUntil } from '../../../src/platform/unfinished.ts'
import { createReporter } from '../../../src/storage/failures.ts'
import { openMarks } from '../../../src/storage/marks/marks.ts'
import { openSessions } from '../../../src/storage/sessions/sessions.ts'
import { openFinderOnce } from './finder-once.ts'

export type DemoPast = {
  /** What a conversation in this folder keeps. Nothing is written or read yet. */
  keep: (projectFolder: string) => Required<Pick<ControllerOptions, 'sessions' | 'marks' | 'openSessionFinder'>>
}

export type DemoPastOptions = { folder: string; now: () => number; onProblem: (words: string) => void }

export function createDemoPast({ folder, now, onProblem }: DemoPastOptions): DemoPast {
  const stateFolder = join(tmpdir(), `zotui-${randomBytes(6).toString('hex')}`)
  const report = createReporter('The earlier sessions of the demo cannot be made up', onProblem)
  let endOfList: (() => void) | null = null
  let filling: Promise<void> | null = null
  process.once('exit', remove)
  const openSessionFinder = openFinderOnce(stateFolder, fill)

  return {
    keep: projectFolder => ({
      sessions: openSessions({ stateFolder, projectFolder, now, timers, onProblem, onDemand: { make, fill } }),
      marks: openMarks({ stateFolder, projectFolder, now, onProblem }),
      openSessionFinder,
    }),
  }

  /** A demo that is killed leaves the folder, which a later zotui then removes. */
  function make(): void {
    if (endOfList) return
    mkdirSync(stateFolder, { mode: 0o700 })
    endOfList = listedUntil({ folder: stateFolder })
  }

  async function fill(): Promise<void> {
    await (filling ??= write().catch(report))
  }

  async function write(): Promise<void> {
    const { writeMadeUpSessions } = await import('./made-up-sessions.ts')
    make()
    writeMadeUpSessions(stateFolder, folder, now())
  }

  function remove(): void {
    if (!endOfList) return
    try {
      // The thread of the index may be writing.
      rmSync(stateFolder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
      endOfList()
    } catch {
      // A later zotui removes it.
    }
  }
}
