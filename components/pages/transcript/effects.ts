/** What the keys of the transcript do beyond moving: copying, the editor, the export, and the work between two keys. */
import { switchRaw } from '../../../src/commands/conversation/raw.ts'
import {
  exportConversation,
  storedTranscript,
  transcriptText,
  type OtherTranscript,
} from '../../../src/commands/conversation/export/export-conversation.ts'
import { openFileInEditor, openTextInEditor } from '../../../src/app/context/open-in-editor.ts'
import type { PageParts, StoredRequest, TranscriptRequest } from '../../../src/app/pages/pages.ts'
import { sessionPlaceOf } from '../../../src/conversation/queries/session/place-in-chat.ts'
import type { SessionPlace } from '../../../src/conversation/queries/session/session-place.ts'
import { initialChat, type ChatState } from '../../../src/conversation/state.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { arrived, arriving } from './arriving.ts'
import type { BlockSource } from './document/source.ts'
import { afterSeeking, searching } from './moves.ts'
import { readSessionFor, type ShowSession } from './read-session.ts'
import { atEnd, chosenAnswer, chosenBlock, chosenFile, chosenSource, type TranscriptReading } from './reading.ts'
import { conversationOfTask } from './task.ts'
import type { TranscriptState, TranscriptWork } from './state.ts'

export function transcriptEffects(
  page: OpenPage<TranscriptState, TranscriptReading>,
  { context, clipboard, redraw, print }: PageParts,
  request: TranscriptRequest,
): PageEffects<TranscriptWork> {
  const { state, hint } = context
  const session = request && 'session' in request ? request : null
  let isOpen = true
  return {
    works: {
      copy: () => void copy(chosenSource(page.reading())),
      copy_answer: () => void copy(chosenAnswer(page.reading())),
      raw: () => switchRaw(context, redraw, ''),
      dump: () => void dump(),
      edit: () => void edit(),
      edit_file: () => void editFile(),
      export: save,
    },
    opened() {
      page.set(atEnd(page.reading()))
      if (session) void readSessionFor(context, session, showSession(session))
    },
    moved() {
      const { marking } = page.state()
      if (marking !== null) keepMark(marking)
    },
    closed() {
      isOpen = false
    },
    work() {
      if (page.state().arrival) {
        const there = arrived(page.reading())
        if (there) page.set(there)
        else if (page.shown().cache.document.prepare()) return true
      }
      if (page.state().search?.seeking) {
        const found = afterSeeking(page.reading())
        if (found) page.set(found)
      }
      const { document, search } = page.shown().cache
      return search?.step(document) || document.prepare()
    },
  }

  function showSession({ place, words }: StoredRequest): ShowSession {
    return (part, found) => {
      const { session: before } = page.state()
      if (!isOpen || !before) return false
      const isFirst = before.chat === null && (part.chat ?? null) !== null
      page.set({ ...page.state(), session: { ...before, ...part } })
      if (found) page.set(arriving(page.reading(), { ...found, isCall: (place?.call ?? null) !== null, words }))
      else if (isFirst) page.set(searching(atEnd(page.reading()), words))
      return true
    }
  }

  function keepMark(word: string): void {
    page.set({ ...page.state(), marking: null })
    const { marks } = context
    const of = session?.session ?? context.sessionId()
    if (!marks || of === null) return hint('Nothing can be marked here: the session is not saved.')
    const there = chosenPlace(page.reading(), state().chat, request)
    if (!there) return hint('This cannot be marked: it is no part of the session.')
    if (!marks.add({ ...there.place, session: of }, context.redact(word), there.line))
      return hint('The mark cannot be saved.')
    hint(word.trim() === '' ? 'Marked. /marks lists all marks.' : `Marked "${word.trim()}". /marks lists all marks.`)
  }

  /** What the page shows instead of the conversation. */
  function other(): OtherTranscript | null {
    if (!request) return null
    if ('task' in request) return { task: conversationOfTask(request.task)(state()).chat }
    const stored = storedTranscript(context, request.session)
    return stored ? { session: stored } : { task: initialChat }
  }

  function save(): void {
    const shown = other()
    void exportConversation(
      { ...context, addProgramNotice: (_level, text, more) => hint([text, more ?? ''].join('   ').trimEnd()) },
      '',
      shown && 'session' in shown ? shown.session : null,
    )
  }

  async function copy(source: BlockSource | null): Promise<void> {
    if (!source) return hint('There is nothing to copy here.')
    hint(await clipboard.copy(source.text, source.what))
  }

  async function dump(): Promise<void> {
    const { text, note } = await transcriptText(context, other())
    page.close()
    print(text)
    if (note !== '') context.addProgramNotice('warn', note)
  }

  async function edit(): Promise<void> {
    const { text, note } = await transcriptText(context, other())
    await openTextInEditor(context, text, 'transcript.md')
    if (note !== '' && state().hint === null) hint(note)
  }

  async function editFile(): Promise<void> {
    const reading = page.reading()
    const file = chosenFile(reading)
    if (file) return openFileInEditor(context, file.path, file.line, reading.view.session?.folder ?? undefined)
    const source = chosenSource(reading)
    if (!source) return hint('There is nothing to open here.')
    await openTextInEditor(context, source.text, `block.${source.extension}`)
  }
}

/** The place in the session of the block that is chosen, for a mark. `live` is the conversation of the program. Null if it has none. */
function chosenPlace(
  reading: TranscriptReading,
  live: ChatState,
  request: TranscriptRequest,
): { place: Pick<SessionPlace, 'at' | 'call'>; line: string } | null {
  const { document, view } = reading
  const block = chosenBlock(reading)?.block
  const stored = view.session
  const chat = stored ? stored.chat : live
  if (!block || !chat) return null
  const task = stored ? stored.task : request && 'task' in request ? request.task : null
  // A note stands before a conversation whose beginning is not kept.
  const before = task !== null && (chat.tasks.get(task)?.omitted ?? 0) > 0 ? 1 : 0
  const entry = view.chosen.section - before
  const place = sessionPlaceOf(chat, { task, entry, part: block.group.part }, '')
  // A prompt is drawn with a mark, which is none of its words.
  const text = block.group.kind === 'prompt' ? (chosenSource(reading)?.text ?? '') : document.text(block)
  const line = text.split('\n').find(row => row.trim() !== '')
  return place && { place, line: line?.trim() ?? '' }
}
