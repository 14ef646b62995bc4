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

export type Composing = {
  edit: (command: EditCommand) => void
  /** Pastes a text. A long one becomes a chip, which Tab directly after it opens. */
  paste: (text: string) => void
  /** Adds what was read, to the draft that waits for it if there is one. */
  addRead: (chip: Chip) => void
  /** Pastes a text that was found not to name images, to the draft that waits for it if there is one. */
  pasteRead: (text: string) => void
  /** Sets the draft aside until what is read for it is there: what is typed meanwhile is the next draft. */
  setAside: () => void
  /** Brings the draft back that was set aside, to send it. */
  sendAside: (send: () => void) => void
  /** Replaces the chip before the caret by the text of its paste; false if there is no such chip. */
  openPaste: () => boolean
  /** The file whose chip is before the caret, or before a blank there while the agent is idle; undefined for none. */
  fileBefore: () => FileChip | undefined
  /** Replaces a range by the chip of a file; returns the character of the chip. */
  addFile: (path: string, lines: MentionedLines | null, range: TextRange) => string
  /** Replaces a chip by another one, if it is still there. */
  replaceChip: (character: string, chip: Chip) => void
  /** Replaces a chip without a step for undo, because its content stays the same. */
  relabelChip: (character: string, chip: Chip) => void
  /** True if the caret is in the first line, or for `down` in the last one. */
  isAtEdge: (direction: 'up' | 'down') => boolean
  /** Moves the caret by a line; from the first or last line, goes to an earlier or later prompt that does not wait in the queue. */
  moveOrBrowse: (direction: 'up' | 'down') => void
  /** Moves the draft into the history, so that nothing typed is lost; `kept` also stores it on disk. */
  archiveDraft: (kept?: boolean) => void
  /** Puts an earlier prompt into the composer; a draft goes into the history. */
  replaceDraft: (text: string) => void
  /** Puts a text back that was taken to be sent, and was not. Beside another draft it stays in the history. */
  giveBack: (text: string) => void
  /** Stashes the draft, or brings it back. */
  stash: () => void
  /** True if the end of the draft was typed just now, and not pasted or restored. */
  isEndTyped: () => boolean
}

const BEGINS_WORD = /^[\p{L}\p{N}]/u
const ENDS_WORD = /[\p{L}\p{N}\]]$/u

/** The text for an image's chip in a range: with blanks where a word or another image would touch it. */
function apart(text: string, { start, end }: TextRange, chip: string): string {
  const before = text.slice(previousBoundary(text, start), start)
  const touches = ENDS_WORD.test(before) || chipColumns(before) !== null
  return `${touches ? ' ' : ''}${chip}${BEGINS_WORD.test(text.slice(end)) ? ' ' : ''}`
}

