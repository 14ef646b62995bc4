/** The models that were chosen or asked last: one small file that all programs share, and none waits for. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { makeFolder } from '../../platform/folders.ts'
import { createReporter } from './places.ts'
import { readTextSync } from '../../platform/regular-file.ts'

export type RecentModels = {
  /** As `provider/id`, the newest first. */
  list: () => readonly string[]
  /** Makes one the newest. */
  note: (name: string) => void
}

export type RecentModelsOptions = {
  stateFolder: string
  /** Called at most once, with one line. */
  onProblem: (words: string) => void
}

/** How many are kept. */
const MOST = 10

/** Nothing here throws; nothing is read or made by opening. */
export function openRecentModels({ stateFolder, onProblem }: RecentModelsOptions): RecentModels {
  const path = join(stateFolder, 'recent-models.json')
  const report = createReporter('The models that were used cannot be noted', onProblem)

  function list(): string[] {
    try {
      const content: unknown = JSON.parse(readTextSync(path))
      return Array.isArray(content) ? content.filter(name => typeof name === 'string').slice(0, MOST) : []
    } catch {
      // There is none yet, or it is spoiled: then nothing is recent, and the next one writes it anew.
      return []
    }
  }

  /** Whole, in the place of the old one: who reads meanwhile finds one of the two. */
  function write(names: readonly string[]): void {
    const fresh = `${path}.${process.pid}.new`
    try {
      makeFolder(stateFolder)
      try {
        writeFileSync(fresh, `${JSON.stringify(names)}\n`, { mode: 0o600 })
        renameSync(fresh, path)
      } finally {
        rmSync(fresh, { force: true })
      }
    } catch (error) {
      report(error)
    }
  }

  return {
    list,
    note(name) {
      const names = list()
      if (names[0] !== name) write([name, ...names.filter(other => other !== name)].slice(0, MOST))
    },
  }
}
