/**
 * The index of a repository. This is the only place of `changes` where git writes: blobs, and entries of single paths. No filter, hook or
 * other program of the repository runs, and the repository must be that of the file's own folder.
 */
import { dirname, resolve } from 'node:path'
import { here } from '../../platform/project-files.ts'
import { ownRepository } from '../../platform/git/repository.ts'
import { reasonOf, UNLISTED } from '../git-part.ts'
import { openRepository, type GitQuestion, type Repository } from '../repository.ts'
import { createGit, withoutPrograms, type AskGit, type GitAnswer, type GitOptions } from '../run-git.ts'
import { below } from '../shown-path.ts'

export type IndexEntry = { mode: string; oid: string }

/** What the index has for a path. `intent`: it only knows that the file will be added. */
export type IndexState =
  | { kind: 'none' }
  | { kind: 'unmerged' }
  | { kind: 'intent'; entry: IndexEntry }
  | { kind: 'entry'; entry: IndexEntry }

/** Where the files are, and which git may be asked. */
export type IndexPlace = Pick<GitOptions, 'env' | 'remote' | 'project' | 'signal' | 'limit'>

/** A sentence that says why something was not done. */
export class HunkRefusal extends Error {}

/** Methods reject with `HunkRefusal`. Paths are from the top, with slashes. */
export type GitIndex = {
  repository: Repository
  /** The path of a file from the top. */
  pathOf: (file: string) => string
  stateOf: (path: string) => Promise<IndexState>
  /** The entry of the last commit; null for none. */
  headEntry: (path: string) => Promise<IndexEntry | null>
  content: (entry: IndexEntry) => Promise<Buffer>
  /** An attribute of a file, such as the name of the filter that makes it from what git has; null for none. */
  attribute: (path: string, name: 'filter' | 'working-tree-encoding') => Promise<string | null>
  /** The bytes as git would write them into the folder, without filters. */
  asFile: (path: string, bytes: Buffer) => Promise<Buffer>
  store: (bytes: Buffer) => Promise<string>
  /** Stores the bytes of a file in the folder: git converts the ends of its lines. */
  storeFile: (path: string, bytes: Buffer) => Promise<string>
  /** Sets an entry to what it was, or to a new one. */
  put: (path: string, state: IndexState) => Promise<void>
  /** Takes a file as it is, as `git add` does, but never a folder. */
  add: (path: string) => Promise<void>
  /** Only notes that a file will be added. */
  intend: (path: string) => Promise<void>
}

/** Null if the file is in no repository. @throws HunkRefusal */
export async function openIndex(file: string, place: IndexPlace): Promise<GitIndex | null> {
  const files = place.remote?.files ?? here
  let folder = dirname(file)
  while ((await files.stats(folder).catch(() => null)) === null && dirname(folder) !== folder) folder = dirname(folder)
  const opened = await openRepository({ ...place, folder })
  if (!opened.ok && (opened.why === 'none' || /not a git repository/i.test(opened.words))) return null
  const repository = answered(opened)
  const asked: Parameters<typeof ownRepository>[0] = async (at, args, variables) =>
    (await createGit({ ...place, folder: at, ...(variables && { variables }) }))(args)
  const own = await ownRepository(asked, folder)
  if (own !== null && 'reason' in own) throw new HunkRefusal(`git is not asked to write here: ${own.reason}.`)
  if (own === null || resolve(own.top) !== repository.top || below(own.top, file) === null) return null
  const git = await withoutPrograms(await createGit({ ...place, folder: repository.top, writes: true }))
  return indexOf(git, repository)
}

function answered<Value>(answer: GitQuestion<Value>): Value {
  if (answer.ok) return answer.value
  throw new HunkRefusal(sentenceOf(answer))
}

/** Why git did not do it. */
function sentenceOf(answer: Exclude<GitAnswer, { ok: true }>): string {
  const { why, words } = answer
  if (/index\.lock/.test(words)) return 'Another git is at work in this repository: its index is locked. Try again.'
  if (/does not exist and --remove not passed|is a directory - add files/.test(words))
    return 'This is no file by now: nothing was staged.'
  if (/appears as both a file and as a directory/.test(words))
    return 'The index has a folder in the place of a file, or a file in that of a folder: use git itself.'
  if (why === 'failed')
    return `git failed: ${words.split('\n')[0]?.replace(/^(?:fatal|error): /, '') || 'it gave no reason'}`
  return reasonOf(answer).replace(`: ${UNLISTED}`, '.')
}

