/** Changes to the draft: pastes, chips, earlier prompts, archived and stashed drafts. */
import { chipColumns } from '../../composer/chips.ts'
import {
  atFirstLine,
  atLastLine,
  edit,
  selection,
  type EditCommand,
  type Editor,
  type TextRange,
} from '../../composer/editor.ts'
import type { MentionedLines } from '../../composer/mentions.ts'
import { previousBoundary } from '../../composer/graphemes.ts'
import { addEntry, atEntry, leftBehind, newer, older } from '../../composer/history.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { characterFor, fileChip, isLongPaste, pasteChip, type Chip, type FileChip } from '../../state/composer/chips.ts'
import { placeInQueue } from '../../state/composer/typed-entry.ts'
import { noteHint } from '../../state/completion/popup.ts'
import { isBusy } from '../../state/state.ts'
import type { AppContext } from '../context/context.ts'
import type { ImageReading } from './image-reading.ts'

const BEGINS_WORD = /^[\p{L}\p{N}]/u
const ENDS_WORD = /[\p{L}\p{N}\]]$/u

/** The text for an image's chip in a range: with blanks where a word or another image would touch it. */
function apart(text: string, { start, end }: TextRange, chip: string): string {
  const before = text.slice(previousBoundary(text, start), start)
  const touches = ENDS_WORD.test(before) || chipColumns(before) !== null
  return `${touches ? ' ' : ''}${chip}${BEGINS_WORD.test(text.slice(end)) ? ' ' : ''}`
}

/** Images in a prompt of the history are read again. */
export class Composing {
  readonly #context: AppContext
  readonly #images: Pick<ImageReading, 'restore'>
  /** The draft after the last change, if a character was typed. */
  #typed: string | null = null

  constructor(context: AppContext, images: Pick<ImageReading, 'restore'>) {
    this.#context = context
    this.#images = images
  }

