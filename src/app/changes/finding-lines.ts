/** The lines that findings name: from the files as they are, or from the diff where there is no such file on this disk. */
import { isAbsolute, resolve } from 'node:path'
import { readContent } from '../../changes/file-content.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import type { ProjectFiles } from '../../platform/project-files.ts'
import { isWithin, pathWithin } from '../../platform/within.ts'
import type { LineAt } from '../../review/finding-comments.ts'
import type { FileChange } from '../../tools/diff/change.ts'

export type FindingPlace = {
  /** The file as the diff shows its path. */
  path: string
  /** False if the diff does not list the file, so that no page would show its comments. */
  isChanged: boolean
  lineAt: LineAt
}

export type FindingPlaces = {
  /** The user's folder, absolute and without links. */
  folder: string
  /** The folders beside it that the user has opened. */
  others: readonly string[]
  /** The files that the new sides of the diffs are; null where they are on no disk that is read. */
  files: ProjectFiles | null
  changes: Pick<CollectedChanges, 'list' | 'diffOf'>
}

/** Bytes of a file that is read for the lines around a finding. */
const MOST_READ = 4 * 1024 * 1024

/** Finds the place that a path of an agent means. Each file is read once. Nothing outside of the folders of the conversation is read. */
export function placesOf(places: FindingPlaces): (path: string) => Promise<FindingPlace> {
  const known = new Map<string, Promise<FindingPlace>>()
  return path => {
    const asked = known.get(path) ?? placeOf(path, places)
    known.set(path, asked)
    return asked
  }
}

async function placeOf(written: string, places: FindingPlaces): Promise<FindingPlace> {
  const { folder, changes } = places
  const change = changeOf(written, places)
  const file = change?.file ?? resolve(folder, written)
  const path = change?.path ?? pathWithin(folder, file) ?? (isAbsolute(written) ? written : file)
  const lines = (await linesOf(file, places)) ?? (change ? await linesInDiff(change, changes) : null)
  return { path, isChanged: change !== null, lineAt: line => lines?.get(line) }
}

/** The change that a path means: git names paths from the top of the repository, and agents copy its `a/` and `b/`. */
function changeOf(written: string, { folder, changes }: FindingPlaces): FileChange | null {
  const all = [...changes.list.session, ...changes.list.before]
  const names = [written, written.replace(/^[ab]\//, '')]
  const isSame = ({ path, file }: FileChange): boolean =>
    names.some(name => path === name || file === resolve(folder, name))
  const isBelow = ({ file }: FileChange): boolean => names.some(name => file.replaceAll('\\', '/').endsWith(`/${name}`))
  const below = all.filter(isBelow)
  return all.find(isSame) ?? (below.length === 1 ? (below[0] ?? null) : null)
}

/** The lines of a file in the folders of the conversation, by their numbers; null for any other. */
async function linesOf(
  file: string,
  { folder, others, files }: FindingPlaces,
): Promise<ReadonlyMap<number, string> | null> {
  if (files === null) return null
  const real = await files.realPath(file).catch(() => null)
  if (real === null || ![folder, ...others].some(each => isWithin(each, real))) return null
  const content = await readContent(real, MOST_READ, { ...files, ...files.resolved })
  if (content.kind !== 'text') return null
  const lines = content.text.split(/\r\n|\n/)
  if (lines.at(-1) === '') lines.pop()
  return new Map(lines.map((line, index) => [index + 1, line]))
}

async function linesInDiff(
  change: FileChange,
  changes: FindingPlaces['changes'],
): Promise<ReadonlyMap<number, string>> {
  const { hunks } = await changes.diffOf(change)
  return new Map(
    hunks.flatMap(({ lines }) => lines.flatMap(({ after, text }) => (after === null ? [] : [[after, text] as const]))),
  )
}