/** Images in a prompt of the history are read again. */
export function createComposing(context: AppContext, images: Pick<ImageReading, 'restore'>): Composing {
  const { state, dispatch, hint, keyed } = context
  /** The draft after the last change, if a character was typed. */
  let typed: string | null = null

  return {
    edit: editWith,
    isEndTyped: () => typed !== null && typed === state().editor.text,
    paste,
    addRead: chip => addChip(chip, state().waitingDraft),
    pasteRead(text) {
      const { waitingDraft } = state()
      if (!waitingDraft) return paste(text)
      const command: EditCommand = { kind: 'paste', text: normalisePaste(text) }
      dispatch({ type: 'waiting_edited', editor: edit(waitingDraft, command, context.composerWidth()) })
    },
    setAside() {
      const { noting, edited } = state()
      // A note and an edited prompt have their own ways.
      if (!noting && !edited) dispatch({ type: 'draft_waits' })
    },
    sendAside(send) {
      const { waitingDraft, editor: later } = state()
      if (!waitingDraft) return send()
      dispatch({ type: 'draft_resumed' })
      send()
      if (later.text === '') return
      const { editor, hint: said } = state()
      const left = editor.text
      if (left === '') dispatch({ type: 'edited', editor: later })
      else editWith({ kind: 'setText', text: `${left}\n${later.text}` })
      // An edit removes what was said about the draft.
      if (said !== null) hint(said)
    },
    openPaste() {
      const { editor, chips } = state()
      const start = previousBoundary(editor.text, editor.caret)
      const chip = chips.get(editor.text.slice(start, editor.caret))
      if (chip?.kind !== 'paste') return false
      editWith({ kind: 'replace', range: { start, end: editor.caret }, text: chip.text })
      return true
    },
    fileBefore() {
      const { editor, chips } = state()
      const left = editor.text.slice(0, editor.caret)
      const before = isBusy(state()) ? left : left.replace(/ $/, '')
      const chip = chips.get(before.slice(previousBoundary(before, before.length)))
      return chip?.kind === 'file' ? chip : undefined
    },
    addFile(path, lines, range) {
      const { editor, chips } = state()
      const chip = fileChip(path, lines)
      const character = characterFor(chip.label, chips)
      const text = `${character}${/^\s/.test(editor.text.slice(range.end)) ? '' : ' '}`
      const next = edit(editor, { kind: 'replace', range, text }, context.composerWidth())
      dispatch({ type: 'chip_added', character, chip, editor: next })
      context.files?.used(path)
      return character
    },
    replaceChip(old, chip) {
      const { chips } = state()
      const { editor, isWaiting } = draftWith(old)
      const start = editor.text.indexOf(old)
      if (start < 0) return
      const character = characterFor(chip.label, chips)
      const isBehind = editor.caret >= start + old.length
      const range = { start, end: start + old.length }
      const next = edit(editor, { kind: 'replace', range, text: character }, context.composerWidth())
      const caret = isBehind ? editor.caret - old.length + character.length : editor.caret
      dispatch({ type: 'chip_added', character, chip, editor: { ...next, caret }, isWaiting })
    },
    relabelChip(old, chip) {
      const { chips } = state()
      const { editor, isWaiting } = draftWith(old)
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
    },
    isAtEdge,
    moveOrBrowse(direction) {
      const { editor, history, queue, chips } = state()
      const width = context.composerWidth()
      if (!isAtEdge(direction)) return editWith({ kind: 'move', to: direction })
      const waits = (text: string): boolean =>
        placeInQueue(text, queue.entries, { chips, commands: context.commands() }) >= 0
      const moved = (direction === 'up' ? older : newer)(history, editor.text, waits)
      if (!moved) return
      const text = moved.history.at === null ? moved.text : withImages(moved.text)
      const recalled = edit(editor, { kind: 'setText', text }, width)
      dispatch({ type: 'history_moved', editor: recalled, history: atEntry(moved.history, text) })
    },
    archiveDraft,
    replaceDraft(text) {
      const { editor, history } = state()
      const isRecalled = history.at !== null && history.entries[history.at] === editor.text
      const drafts = [...leftBehind(history), ...(isRecalled ? [] : [editor.text])]
      for (const draft of drafts) context.drafts.remember(draft)
      dispatch({ type: 'prompt_taken', history: drafts.reduce(addEntry, history) })
      editWith({ kind: 'setText', text: withImages(text) })
      if (drafts.some(draft => draft.trim() !== '')) hint(keyed('{composer.up} brings the draft back.'))
    },
    giveBack(text) {
      const { editor, edited } = state()
      if (editor.text !== '' || edited) return hint(keyed('{composer.up} brings back what was not sent.'))
      editWith({ kind: 'setText', text })
      // A prompt for the background ends with a typed &.
      typed = text
    },
    stash() {
      const { editor, stash } = state()
      const hasDraft = editor.text.trim() !== ''
      if (!hasDraft && stash === null) return hint('There is no draft to stash.')
      // A second stash swaps with the first, so nothing is lost.
      const next = edit(editor, { kind: 'setText', text: stash ?? '' }, context.composerWidth())
      if (hasDraft) context.drafts.remember(editor.text)
      dispatch({ type: 'stashed', stash: hasDraft ? editor.text : null, editor: next })
      if (hasDraft) hint(`Stashed the draft${keyed(': {composer.stash} brings it back')}.`)
    },
  }

  function isAtEdge(direction: 'up' | 'down'): boolean {
    return (direction === 'up' ? atFirstLine : atLastLine)(state().editor, context.composerWidth())
  }

  function withImages(text: string): string {
    const found = context.drafts.withImages(text)
    if (found.added.length === 0) return text
    dispatch({ type: 'chips_found', chips: found.chips })
    images.restore(found.added)
    return found.text
  }

  function editWith(command: EditCommand): void {
    const { editor, edited } = state()
    const isEmpty = editor.text === '' && edited === null
    const isText = command.kind === 'insert' || command.kind === 'paste'
    const touches = isText && BEGINS_WORD.test(command.text) && isBehindImage()
    const spaced = touches ? { ...command, text: ` ${command.text}` } : command
    const beginsNote = command.kind === 'insert' && isEmpty && command.text.startsWith('#')
    dispatch({ type: 'edited', editor: edit(editor, spaced, context.composerWidth()), beginsNote })
    if (state().noting && beginsNote) hint(noteHint(state()))
    if (command.kind === 'insert') typed = state().editor.text
    else if (command.kind !== 'move') typed = null
  }

  /** The label of an image and a word directly after it would be read as one word. */
  function isBehindImage(): boolean {
    const { editor, chips } = state()
    const at = selection(editor)?.start ?? editor.caret
    return chips.get(editor.text.slice(previousBoundary(editor.text, at), at))?.kind === 'image'
  }

  function paste(text: string): void {
    const clean = normalisePaste(text)
    if (!isLongPaste(clean)) return editWith({ kind: 'paste', text: clean })
    addChip(pasteChip(clean, state().chips), null)
    hint(keyed('{composer.queue_or_complete} opens the paste; it is sent in full either way.'))
  }

  /** The draft with this chip. */
  function draftWith(chip: string): { editor: Editor; isWaiting: boolean } {
    const { editor, waitingDraft } = state()
    return waitingDraft?.text.includes(chip) ? { editor: waitingDraft, isWaiting: true } : { editor, isWaiting: false }
  }

  /** `waiting` is the draft to add it to; null for the one that is written. */
  function addChip(chip: Chip, waiting: Editor | null): void {
    const { chips } = state()
    const editor = waiting ?? state().editor
    const character = characterFor(chip.label, chips)
    const range = selection(editor) ?? { start: editor.caret, end: editor.caret }
    const command: EditCommand =
      chip.kind === 'image'
        ? { kind: 'replace', range, text: apart(editor.text, range, character) }
        : { kind: 'chip', chip: character }
    const next = edit(editor, command, context.composerWidth())
    dispatch({ type: 'chip_added', character, chip, editor: next, isWaiting: waiting !== null })
  }

  function archiveDraft(kept = true): void {
    const { editor, history } = state()
    // Other unsent texts go before it, so that one more Up brings them back.
    const others = leftBehind(history)
    for (const text of others) context.drafts.remember(text)
    if (kept) context.drafts.remember(editor.text)
    dispatch({ type: 'prompt_taken', history: [...others, editor.text].reduce(addEntry, history) })
  }
}
