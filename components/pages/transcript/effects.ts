/** What the keys of the transcript do beyond moving: copying, the editor, the export, and the work between two keys. */
import { switchRaw } from '../../../src/commands/conversation/raw.ts'
import { exportConversation, transcriptText } from '../../../src/commands/conversation/export/export-conversation.ts'
import { openFileInEditor, openTextInEditor } from '../../../src/app/context/open-in-editor.ts'
import type { PageParts, PageRequests } from '../../../src/app/pages/pages.ts'
import type { ChatState } from '../../../src/conversation/state.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import type { BlockSource } from './document/source.ts'
import { afterSeeking } from './moves.ts'
import { atEnd, chosenAnswer, chosenFile, chosenSource, type TranscriptReading } from './reading.ts'
import { conversationOfTask } from './task.ts'
import type { TranscriptState, TranscriptWork } from './state.ts'

export function transcriptEffects(
  page: OpenPage<TranscriptState, TranscriptReading>,
  { context, clipboard, redraw, print }: PageParts,
  request: PageRequests['transcript'],
): PageEffects<TranscriptWork> {
  const { state, hint } = context
  return {
    works: {
      copy: () => void copy(chosenSource(page.reading())),
      copy_answer: () => void copy(chosenAnswer(page.reading())),
      raw: () => switchRaw(context, redraw, ''),
      dump: () => void dump(),
      edit: () => void edit(),
      edit_file: () => void editFile(),
      export: () =>
        void exportConversation(
          { ...context, addProgramNotice: (_level, text, more) => hint([text, more ?? ''].join('   ').trimEnd()) },
          '',
        ),
    },
    opened: () => page.set(atEnd(page.reading())),
    work() {
      if (page.state().search?.seeking) {
        const found = afterSeeking(page.reading())
        if (found) page.set(found)
      }
      const { document, search } = page.shown().cache
      return search?.step(document) || document.prepare()
    },
  }

  /** The conversation that the page shows, if it is that of a subagent. */
  function ofTask(): ChatState | null {
    return request && conversationOfTask(request.task)(state()).chat
  }

  async function copy(source: BlockSource | null): Promise<void> {
    if (!source) return hint('There is nothing to copy here.')
    hint(await clipboard.copy(source.text, source.what))
  }

  async function dump(): Promise<void> {
    const { text, note } = await transcriptText(context, ofTask())
    page.close()
    print(text)
    if (note !== '') context.addProgramNotice('warn', note)
  }

  async function edit(): Promise<void> {
    const { text, note } = await transcriptText(context, ofTask())
    await openTextInEditor(context, text, 'transcript.md')
    if (note !== '' && state().hint === null) hint(note)
  }

  async function editFile(): Promise<void> {
    const reading = page.reading()
    const file = chosenFile(reading)
    if (file) return openFileInEditor(context, file.path, file.line)
    const source = chosenSource(reading)
    if (!source) return hint('There is nothing to open here.')
    await openTextInEditor(context, source.text, `block.${source.extension}`)
  }
}