  edit(command: EditCommand): void {
    const { state, dispatch, hint } = this.#context
    const { editor, edited } = state()
    const isEmpty = editor.text === '' && edited === null
    const isText = command.kind === 'insert' || command.kind === 'paste'
    const touches = isText && BEGINS_WORD.test(command.text) && this.#isBehindImage()
    const spaced = touches ? { ...command, text: ` ${command.text}` } : command
    const beginsNote = command.kind === 'insert' && isEmpty && command.text.startsWith('#')
    dispatch({ type: 'edited', editor: edit(editor, spaced, this.#context.composerWidth()), beginsNote })
    if (state().noting && beginsNote) hint(noteHint(state()))
    if (command.kind === 'insert') this.#typed = state().editor.text
    else if (command.kind !== 'move') this.#typed = null
  }

  /** True if the end of the draft was typed just now, and not pasted or restored. */
  isEndTyped(): boolean {
    const { state } = this.#context
    return this.#typed !== null && this.#typed === state().editor.text
  }

  /** Pastes a text. A long one becomes a chip, which Tab directly after it opens. */
  paste(text: string): void {
    const { state, hint, keyed } = this.#context
    const clean = normalisePaste(text)
    if (!isLongPaste(clean)) return this.edit({ kind: 'paste', text: clean })
    this.#addChip(pasteChip(clean, state().chips), null)
    hint(keyed('{composer.queue_or_complete} opens the paste; it is sent in full either way.'))
  }

  /** Adds what was read, to the draft that waits for it if there is one. */
  addRead(chip: Chip): void {
    this.#addChip(chip, this.#context.state().waitingDraft)
  }

  /** Pastes a text that was found not to name images, to the draft that waits for it if there is one. */
  pasteRead(text: string): void {
    const { state, dispatch } = this.#context
    const { waitingDraft } = state()
    if (!waitingDraft) return this.paste(text)
    const command: EditCommand = { kind: 'paste', text: normalisePaste(text) }
    dispatch({ type: 'waiting_edited', editor: edit(waitingDraft, command, this.#context.composerWidth()) })
  }

  /** Lets the draft wait until what is read for it is there: what is typed meanwhile is the next draft. */
  letDraftWait(): void {
    const { state, dispatch } = this.#context
    const { noting, edited } = state()
    // A note and an edited prompt have their own ways.
    if (!noting && !edited) dispatch({ type: 'draft_waits' })
  }

  /** Brings the waiting draft back, to send it. */
  sendWaitingDraft(send: () => void): void {
    const { state, dispatch, hint } = this.#context
    const { waitingDraft, editor: later } = state()
    if (!waitingDraft) return send()
    dispatch({ type: 'draft_resumed' })
    send()
    if (later.text === '') return
    const { editor, hint: said } = state()
    if (editor.text === '') dispatch({ type: 'edited', editor: later })
    else this.edit({ kind: 'setText', text: `${editor.text}\n${later.text}` })
    // An edit removes what was said about the draft.
    if (said !== null) hint(said)
  }

  /** `waiting` is the draft to add it to; null for the one that is written. */
  #addChip(chip: Chip, waiting: Editor | null): void {
    const { state, dispatch } = this.#context
    const { chips } = state()
    const editor = waiting ?? state().editor
    const character = characterFor(chip.label, chips)
    const range = selection(editor) ?? { start: editor.caret, end: editor.caret }
    const command: EditCommand =
      chip.kind === 'image'
        ? { kind: 'replace', range, text: apart(editor.text, range, character) }
        : { kind: 'chip', chip: character }
    const next = edit(editor, command, this.#context.composerWidth())
    dispatch({ type: 'chip_added', character, chip, editor: next, isWaiting: waiting !== null })
  }

  /** Replaces the chip before the caret by the text of its paste; false if there is no such chip. */
  openPaste(): boolean {
    const { state } = this.#context
    const { editor, chips } = state()
    const start = previousBoundary(editor.text, editor.caret)
    const chip = chips.get(editor.text.slice(start, editor.caret))
    if (chip?.kind !== 'paste') return false
    this.edit({ kind: 'replace', range: { start, end: editor.caret }, text: chip.text })
    return true
  }

  /** The file whose chip is before the caret, or before a blank there while the agent is idle; undefined for none. */
  fileBefore(): FileChip | undefined {
    const { state } = this.#context
    const { editor, chips } = state()
    const left = editor.text.slice(0, editor.caret)
    const before = isBusy(state()) ? left : left.replace(/ $/, '')
    const chip = chips.get(before.slice(previousBoundary(before, before.length)))
    return chip?.kind === 'file' ? chip : undefined
  }

  /** Replaces a range by the chip of a file; returns the character of the chip. */
  addFile(path: string, lines: MentionedLines | null, range: TextRange): string {
    const { state, dispatch } = this.#context
    const { editor, chips } = state()
    const chip = fileChip(path, lines)
    const character = characterFor(chip.label, chips)
    const text = `${character}${/^\s/.test(editor.text.slice(range.end)) ? '' : ' '}`
    const next = edit(editor, { kind: 'replace', range, text }, this.#context.composerWidth())
    dispatch({ type: 'chip_added', character, chip, editor: next })
    this.#context.files?.used(path)
    return character
  }

  /** Replaces a chip by another one, if it is still there. */
  replaceChip(old: string, chip: Chip): void {
    const { state, dispatch } = this.#context
    const { chips } = state()
    const { editor, isWaiting } = this.#draftWith(old)
    const start = editor.text.indexOf(old)
    if (start < 0) return
    const character = characterFor(chip.label, chips)
    const isBehind = editor.caret >= start + old.length
    const range = { start, end: start + old.length }
    const next = edit(editor, { kind: 'replace', range, text: character }, this.#context.composerWidth())
    const caret = isBehind ? editor.caret - old.length + character.length : editor.caret
    dispatch({ type: 'chip_added', character, chip, editor: { ...next, caret }, isWaiting })
  }

  /** Replaces a chip without a step for undo, because its content stays the same. */
  relabelChip(old: string, chip: Chip): void {
    const { state, dispatch } = this.#context
    const { chips } = state()
    const { editor, isWaiting } = this.#draftWith(old)
    if (!editor.text.includes(old)) return
    const character = characterFor(chip.label, chips)
    // All chips have the same length, so offsets and steps stay valid.
    dispatch({
      type: 'chip_added',
      character,
      chip,
      editor: { ...editor, text: editor.text.replace(old, character) },
      isWaiting,
    })
  }

  /** True if the caret is in the first line, or for `down` in the last one. */
  isAtEdge(direction: 'up' | 'down'): boolean {
    const { state } = this.#context
    return (direction === 'up' ? atFirstLine : atLastLine)(state().editor, this.#context.composerWidth())
  }

  /** Moves the caret by a line; from the first or last line, goes to an earlier or later prompt that does not wait in the queue. */
  moveOrBrowse(direction: 'up' | 'down'): void {
    const { state, dispatch } = this.#context
    const { editor, history, queue, chips } = state()
    const width = this.#context.composerWidth()
    if (!this.isAtEdge(direction)) return this.edit({ kind: 'move', to: direction })
    const waits = (text: string): boolean =>
      placeInQueue(text, queue.entries, { chips, commands: this.#context.commands() }) >= 0
    const moved = (direction === 'up' ? older : newer)(history, editor.text, waits)
    if (!moved) return
    const text = moved.history.at === null ? moved.text : this.#withImages(moved.text)
    const recalled = edit(editor, { kind: 'setText', text }, width)
    dispatch({ type: 'history_moved', editor: recalled, history: atEntry(moved.history, text) })
  }

  /** Moves the draft into the history, so that nothing typed is lost; `kept` also stores it on disk. */
  archiveDraft(kept = true): void {
    const { state, dispatch } = this.#context
    const { editor, history } = state()
    // Other unsent texts go before it, so that one more Up brings them back.
    const others = leftBehind(history)
    for (const text of others) this.#context.drafts.remember(text)
    if (kept) this.#context.drafts.remember(editor.text)
    dispatch({ type: 'prompt_taken', history: [...others, editor.text].reduce(addEntry, history) })
  }

  /** Puts an earlier prompt into the composer; a draft goes into the history. */
  replaceDraft(text: string): void {
    const { state, dispatch, hint, keyed } = this.#context
    const { editor, history } = state()
    const isRecalled = history.at !== null && history.entries[history.at] === editor.text
    const drafts = [...leftBehind(history), ...(isRecalled ? [] : [editor.text])]
    for (const draft of drafts) this.#context.drafts.remember(draft)
    dispatch({ type: 'prompt_taken', history: drafts.reduce(addEntry, history) })
    this.edit({ kind: 'setText', text: this.#withImages(text) })
    if (drafts.some(draft => draft.trim() !== '')) hint(keyed('{composer.up} brings the draft back.'))
  }

  /** Puts a text back that was taken to be sent, and was not. Beside another draft it stays in the history. */
  giveBack(text: string): void {
    const { state, hint, keyed } = this.#context
    const { editor, edited } = state()
    if (editor.text !== '' || edited) return hint(keyed('{composer.up} brings back what was not sent.'))
    this.edit({ kind: 'setText', text })
    // A prompt for the background ends with a typed &.
    this.#typed = text
  }

  /** Stashes the draft, or brings it back. */
  stash(): void {
    const { state, dispatch, hint, keyed } = this.#context
    const { editor, stash } = state()
    const hasDraft = editor.text.trim() !== ''
    if (!hasDraft && stash === null) return hint('There is no draft to stash.')
    // A second stash swaps with the first, so nothing is lost.
    const next = edit(editor, { kind: 'setText', text: stash ?? '' }, this.#context.composerWidth())
    if (hasDraft) this.#context.drafts.remember(editor.text)
    dispatch({ type: 'stashed', stash: hasDraft ? editor.text : null, editor: next })
    if (hasDraft) hint(`Stashed the draft${keyed(': {composer.stash} brings it back')}.`)
  }

  /** The draft with this chip. */
  #draftWith(chip: string): { editor: Editor; isWaiting: boolean } {
    const { editor, waitingDraft } = this.#context.state()
    return waitingDraft?.text.includes(chip) ? { editor: waitingDraft, isWaiting: true } : { editor, isWaiting: false }
  }

  #withImages(text: string): string {
    const { dispatch } = this.#context
    const found = this.#context.drafts.withImages(text)
    if (found.added.length === 0) return text
    dispatch({ type: 'chips_found', chips: found.chips })
    this.#images.restore(found.added)
    return found.text
  }

  /** The label of an image and a word directly after it would be read as one word. */
  #isBehindImage(): boolean {
    const { state } = this.#context
    const { editor, chips } = state()
    const at = selection(editor)?.start ?? editor.caret
    return chips.get(editor.text.slice(previousBoundary(editor.text, at), at))?.kind === 'image'
  }
}
