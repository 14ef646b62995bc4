/**
 * The conversation for people who use a screen reader: the content of the transcript as numbered lists. The chosen parts
 * are printed below the transcript.
 */
import { counted } from '../../../src/text/counted.ts'
import type { ChoiceAnswer } from '../../../src/app/context/choice-prompt.ts'
import { openTextInEditor } from '../../../src/app/context/open-in-editor.ts'
import {
  exportConversation,
  storedTranscript,
  transcriptText,
  type OtherTranscript,
} from '../../../src/commands/conversation/export/export-conversation.ts'
import { readCall } from '../../../src/app/context/full-transcript.ts'
import { readStoredCall } from '../../../src/app/context/stored-session.ts'
import type { PageParts, StoredRequest, TranscriptRequest } from '../../../src/app/pages/pages.ts'
import type { ChatPlace } from '../../../src/conversation/queries/session/place-in-chat.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { SpokenLook } from '../page.ts'
import type { ReadCall } from './document/output-loader.ts'
import type { BlockSource } from './document/source.ts'
import { readSessionFor } from './read-session.ts'
import { conversationOfSession, unread } from './session.ts'
import { conversationOfTask } from './task.ts'
import { createReadable, type Passage, type ReadableConversation } from './readable.ts'

/** Opens the list of turns, or the part at the place that is asked for. */
export function listTurns(request: TranscriptRequest, parts: PageParts, look: SpokenLook): void {
  const { context } = parts
  if (request && 'session' in request) return void listSession(request, parts, look)
  const shown = request && conversationOfTask(request.task)
  listParts(parts, look, {
    state: () => shown?.(context.state()) ?? context.state(),
    readCall: tool => readCall(context.sessions ?? null, tool),
    other: () => shown && { task: shown(context.state()).chat },
    at: null,
  })
}

async function listSession(request: StoredRequest, parts: PageParts, look: SpokenLook): Promise<void> {
  const { context } = parts
  const { sessions, hint, state } = context
  let session = unread(request.session)
  let at: ChatPlace | null = null
  await readSessionFor(context, request, (part, found) => {
    session = { ...session, ...part }
    at = found ?? at
    return !state().leaving
  })
  if (state().leaving) return
  if (!session.chat || !sessions) return hint(session.problem ?? '')
  const shown = conversationOfSession()
  listParts(parts, look, {
    state: () => shown(state(), session),
    readCall: tool => readStoredCall(sessions, request.session, tool),
    other() {
      const stored = storedTranscript(context, request.session)
      return stored && { session: stored }
    },
    at,
  })
}

/** What is listed: a conversation, with what is exported of it. */
type SpokenConversation = {
  state: () => AppState
  readCall: ReadCall
  /** Null for the conversation that goes on here. */
  other: () => OtherTranscript | null
  /** Opened first. */
  at: Pick<ChatPlace, 'entry' | 'part'> | null
}

