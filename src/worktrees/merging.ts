/** Merges commits in the repository, without a working tree. */
import type { WorktreeGit } from './git.ts'
import { problemOf, WorktreeProblem } from './problem.ts'
import { makeCommit, withAuthor } from './seal.ts'

export type MergedTree = { tree: string; conflicts: string[] }

/** A replay of more commits would take minutes. */
const MOST_COMMITS = 500

/** The merge of two commits by their common base. @throws WorktreeProblem */
export async function mergeTrees(git: WorktreeGit, ours: string, theirs: string): Promise<MergedTree> {
  const answer = await git.ask(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs])
  const [tree = '', ...conflicts] = answer.bytes?.toString().split('\0') ?? []
  // With conflicts git fails, but it has written the tree.
  if (!answer.ok && !/^[\da-f]{40,64}$/.test(tree)) throw problemOf(answer)
  return { tree, conflicts: [...new Set(conflicts.filter(path => path !== ''))] }
}

/**
 * Replays the commits of a branch on top of another commit, up to the first one with conflicts. `tip` is the last new
 * commit, null with conflicts.
 *
 * @throws WorktreeProblem
 */
export async function rebased(
  git: WorktreeGit,
  env: NodeJS.ProcessEnv,
  onto: string,
  branch: string,
): Promise<MergedTree & { tip: string | null }> {
  const rows = (await git.line(['rev-list', '--reverse', '--topo-order', '--parents', `${onto}..${branch}`])).split(
    '\n',
  )
  if (rows.length > MOST_COMMITS) throw new WorktreeProblem(`it has ${rows.length} commits, too many for a rebase`)
  const committer = (await (await withAuthor(git, env)).get(['var', 'GIT_COMMITTER_IDENT'])).toString('latin1').trim()
  let tip = onto
  for (const row of rows) {
    const [commit = '', parent, ...others] = row.split(' ')
    if (parent === undefined || others.length > 0)
      throw new WorktreeProblem('its commits include merges, so they cannot be rebased: merge it instead')
    if (parent === tip) tip = commit
    else {
      // With this parent, the commit's own parent becomes the base of the merge.
      const ours = await makeCommit(git, env, { tree: `${tip}^{tree}`, parents: [parent], message: 'base' })
      const { tree, conflicts } = await mergeTrees(git, ours, commit)
      if (conflicts.length > 0) return { tree, conflicts, tip: null }
      if (tree !== (await treeOf(git, tip))) tip = await replayed(git, commit, { tree, parent: tip, committer })
    }
  }
  return { tree: await treeOf(git, tip), conflicts: [], tip }
}

const treeOf = (git: WorktreeGit, commit: string): Promise<string> => git.line(['rev-parse', `${commit}^{tree}`])

/** The same author, date and message on another tree and parent. The bytes stay as they are, whatever their encoding. */
async function replayed(
  git: WorktreeGit,
  commit: string,
  { tree, parent, committer }: { tree: string; parent: string; committer: string },
): Promise<string> {
  const text = (await git.get(['cat-file', 'commit', commit])).toString('latin1')
  const end = text.indexOf('\n\n')
  const headers = text.slice(0, end).split('\n')
  const kept = (name: string): string[] => headers.filter(header => header.startsWith(`${name} `))
  const fresh = [`tree ${tree}`, `parent ${parent}`, ...kept('author'), `committer ${committer}`, ...kept('encoding')]
  const bytes = Buffer.from(fresh.join('\n') + text.slice(end), 'latin1')
  return git.line(['hash-object', '-t', 'commit', '-w', '--stdin'], bytes)
}
