/** What is left to read, for people who use a screen reader. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { subjectKey } from '../../../src/tools/diff/subject.ts'
import { DiffLoader, type Collected } from './loading.ts'
import { isRead, leftOf } from './seen.ts'

export type SpokenSeen = {
  /** `3 of 7 left`; '' if no file is read. */
  left: () => string
  isRead: (change: FileChange) => boolean
  /** Marks a file as read, or takes its mark away; then `done` shows the list again. */
  answer: (change: FileChange, done: () => void) => ChoiceAnswer
}

/** Loads the files that may count as read, and says which do. */
export async function spokenSeen(
  collected: Collected,
  { subject }: DiffRequest,
  { context }: PageParts,
): Promise<SpokenSeen> {
  const key = subjectKey(subject)
  const files = [...collected.list.session, ...collected.list.before]
  const loader = new DiffLoader({
    texts: new Map(),
    redact: context.redact,
    isOpen: () => true,
    toLoad: () => [],
    onLoaded: () => {},
  })
  const reads = (): ReadonlyMap<string, string> =>
    new Map((context.review()?.reads() ?? []).flatMap(mark => (mark.subject === key ? [[mark.path, mark.digest]] : [])))
  const marked = (): Parameters<typeof isRead>[0] => ({
    view: { reads: reads() },
    changes: { digests: loader.digests() },
  })
  loader.begin(collected)
  const paths = reads()
  await loader.loadAll(files.filter(({ path }) => paths.has(path)))

  async function mark(change: FileChange, isOff: boolean, done: () => void): Promise<void> {
    await loader.load(change)
    const digest = isOff ? '' : (loader.digests().get(change.file) ?? '')
    context.review()?.mark({ subject: key, path: change.path, digest, changedAt: context.now() })
    done()
  }

  return {
    left() {
      const left = leftOf(marked(), files)
      return left === files.length ? '' : left === 0 ? 'all read' : `${left} of ${files.length} left`
    },
    isRead: change => isRead(marked(), change),
    answer(change, done) {
      const isOff = isRead(marked(), change)
      return {
        label: isOff ? 'mark it as not read' : 'mark it as read',
        detail: 'and the list again',
        run: () => void mark(change, isOff, done),
      }
    },
  }
}
