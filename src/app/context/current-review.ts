import type { ReviewFile } from '../../storage/review/review-file.ts'
import type { Kept } from './parts.ts'

/** Opens the comments of a session when they are asked for, and those of the next one after it. */
export function createCurrentReview(
  open: Kept['openReview'],
  sessionId: () => string | null,
  redact: (text: string) => string,
): { current: () => ReviewFile | null; save: () => void } {
  let opened: { of: string | null; file: ReviewFile } | null = null
  /** Tries once more what could not be written. */
  const save = (): void => void opened?.file.refresh()
  return {
    current() {
      const of = sessionId()
      if (!open || opened?.of === of) return opened?.file ?? null
      save()
      const before = opened
      const { file } = (opened = { of, file: open(of, redact) })
      // What was kept nowhere, since the process that holds the conversation had not named the session, moves along.
      if (before?.of === null) {
        for (const comment of before.file.comments()) file.put(comment)
        for (const mark of before.file.reads()) file.mark(mark)
      }
      return file
    },
    save,
  }
}
