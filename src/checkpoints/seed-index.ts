/** The first index of a shadow: a copy of the project's index, so that git need not read tracked files again. */
import { answerOf, fieldsOf, namesOf, type Shadow } from './shadow.ts'

/** Attributes that change a file's bytes between the repository and the folder. */
const CONVERTING = ['filter', 'ident', 'working-tree-encoding']
const LINE_ENDS = ['text', 'eol', 'crlf']

/**
 * Copies the project's index, without the files that git converts: those are read anew. With `core.autocrlf` any file could be
 * converted, and nothing is copied. An index that cannot be used leaves an empty one: the first checkpoint then reads all files.
 */
export async function seedIndex(shadow: Shadow): Promise<void> {
  const { project, index, disk } = shadow
  if (!project.git || project.git.convertsLineEnds) return
  try {
    // The copy keeps its times: git reads every file again that was written at or after the time of the index.
    await disk.copy(project.git.index, index)
    await clearFlags(shadow)
    await removeConverted(shadow)
  } catch {
    // There is no index yet, or it is split or damaged.
    await disk.remove([index])
  }
}

/** `git update-index --assume-unchanged` hides changes. */
async function clearFlags({ git }: Shadow): Promise<void> {
  const hidden = fieldsOf(await answerOf(git(['ls-files', '-z', '-v'])))
    .filter(row => /^[a-z] /.test(row))
    .map(row => row.slice(2))
  if (hidden.length > 0) {
    await answerOf(git(['update-index', '-z', '--no-assume-unchanged', '--stdin'], undefined, namesOf(hidden)))
  }
}

async function removeConverted(shadow: Shadow): Promise<void> {
  const { git, projectGit } = shadow
  const entries = fieldsOf(await answerOf(git(['ls-files', '-z', '-s'])))
  const oids = new Map(
    entries.flatMap(row => {
      const [, oid, path] = /^\d+ ([\da-f]+) \d\t([^]*)$/.exec(row) ?? []
      return oid === undefined || path === undefined ? [] : [[path, oid] as const]
    }),
  )
  const wrong = new Set<string>()
  const suspects = new Set<string>()
  // The shadow's attributes override those of the project.
  const asked = ['check-attr', '-z', '--stdin', ...CONVERTING, ...LINE_ENDS]
  const answers = fieldsOf(await answerOf(projectGit(asked, undefined, namesOf([...oids.keys()]))))
  for (let at = 0; at + 2 < answers.length; at += 3) {
    const [path = '', attribute = '', value = ''] = answers.slice(at, at + 3)
    if (value === 'unspecified' || value === 'unset') continue
    if (CONVERTING.includes(attribute)) wrong.add(path)
    else suspects.add(path)
  }
  await addOtherSizes(shadow, oids, suspects, wrong)
  if (wrong.size > 0) {
    await answerOf(git(['update-index', '-z', '--force-remove', '--stdin'], undefined, namesOf([...wrong])))
  }
}

/** Files whose size differs from that in the repository have other line endings there. */
async function addOtherSizes(
  { gitWithProject, project, disk }: Shadow,
  oids: ReadonlyMap<string, string>,
  suspects: ReadonlySet<string>,
  wrong: Set<string>,
): Promise<void> {
  const paths = [...suspects].filter(path => !wrong.has(path))
  if (paths.length === 0) return
  const input = Buffer.from(paths.map(path => `${oids.get(path)}\n`).join(''))
  const sizes = (await answerOf(gitWithProject(['cat-file', '--batch-check=%(objectsize)'], undefined, input)))
    .toString()
    .split('\n')
  const facts = await disk.facts(project.root, paths)
  for (const [at, path] of paths.entries()) if (String(facts[at]?.size ?? null) !== sizes[at]) wrong.add(path)
}
