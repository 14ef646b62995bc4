/** Comments and programs that keep them, for tests. */
import { join } from 'node:path'
import type { ReviewComment } from '../../../src/review/comment.ts'
import { openReviewFile, type ReviewFile, type ReviewFileOptions } from '../../../src/storage/review/review-file.ts'
import { storedFolderName } from '../../../src/storage/folder-name.ts'
import type { Place } from '../sessions/stage.ts'

export const SESSION = '20261127-200000-abcdef01'

export function comment(id: string, change: Partial<ReviewComment> = {}): ReviewComment {
  return {
    id,
    subject: 'session',
    path: 'src/a.ts',
    lines: { side: 'after', from: 2, to: 2, excerpt: ['const a = 1'], above: ['// a'], below: ['export { a }'] },
    text: `about ${id}`,
    by: 'user',
    state: 'open',
    madeAt: 1000,
    changedAt: 1000,
    ...change,
  }
}

export type Reviewer = { file: ReviewFile; problems: string[]; look: () => void; clock: { now: number } }

/** One that is told what to do; `look` lets the time pass after which it looks for what others have added. */
export function reviewer(place: Place, options: Partial<ReviewFileOptions> & { session?: string } = {}): Reviewer {
  const problems: string[] = []
  const clock = { now: Date.now() }
  let due: (() => void) | null = null
  const { session = SESSION, ...rest } = options
  const file = openReviewFile(
    { ...place, sessionId: session },
    {
      redact: text => text,
      now: () => clock.now,
      timers: {
        after(_ms, run) {
          due = run
          return () => {
            due = null
          }
        },
      },
      onProblem: words => problems.push(words),
      ...rest,
    },
  )
  return { file, problems, look: () => due?.(), clock }
}

/** The folder with the sessions of the project. */
export function sessionsFolder({ stateFolder, projectFolder }: Place): string {
  return join(stateFolder, 'sessions', storedFolderName(projectFolder))
}

export function textsOf({ file }: Pick<Reviewer, 'file'>): string[] {
  return file.comments().map(({ text }) => text)
}
