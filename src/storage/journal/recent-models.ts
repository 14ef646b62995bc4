/** The models that were chosen or asked last: one small file that all programs share, and none waits for. */
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