function listParts(
  { context, choicePrompt, clipboard, print }: PageParts,
  { theme, columns }: SpokenLook,
  { state, readCall: readBack, other, at }: SpokenConversation,
): void {
  const { hint, keyed } = context
  const read = (): ReadableConversation =>
    createReadable({ state: state(), theme: theme(), columns: columns(), readCall: readBack })
  if (at) openAt(at)
  else open()

  function openAt({ entry, part }: Pick<ChatPlace, 'entry' | 'part'>): void {
    const readable = read()
    const turn = readable.turns().find(({ section }) => section === entry)
    if (!turn) return open()
    const blocks = readable.blocks(turn)
    const index = blocks.findLastIndex(({ part: of }) => of !== null && part !== null && of <= part)
    openBlock(turn, blocks, Math.max(0, index))
  }

  function open(): void {
    const turns = read().turns()
    if (turns.length === 0) return hint('There is nothing to read yet.')
    choicePrompt.ask({
      title: `the conversation, ${counted(turns.length, 'turn', 'turns, the newest first')}`,
      answers: [
        { label: 'search', detail: 'finds lines that contain some text', run: () => askQuery() },
        { label: 'all of it', detail: 'prints it', run: () => void printAll() },
        { label: 'in the editor', detail: 'opens all of it', run: () => void editAll() },
        { label: 'export', detail: 'to a file', run: () => void save() },
        ...turns.toReversed().map(turn => answer(turn, () => openTurn(turn))),
      ],
    })
  }

  function openTurn(turn: Passage): void {
    const blocks = read().blocks(turn)
    choicePrompt.ask({
      title: turn.label,
      answers: [
        { label: 'all of this turn', detail: 'prints it', run: () => printTurn(turn, blocks) },
        ...blocks.map((block, index) => answer(block, () => openBlock(turn, blocks, index))),
        { label: 'the other turns', detail: '', run: open },
      ],
    })
  }

  function printTurn(turn: Passage, blocks: readonly Passage[]): void {
    const readable = read()
    print(blocks.map(block => readable.text(block)).join('\n\n'))
    openTurn(turn)
  }

  /** Prints a block, and asks what to do with it. */
  function openBlock(turn: Passage, blocks: readonly Passage[], index: number): void {
    const block = blocks[index]
    if (!block) return
    const readable = read()
    print(readable.text(block))
    const next = blocks[index + 1]
    const answers: ChoiceAnswer[] = [
      ...(next ? [{ label: 'the next', detail: next.label, run: () => openBlock(turn, blocks, index + 1) }] : []),
      { label: 'copy it', detail: 'exactly as it was written', run: () => void copy(readable.source(block)) },
      { label: 'in the editor', detail: '', run: () => void edit(readable.source(block)) },
      { label: 'this turn', detail: 'the list of its parts', run: () => openTurn(turn) },
      { label: 'the other turns', detail: '', run: open },
      { label: 'search', detail: '', run: () => askQuery() },
    ]
    choicePrompt.ask({ title: block.label, answers })
  }

  function askQuery(): void {
    choicePrompt.ask({
      title: 'search for',
      answers: [],
      typed: { detail: keyed('{picker.take} searches the conversation for it'), run: query => openFound(query) },
    })
  }

  function openFound(query: string): void {
    const readable = read()
    const found = readable.search(query)
    if (found.length === 0) return hint(`No matches for ${query}.`)
    const turns = readable.turns()
    const count = counted(found.length, 'line has', 'lines have')
    choicePrompt.ask({
      title: `${count} ${query}, the newest first`,
      answers: found.toReversed().map(hit => answer(hit, () => openHit(turns, hit))),
    })
  }

  function openHit(turns: readonly Passage[], hit: Passage): void {
    const readable = read()
    const turn = turns.find(({ section }) => section === hit.section)
    if (!turn) return print(readable.text(hit))
    const blocks = readable.blocks(turn)
    const index = blocks.findLastIndex(({ block }) => block <= hit.block)
    openBlock(turn, blocks, Math.max(0, index))
  }

  async function copy(source: BlockSource | null): Promise<void> {
    hint(source ? await clipboard.copy(source.text, source.what) : 'There is nothing to copy here.')
  }

  async function edit(source: BlockSource | null): Promise<void> {
    if (!source) return hint('There is nothing to open here.')
    await openTextInEditor(context, source.text, `block.${source.extension}`)
  }

  async function printAll(): Promise<void> {
    const { text, note } = await transcriptText(context, other())
    print(text)
    if (note !== '') hint(note)
  }

  async function editAll(): Promise<void> {
    const { text, note } = await transcriptText(context, other())
    await openTextInEditor(context, text, 'transcript.md')
    if (note !== '') hint(note)
  }

  async function save(): Promise<void> {
    const shown = other()
    await exportConversation(context, '', shown && 'session' in shown ? shown.session : null)
  }
}

function answer({ label, detail }: Passage, run: () => void): ChoiceAnswer {
  return { label, detail, run }
}
