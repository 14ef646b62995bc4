/** The files that the user wants in each new worktree: those that a list of patterns names and that git ignores, there and here. */
import { isAbsolute } from 'node:path'
import type { WorktreeGit } from '../git.ts'
import { problemOf, WorktreeProblem } from '../problem.ts'

/** Turns off the option of all questions to git that makes patterns plain paths. */
const PATTERNS = '--no-literal-pathspecs'

/** A pattern of git's that counts from the top of the repository; `*` stays in a folder, `**` does not. @throws WorktreeProblem */
function pathspecOf(pattern: string): string {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  const isOutside = isAbsolute(plain) || /^[A-Za-z]:/.test(plain) || plain.split(/[/\\]/).includes('..')
  if (plain === '' || isOutside || plain.includes('\0'))
    throw new WorktreeProblem(`worktreeFiles has ${JSON.stringify(pattern)}, which is no path in the repository`)
  return `:(top,glob)${plain}`
}

/** The untracked files that git ignores and a pattern names, from the top. @throws WorktreeProblem */
export async function ignoredFiles({ fields }: WorktreeGit, patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0) return []
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--']
  const found = await fields([PATTERNS, ...list, ...patterns.map(pathspecOf)])
  // A repository in the folder is one entry, which ends with a slash.
  return [...new Set(found)].filter(path => !path.endsWith('/'))
}

/** Those of the paths that git also ignores in the worktree: another one would become part of the agent's commit. @throws WorktreeProblem */
export async function alsoIgnored({ ask }: WorktreeGit, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  // A path may begin with a colon, which git would not take for a part of a name.
  const asked = Buffer.from(paths.map(path => `./${path}\0`).join(''))
  const answer = await ask([PATTERNS, 'check-ignore', '-z', '--stdin'], undefined, asked)
  // It fails silently if it ignores none.
  if (!answer.ok && (answer.why !== 'failed' || answer.words !== '')) throw problemOf(answer)
  const found = (answer.bytes ?? Buffer.alloc(0)).toString().split('\0').slice(0, -1)
  return new Set(found.map(path => path.replace('./', '')))
}
