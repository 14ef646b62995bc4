/**
 * What is going on in words, one line below the other, for who hears the screen: what on the screen a spinner, a moving mark or
 * a list in its place says.
 */
import { labelled } from '../state/chips.ts'
import { rowCount } from '../state/picker-rows.ts'
import type { Picker } from '../state/picker.ts'
import { popupRows } from '../state/popup.ts'
import { isBusy, type AppState } from '../state/state.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { belowLines, pickerTitle, type BelowContext } from './below.ts'
import { workWords } from './status.ts'
import { drawn, type Styled } from '../style/styled.ts'

/** Rows of a list that are read out when it opens. */
const READ_OUT = 10
/** Columns of a row that is heard: the terminal breaks it, and nothing of it is cut. */
const UNCUT = 10_000

/** What is to be said of the way from one state to the next, apart from the conversation itself. */
export function announcementLines(before: AppState, now: AppState, context: BelowContext): Styled[] {
  return [
    ...[...workLines(before, now), ...queueLines(before, now)].map(said),
    ...(now.picker ? pickerLines(before, now, context) : popupLines(before, now, context)),
    ...watchedLines(before, now, context),
    ...(now.hint !== null && now.hint !== before.hint ? [said(oneLine(sanitize(now.hint)))] : []),
  ]
}

function workLines(before: AppState, now: AppState): SafeText[] {
  const [was, is] = [before, now].map(workWords)
  if (is === was) return []
  if (is === undefined || is === null) return isBusy(before) && !isBusy(now) ? [sanitize('ready')] : []
  // What lasts for moments only would be said too late.
  return /^(?:composing|calling|answering|sending)/.test(is) ? [] : [oneLine(sanitize(is))]
}

function queueLines(before: AppState, now: AppState): SafeText[] {
  const { entries, held } = now.queue
  if (entries.length === before.queue.entries.length && held === before.queue.held) return []
  return entries.length === 0 ? [] : [sanitize(`${entries.length} ${held ? 'held' : 'queued'}`)]
}

/**
 * The list with numbers, when it opens or its rows change; the chosen row, when that changes. A list is read when all of it
 * is there, because what comes late may stand first.
 */
function pickerLines(before: AppState, now: AppState, seen: BelowContext): Styled[] {
  const context = { ...seen, columns: UNCUT }
  const { picker } = now
  const was = before.picker
  if (!picker || picker === was) return []
  const isOpen = was?.kind === picker.kind
  const isUnread = isOpen && isIncomplete(was)
  const isSame = isOpen && was.filter === picker.filter
  if (isSame && (isIncomplete(picker) || (!isUnread && rowCount(was) === rowCount(picker))))
    return was.selected === picker.selected || rowCount(picker) === 0 ? [] : [chosenLine(now, context)]
  // With its first row chosen the list is shown from its beginning.
  const fromTop = { ...now, picker: { ...picker, selected: 0 } }
  const { line: title } = pickerTitle(picker, context)
  const rows = belowLines(fromTop, context, READ_OUT + 1)
  if (isOpen && isIncomplete(picker)) return [bare(title)]
  const count = rowCount(picker)
  const shown = rows.slice(0, Math.min(count, READ_OUT))
  const more = count > shown.length ? `, ${shown.length} of ${count} are read` : ''
  const numbered = shown.map((row, index) => drawn`${sanitize(`${index + 1}.`)} ${bare(row)}`)
  const keys = count === 0 ? 'Esc leaves.' : `Number and Enter, Up and Down, or type to search${more}. Esc leaves.`
  return [
    ...(isUnread && isSame ? [] : [bare(title)]),
    ...numbered,
    ...(count === 0 ? rows.slice(0, 1).map(bare) : []),
    said(sanitize(keys)),
  ]
}

/** Whether some of its rows are still to come. */
function isIncomplete(picker: Picker): boolean {
  return picker.kind === 'models' && (picker.models === null || picker.awaitsMore === true)
}

function chosenLine(state: AppState, context: BelowContext): Styled {
  const { picker } = state
  if (!picker) return drawn``
  const mark = context.theme.signs.chosen
  const row = belowLines(state, context, READ_OUT + 1).find(line => plain(line).trimStart().startsWith(mark))
  return drawn`${sanitize(`${picker.selected + 1}.`)} ${bare(row ?? drawn``)}`
}

/** What the keys are watched for, when that begins; then each key. */
function watchedLines(before: AppState, now: AppState, seen: BelowContext): Styled[] {
  const { watched } = now
  if (!watched || watched === before.watched) return []
  const fresh = watched.filter(key => !before.watched?.includes(key))
  const lines = belowLines({ ...now, watched: fresh }, { ...seen, columns: UNCUT }, fresh.length + 1).map(bare)
  return before.watched ? lines.slice(1) : lines
}

/** How much there is to choose from, when the popup opens; the chosen row, when that changes. */
function popupLines(before: AppState, now: AppState, { commands }: BelowContext): Styled[] {
  const rows = popupRows(now, commands)
  const row = rows[now.popup.selected]
  if (now.popup.selected !== before.popup.selected)
    return row ? [said(oneLine(sanitize(`${row.label} ${row.detail}`)))] : []
  const opens = rows.length > 1 && !before.picker && popupRows(before, commands).length === 0
  return opens ? [said(sanitize(`${rows.length} to choose from. Tab lists them.`))] : []
}

/** What is in the composer, with a bar where the caret stands inside of it. */
export function announcedDraft({ editor, chips }: AppState): SafeText {
  const { text, caret } = editor
  const marked = caret < text.length ? `${text.slice(0, caret)}|${text.slice(caret)}` : text
  return sanitize(labelled(marked, chips))
}

const plain = (line: Styled): string => line.text

/** A row without what is drawn before it to show that it is chosen. */
function bare(line: Styled): Styled {
  const words = plain(line)
    .trimEnd()
    .replace(/^[\s>›]+/, '')
    .replaceAll(/ {2,}/g, ', ')
  return said(oneLine(sanitize(words)))
}

function said(words: SafeText): Styled {
  return drawn`${words}`
}
