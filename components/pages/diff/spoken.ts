/** `/diff` for people who use a screen reader: a numbered list of files, and the lines of a file as printed text. */
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import { openKeptFileInEditor } from '../../../src/app/context/open-in-editor.ts'
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import { SpokenComments } from './spoken-comments.ts'
import { changeWords, countText, diffText, originText } from '../../../src/tools/diff/change-text.ts'
import { commentedFiles, hasChanges, withUnchanged } from './commented-files.ts'
import { hunkAnswers } from './hunk-answers.ts'
import { spokenSeen } from './seen-answers.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { subjectTitle } from '../../../src/tools/diff/subject.ts'
import { redactedDiff } from './loading.ts'
import { titled } from './state.ts'

/** Lines of a file that are printed; an editor shows the rest. */
const MOST_LINES = 200

export async function listChanges(request: DiffRequest, parts: PageParts): Promise<void> {
  const { context, choicePrompt, print } = parts
  const { hint, redact } = context
  const comments = new SpokenComments(parts, request)
  hint('Checking for changes…')
  const collected = withUnchanged(await request.collect())
  const list = titled(collected.list, subjectTitle(request.subject))
  const { session, before, notes } = list
  if (notes.length > 0) print(notes.join('\n'))
  const folder = context.host?.folder ?? ''
  const others = commentedFiles({ list: collected.list, comments: comments.all(), field: null, folder })
  if (session.length + before.length + others.length === 0) return hint('No changes.')
  const seen = await spokenSeen(collected, request, parts)
  const again = (): void => void listChanges(request, parts)
  ask()

  function ask(selected = 0): void {
    const answers = [
      ...session.map(change => [change, ''] as const),
      ...before.map(change => [change, BEFORE] as const),
      ...others.map(change => [change, 'not among the changes'] as const),
    ]
    const words = list.title ?? (session.length === 0 ? 'nothing changed by this session' : 'changed by this session')
    choicePrompt.ask({
      title: [words, seen.left()].filter(part => part !== '').join(', '),
      selected,
      answers: [
        ...answers.map(([change, when], index) => ({
          label: change.path,
          detail: [
            changeWords(change),
            countText(change),
            when,
            comments.count(change.path),
            seen.isRead(change) ? 'read' : '',
          ]
            .filter(part => part !== '')
            .join(', '),
          run: () => void open(change, index),
        })),
        ...comments.ofList(answers.map(([{ path }]) => path)),
      ],
    })
  }

  async function open(change: FileChange, index: number): Promise<void> {
    const diff = await collected.diffOf(change)
    const [first] = diff.hunks.flatMap(({ lines }) => lines.find(({ sign }) => sign !== ' ') ?? [])
    const line = first?.after ?? first?.before ?? null
    const text = redact(diffText(change, { ...diff, notes: [...diff.notes, originText(change, list)] })).split('\n')
    const left = text.length - MOST_LINES
    print([...text.slice(0, MOST_LINES), ...(left > 0 ? [`and ${left} more lines`] : [])].join('\n'))
    const files: ChoiceAnswer = { label: 'the other files', detail: 'the list again', run: () => ask(index) }
    const editor: ChoiceAnswer = {
      label: 'open it in the editor',
      detail: line === null ? '' : `at line ${line}`,
      run: () => void openKeptFileInEditor(context, { file: change.file, name: change.path, line }),
    }
    askAbout()

    function askAbout(): void {
      choicePrompt.ask({
        title: change.path,
        answers: [
          files,
          editor,
          ...(hasChanges(change)
            ? [
                ...hunkAnswers(parts, { change, diff, collected, request, again }),
                seen.answer(change, () => ask(index)),
              ]
            : []),
          ...comments.ofFile(change, redactedDiff(diff, redact), askAbout),
        ],
      })
    }
  }
}

const BEFORE = 'changed before this session'
