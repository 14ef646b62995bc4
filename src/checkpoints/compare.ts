/** The difference of two trees of a shadow. */
import { join } from 'node:path'
import type { Checkpoint } from './record.ts'
import type { TreeEntry } from './restore.ts'
import { answerOf, fieldsOf, namesOf, type Shadow } from './shadow.ts'

/** A path whose file differs; null where it is in one of the trees only. */
export type Difference = { path: string; before: TreeEntry | null; after: TreeEntry | null }

const TREES = [
  'diff-tree',
  '-r',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--full-index',
  '--ignore-submodules=none',
]

/** The differences between two trees, in the order of the paths. */
export async function differences({ git }: Shadow, before: string, after: string): Promise<Difference[]> {
  if (before === after) return []
  const fields = fieldsOf(await answerOf(git([...TREES, '--raw', before, after])))
  const found: Difference[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [from = '', to = '', fromOid = '', toOid = ''] = (fields[at] ?? '').slice(1).split(' ')
    found.push({ path: fields[at + 1] ?? '', before: entryOf(from, fromOid), after: entryOf(to, toOid) })
  }
  return found
}

function entryOf(mode: string, oid: string): TreeEntry | null {
  return mode === '000000' ? null : { mode, oid }
}

export type LineCounts = { added: number; removed: number }

/** The lines that differ, by path; nothing for a binary file, or if git does not know. */
export async function lineCounts(
  { gitWithProject }: Shadow,
  before: string,
  after: string,
): Promise<Map<string, LineCounts>> {
  const counts = new Map<string, LineCounts>()
  const answer = await gitWithProject([...TREES, '--numstat', before, after])
  for (const row of answer.ok ? fieldsOf(answer.bytes) : []) {
    const [, added, removed, path] = /^(\d+)\t(\d+)\t([^]*)$/.exec(row) ?? []
    if (path !== undefined) counts.set(path, { added: Number(added), removed: Number(removed) })
  }
  return counts
}

/** The unified diff of two trees, of all files or of some. */
export async function patchOf(
  { gitWithProject }: Shadow,
  before: string,
  after: string,
  paths: readonly string[] = [],
): Promise<Buffer> {
  const form = ['--patch', '--unified=3', '--no-color', '--src-prefix=a/', '--dst-prefix=b/']
  const options = TREES.filter(option => option !== '-z' && option !== '--full-index')
  return answerOf(gitWithProject([...options, ...form, before, after, '--', ...paths], 64 * 1024 * 1024))
}

/** The ids among `oids` whose objects are gone. */
export async function missing({ gitWithProject }: Shadow, oids: readonly string[]): Promise<Set<string>> {
  return absent(gitWithProject, oids)
}

/** Takes the content of files that changed into the shadow: the project's repository may forget it now. */
export async function importChanged(shadow: Shadow, before: string, after: string): Promise<void> {
  if (!shadow.project.git) return
  const old = (await differences(shadow, before, after)).flatMap(({ before: entry }) =>
    isFile(entry) ? [entry.oid] : [],
  )
  const foreign = await absent(shadow.git, old)
  const known = [...foreign].filter(oid => foreign.has(oid))
  const gone = await absent(shadow.gitWithProject, known)
  const present = known.filter(oid => !gone.has(oid))
  if (present.length === 0) return
  const input = Buffer.from(present.map(oid => `${oid}\n`).join(''))
  await answerOf(
    shadow.gitWithProject(['pack-objects', '-q', join(shadow.folder, 'objects', 'pack', 'pack')], undefined, input),
  )
}

/** Whether it is a file or a link, not a submodule. */
export const isFile = (entry: TreeEntry | null): entry is TreeEntry => entry !== null && entry.mode !== '160000'

async function absent(git: Shadow['git'], oids: readonly string[]): Promise<Set<string>> {
  if (oids.length === 0) return new Set()
  const unique = [...new Set(oids)]
  const input = Buffer.from(unique.map(oid => `${oid}\n`).join(''))
  const rows = (await answerOf(git(['cat-file', '--batch-check=%(objectname)'], undefined, input)))
    .toString()
    .split('\n')
  return new Set(rows.flatMap(row => /^([\da-f]+) missing$/.exec(row)?.[1] ?? []))
}

/**
 * Those of some paths that the rules of a checkpoint ignore. The rules are laid out in a folder of their own: those in the project may be
 * the agent's.
 */
export async function ignoredThen(
  shadow: Shadow,
  checkpoint: Checkpoint,
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const { disk } = shadow
  // One program at a time works here: what a killed one left is in the way.
  const folder = join(shadow.folder, 'zotui-rules')
  await disk.remove([folder])
  try {
    const rules = join(folder, 'rules')
    const tree = join(folder, 'tree')
    await disk.makeFolder(tree)
    await disk.write(rules, checkpoint.rules)
    for (const { path, oid } of await ruleFiles(shadow, checkpoint.tree)) {
      const content = await shadow.gitWithProject(['cat-file', 'blob', oid], 1024 * 1024)
      if (content.ok) await disk.write(join(tree, path), content.bytes)
    }
    // Read as paths, also those that begin with a colon.
    const forms = ['--no-literal-pathspecs', '--work-tree', tree, '-c', `core.excludesFile=${rules}`]
    const input = namesOf(paths.map(path => `./${path}`))
    const answer = await shadow.git([...forms, 'check-ignore', '-z', '--stdin', '--no-index'], undefined, input)
    // Without a match, git fails silently.
    if (!answer.ok && answer.words === '') return new Set()
    return new Set(fieldsOf(await answerOf(Promise.resolve(answer))).map(path => path.slice(2)))
  } finally {
    await disk.remove([folder])
  }
}

async function ruleFiles({ git }: Shadow, tree: string): Promise<{ path: string; oid: string }[]> {
  const rows = fieldsOf(await answerOf(git(['ls-tree', '-r', '-z', '--full-tree', tree])))
  return rows.flatMap(row => {
    const [, oid, path] = /^100\d+ blob ([\da-f]+)\t((?:[^]*\/)?\.gitignore)$/.exec(row) ?? []
    return oid === undefined || path === undefined ? [] : [{ path, oid }]
  })
}
