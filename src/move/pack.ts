/**
 * Packs a folder: all that git does not ignore as one commit on top of the last one, and the commits that the other side lacks as a bundle.
 * In the repository only objects are added.
 */
import { join } from 'node:path'
import { parseListing } from '../changes/git-listing.ts'
import type { MoveLook } from './look.ts'
import { answerFrom, lineFrom, MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'

export type MoveSeal = {
  /** All files as a tree of git. */
  tree: string
  /** A commit of them; the last commit itself if nothing is uncommitted. */
  commit: string
}

export type MovePack = MoveSeal & {
  head: string
  branch: string | null
  format: string
  /** The bundle on the side where it was made; null if the other side has all of it. */
  bundle: string | null
  bytes: number
  /** The bundle's name by its content, as git makes it. */
  hash: string
}

/** Bytes of a bundle. More would take an hour on a usual connection. */
const MOST_PACKED = 2 * 1024 ** 3

const PERSON = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap(who => [
    [`GIT_${who}_NAME`, 'zotui'],
    [`GIT_${who}_EMAIL`, 'zotui@localhost'],
  ]),
)

/** Makes the commit. The index of the person stays as it is. `temporary` is a folder of ours. @throws MoveProblem */
export async function sealAt(side: MoveSide, look: MoveLook, temporary: string): Promise<MoveSeal> {
  const { name: where } = side
  const own = join(temporary, 'index')
  await side.remove(own)
  // The index lists the files that have not changed.
  await side.copy(look.index, own)
  const git = await side.git(look.top, { GIT_INDEX_FILE: own, ...PERSON })
  await answerFrom(git, ['add', '--all', '--no-ignore-errors'], where)
  const tree = await lineFrom(git, ['write-tree'], where)
  if (tree === (await lineFrom(git, ['rev-parse', `${look.head}^{tree}`], where))) return { tree, commit: look.head }
  const between = await answerFrom(git, ['diff-tree', '-r', '-z', '--raw', '--no-renames', look.head, tree], where)
  const nested = parseListing(between.toString()).find(({ status, modes }) => status === 'A' && modes[1] === '160000')
  if (nested)
    throw new MoveProblem(
      `${nested.path} is a repository of its own, whose files would be missing`,
      'Move it away, or add it to .gitignore.',
    )
  const message = Buffer.from('What was not committed\n')
  const args = ['commit-tree', '--no-gpg-sign', tree, '-p', look.head, '-F', '-']
  return { tree, commit: await lineFrom(git, args, where, message) }
}

/** Those of some commits that a repository has. @throws MoveProblem */
export async function knownCommits(side: MoveSide, top: string, commits: readonly string[]): Promise<string[]> {
  const asked = commits.filter(each => /^[\da-f]{40,64}$/.test(each))
  if (asked.length === 0) return []
  const git = await side.git(top)
  const input = Buffer.from(asked.map(each => `${each}\n`).join(''))
  const lines = (await answerFrom(git, ['cat-file', '--batch-check'], side.name, input)).toString().split('\n')
  return lines.flatMap(line => /^([\da-f]{40,64}) commit \d+$/.exec(line)?.[1] ?? [])
}

/** The commits at the ends of the branches and tags of a repository. @throws MoveProblem */
export async function tipsOf(side: MoveSide, top: string): Promise<string[]> {
  const git = await side.git(top)
  const form = ['for-each-ref', '--format=%(objectname)', `--count=${MOST_TIPS}`, '--sort=-creatordate']
  const refs = await lineFrom(git, form, side.name)
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  const all = [...(head.ok ? [head.bytes.toString().trim()] : []), ...refs.split('\n')]
  return [...new Set(all.filter(each => each !== ''))]
}

const MOST_TIPS = 2000

/**
 * Writes the bundle. `known` are commits that both sides have. @throws MoveProblem
 */
export async function packAt(
  side: MoveSide,
  look: MoveLook,
  seal: MoveSeal,
  { temporary, known, id }: { temporary: string; known: readonly string[]; id: string },
): Promise<MovePack> {
  const { name: where } = side
  const { head, branch, format } = look
  const git = await side.git(look.top, PERSON)
  const facts = { ...seal, head, branch, format }
  const missing = await missingOf(seal.commit)
  if (missing === 0) return { ...facts, bundle: null, bytes: 0, hash: '' }
  const bundle = join(temporary, 'bundle')
  const ref = `refs/zotui/move/${id}`
  await answerFrom(git, ['update-ref', ref, seal.commit], where)
  try {
    const without = known.map(each => `^${each}\n`).join('')
    await answerFrom(git, ['bundle', 'create', '--quiet', bundle, ref, '--stdin'], where, Buffer.from(without))
  } finally {
    await git(['update-ref', '-d', ref])
  }
  const bytes = await side.size(bundle)
  if (bytes > MOST_PACKED)
    throw new MoveProblem('the repository is too large to send', 'Clone it there, and name that folder.')
  const hash = await lineFrom(git, ['hash-object', '--no-filters', '--', bundle], where)
  return { ...facts, bundle, bytes, hash }

  /** How many commits the other side lacks. */
  async function missingOf(commit: string): Promise<number> {
    const input = Buffer.from([commit, ...known.map(each => `^${each}`)].map(each => `${each}\n`).join(''))
    return Number(await lineFrom(git, ['rev-list', '--count', '--stdin'], where, input))
  }
}

/** The files by which two trees differ. @throws MoveProblem */
export async function filesBetweenTrees(
  side: MoveSide,
  top: string,
  before: string,
  after: string,
): Promise<ReturnType<typeof parseListing>> {
  const git = await side.git(top)
  const form = ['-r', '-z', '--raw', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv']
  return parseListing((await answerFrom(git, ['diff-tree', ...form, before, after], side.name)).toString())
}
