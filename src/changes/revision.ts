/** The changes since a branch, tag or commit: the files as they are, with the last commit that HEAD shares with it. */
import { collectChanges, type CollectedChanges } from './collect.ts'
import { reasonOf } from './git-part.ts'
import { openRepository, type GitQuestion, type Repository } from './repository.ts'
import type { GitOptions } from './run-git.ts'

/** Whether it may be the name of a revision: no option, and no more than one word. */
export function mayBeRevision(text: string): boolean {
  return text.length <= MOST_NAME && /^[^-\s\p{C}][^\s\p{C}]*$/u.test(text)
}

/** Characters of the longest name. */
const MOST_NAME = 250

/** The commit to compare with. `note` says what is unusual about it. */
export type ComparedCommit = { ok: true; commit: string; note: string | null } | { ok: false; why: string }

/** `why` is a whole sentence. */
export async function comparedCommit(repository: Repository, rev: string): Promise<ComparedCommit> {
  if (!mayBeRevision(rev)) return { ok: false, why: noRevision(rev) }
  const named = await commitNamed(repository, rev)
  if (!named.ok) return { ok: false, why: reasonOf(named) }
  if (named.value === null) return { ok: false, why: noRevision(rev) }
  const base = await repository.mergeBase(named.value)
  if (!base.ok) return { ok: false, why: reasonOf(base) }
  if (base.value !== null) return { ok: true, commit: base.value, note: null }
  return {
    ok: true,
    commit: named.value,
    note: `${rev} has no commit in common with this branch: its files are compared.`,
  }
}

export const noRevision = (rev: string): string => `There is no branch, tag or commit ${rev} here.`

/** A branch that is only on `origin` is meant, too. */
async function commitNamed({ commitOf }: Repository, rev: string): Promise<GitQuestion<string | null>> {
  const own = await commitOf(rev)
  return own.ok && own.value === null ? commitOf(`refs/remotes/origin/${rev}`) : own
}

/** Never rejects. */
export async function changesSinceRevision(options: GitOptions, rev: string): Promise<CollectedChanges> {
  const { remote } = options
  const repository = await openRepository(options)
  if (!repository.ok) return empty(reasonOf(repository))
  const compared = await comparedCommit(repository.value, rev)
  if (!compared.ok) return empty(compared.why)
  const { top, files } = repository.value
  const baseline = { top, head: compared.commit, dirty: new Map(), late: [], isChosen: true as const }
  const found = await collectChanges({
    folder: await files.realPath(options.folder).catch(() => options.folder),
    git: { repository: repository.value, baseline },
    called: new Map(),
    befores: new Map(),
    startedAt: 0,
    ...(remote && { files: remote.files }),
  })
  const notes = [...(compared.note === null ? [] : [compared.note]), ...found.list.notes]
  return { ...found, list: { ...found.list, notes } }
}

/** No changes, and the reason. */
export function empty(note: string): CollectedChanges {
  return {
    list: { session: [], before: [], unsure: 0, notes: [note] },
    diffOf: async () => ({ hunks: [], notes: [] }),
  }
}
