/** What `/diff` compares. Comments, read marks and the title of the page go by it. */
export type DiffSubject =
  /** What this session changed, and what differed from the last commit before it. */
  | { kind: 'session' }
  /** The files as they are, with those of a checkpoint. `words` are the beginning of its prompt. */
  | { kind: 'checkpoint'; id: string; words: string }
  /** The work in a worktree of zotui, with the commit that it began with. `name` is its branch. */
  | { kind: 'worktree'; name: string }
  /** The files as they are, with the last commit that HEAD and `rev` (a branch, tag or commit) share. */
  | { kind: 'revision'; rev: string }
  /** A pull request as GitHub's `gh` gives it. Its new side is not on this disk. `repo` is absent for the repository of the folder. */
  | { kind: 'pull-request'; number: number; repo?: string }

/** Whether the new side of each diff is the file as it is now, so that it can be reverted, staged and followed. */
export function isOnDisk({ kind }: DiffSubject): boolean {
  return kind !== 'pull-request'
}

/** What the files of a subject have in common; undefined for those of the session. Not sanitised. */
export function subjectTitle(subject: DiffSubject): string | undefined {
  switch (subject.kind) {
    case 'session':
      return undefined
    case 'checkpoint':
      return `changed since "${subject.words}"`
    case 'worktree':
      return `changed in ${subject.name}`
    case 'revision':
      return `changed since ${subject.rev}`
    case 'pull-request':
      return `changed by pull request ${subject.repo ?? ''}#${subject.number}`
  }
}

/** A subject in one word, the same in each program and on each day: comments are found by it. */
export function subjectKey(subject: DiffSubject): string {
  switch (subject.kind) {
    case 'session':
      return 'session'
    case 'checkpoint':
      return `checkpoint:${subject.id}`
    case 'worktree':
      return `worktree:${subject.name}`
    case 'revision':
      return `revision:${subject.rev}`
    case 'pull-request':
      return `pull-request:${subject.repo ?? ''}#${subject.number}`
  }
}
