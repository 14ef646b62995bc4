/** Reverting, staging and undoing for people who use a screen reader: lists with numbers. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { performHunk, undoableHunks, undoHunk, whyNoHunks, type HunkAct } from './hunk-work.ts'

type OneFile = {
  change: FileChange
  /** As it was printed, before secrets are masked. */
  diff: FileDiff
  collected: Awaited<ReturnType<DiffRequest['collect']>>
  request: DiffRequest
  /** Shows the files again, as they are then. */
  again: () => void
}

/** The answers below the lines of a file. */
export function hunkAnswers(parts: PageParts, file: OneFile): ChoiceAnswer[] {
  const { context } = parts
  const last = undoableHunks(context).at(-1)
  const work: ChoiceAnswer = {
    label: 'revert or stage it',
    detail: 'a change of it, or all of it',
    run: () => askWhich(parts, file),
  }
  const undo = last && {
    label: 'undo',
    detail: `what was done last, with ${last.path}`,
    run: () => void undoHunk(context, last).then(answer => said(parts, file, answer.ok ? answer.words : answer.why)),
  }
  return [...(whyNoHunks(context, file.request.subject, 'revert') === null ? [work] : []), ...(undo ? [undo] : [])]
}

function askWhich(parts: PageParts, file: OneFile): void {
  const hunks = file.diff.hunks.map(({ lines }, at): ChoiceAnswer => {
    const first = lines.find(({ sign }) => sign !== ' ')
    const number = first?.after ?? first?.before ?? null
    return {
      label: `change ${at + 1}`,
      detail: number === null ? '' : `at line ${number}`,
      run: () => askHow(parts, file, at),
    }
  })
  const whole: ChoiceAnswer = { label: 'the whole file', detail: '', run: () => askHow(parts, file, null) }
  parts.choicePrompt.ask({ title: file.change.path, answers: [...hunks, whole] })
}

const HOW: readonly (readonly [HunkAct, string, string])[] = [
  ['revert', 'revert', 'the file is as before'],
  ['stage', 'stage', 'for the next commit'],
  ['unstage', 'unstage', 'not for the next commit'],
  ['take', 'take', 'into your folder'],
]

function askHow(parts: PageParts, file: OneFile, hunk: number | null): void {
  const { context, choicePrompt } = parts
  const title = hunk === null ? file.change.path : `change ${hunk + 1} of ${file.change.path}`
  const answers = HOW.filter(([how]) => whyNoHunks(context, file.request.subject, how) === null).map(
    ([how, label, detail]) => ({ label, detail, run: () => void perform(parts, file, { how, hunk }) }),
  )
  choicePrompt.ask({ title, answers })
}

async function perform(
  parts: PageParts,
  file: OneFile,
  { how, hunk }: { how: HunkAct; hunk: number | null },
): Promise<void> {
  const { change, diff, collected } = file
  const all = hunk === null ? [] : [...(diff.hunks[hunk]?.lines.keys() ?? [])]
  const lines = hunk === null ? null : new Map([[hunk, new Set(all)]])
  const fresh = (): Promise<FileDiff> => collected.diffOf(change)
  const answer = await performHunk(parts.context, how, { change, shown: diff, fresh, redact: asIs, lines })
  said(parts, file, answer.ok ? answer.words : answer.why)
}

const asIs = (diff: FileDiff): FileDiff => diff

function said({ print }: PageParts, { again }: OneFile, words: string): void {
  print(words)
  again()
}