function indexOf(git: AskGit, repository: Repository): GitIndex {
  const index: GitIndex = {
    repository,
    pathOf(file) {
      const path = below(repository.top, file)
      // The bytes of a name that is not UTF-8 are lost, so git cannot be asked for it.
      if (path === null || path.includes('\uFFFD')) throw new HunkRefusal('The name of this file is not UTF-8.')
      return path
    },
    async stateOf(path) {
      const rows = fields(await ask(['ls-files', '-s', '-z', '--', path])).filter(row => row.endsWith(`\t${path}`))
      const [first = ''] = rows
      const [, mode = '', oid = '', stage] = /^(\d+) ([\da-f]+) (\d)\t/.exec(first) ?? []
      if (first === '') return { kind: 'none' }
      if (rows.length > 1 || stage !== '0') return { kind: 'unmerged' }
      return { kind: (await isIntent(path)) ? 'intent' : 'entry', entry: { mode, oid } }
    },
    async headEntry(path) {
      const head = answered(await repository.head())
      if (head === null) return null
      const rows = fields(await ask(['ls-tree', '-z', '--full-tree', head, '--', path]))
      const [, mode, oid] = /^(\d+) \w+ ([\da-f]+)\t/.exec(rows.find(row => row.endsWith(`\t${path}`)) ?? '') ?? []
      return mode === undefined || oid === undefined ? null : { mode, oid }
    },
    content: ({ oid }) => ask(['cat-file', 'blob', oid]),
    async attribute(path, name) {
      const [, , value = ''] = fields(await ask(['check-attr', '-z', name, '--', path]))
      return value === '' || value === 'unspecified' || value === 'unset' ? null : value
    },
    async asFile(path, bytes) {
      return ask(['cat-file', '--filters', `--path=${path}`, await index.store(bytes)])
    },
    store: async bytes => (await ask(['hash-object', '-w', '--no-filters', '--stdin'], bytes)).toString().trim(),
    async storeFile(path, bytes) {
      return (await ask(['hash-object', '-w', '--stdin', `--path=${path}`], bytes)).toString().trim()
    },
    async put(path, state) {
      if (state.kind === 'unmerged') throw new HunkRefusal('This file has conflicts.')
      if (state.kind === 'entry') {
        const { mode, oid } = state.entry
        // Unlike `--index-info`, this never takes out a folder that has the name of the file.
        await ask(['update-index', '--add', '--cacheinfo', `${mode},${oid},${path}`])
      } else await ask(['update-index', '--force-remove', '-z', '--stdin'], Buffer.from(`${path}\0`))
      if (state.kind === 'intent') await index.intend(path)
    },
    async add(path) {
      const isNew = (await index.stateOf(path)).kind === 'none'
      const isIgnored =
        isNew && !fields(await ask(['ls-files', '-z', '--others', '--exclude-standard', '--', path])).includes(path)
      if (isIgnored) throw new HunkRefusal('git ignores this file: git add -f adds it.')
      // `git add` takes all files of a folder that stands in the place of the file by now.
      await ask(['update-index', '--add', '-z', '--stdin'], Buffer.from(`${path}\0`))
    },
    async intend(path) {
      await ask(['add', '--intent-to-add', '--force', '--', path])
    },
  }
  return index

  async function ask(args: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const answer = await git(args, undefined, input)
    if (answer.ok) return answer.bytes
    throw new HunkRefusal(sentenceOf(answer))
  }

  /** Only such an entry counts as missing where the index is compared with a commit. */
  async function isIntent(path: string): Promise<boolean> {
    const [, ...rows] = fields(await ask(['ls-files', '--debug', '-z', '--', path]))
    // The flags are hexadecimal; this one is CE_INTENT_TO_ADD.
    return rows.some(row => {
      const [, flags] = /flags: ([\da-f]+)/.exec(row) ?? []
      return flags !== undefined && (Number.parseInt(flags, 16) & 0x2000_0000) !== 0
    })
  }
}

const fields = (bytes: Buffer): string[] =>
  bytes
    .toString()
    .split('\0')
    .filter(field => field !== '')
