/** The models that were used last: one small file that all programs share without locks. */
import { join } from 'node:path'
import { readTextSync } from '../../platform/regular-file.ts'
import { attempt, createReporter } from '../failures.ts'
import { replaceFile } from '../replace-file.ts'

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

/** The number of models that are kept. */
const MOST = 10

/** Opening reads and creates nothing. Nothing here throws. */
export function openRecentModels({ stateFolder, onProblem }: RecentModelsOptions): RecentModels {
  const path = join(stateFolder, 'recent-models.json')
  const report = createReporter('Recent models cannot be saved', onProblem)

  function list(): string[] {
    try {
      const content: unknown = JSON.parse(readTextSync(path))
      return Array.isArray(content) ? content.filter(name => typeof name === 'string').slice(0, MOST) : []
    } catch {
      // The file is missing or damaged: the list is empty, and the next write replaces it.
      return []
    }
  }

  return {
    list,
    note(name) {
      const names = list()
      if (names[0] === name) return
      const next = [name, ...names.filter(other => other !== name)].slice(0, MOST)
      attempt(report, undefined, () => replaceFile(path, `${JSON.stringify(next)}\n`))
    },
  }
}
