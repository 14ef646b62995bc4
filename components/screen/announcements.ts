/** Changes on the screen in words for people who use a screen reader: a line for each. */
import { currentPlan, currentStep } from '../../src/conversation/queries/current-plan.ts'
import { labelled } from '../../src/state/composer/chips.ts'
import type { Picker } from '../../src/state/pickers/picker.ts'
import { newsKey } from '../../src/state/conversations/news.ts'
import { popupRows } from '../../src/state/completion/popup.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import { isBusy, takesKeys, visibleQuestion, type AppState } from '../../src/state/state.ts'
import { vimWords } from '../../src/state/composer/vim-view.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { literal, oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { enterWords } from '../composer/enter-words.ts'
import { stateWords } from '../status/conversations.ts'
import { keyDebugTitle, keyRows } from '../key-debug/rows.ts'
import { spoken, spokenRow, type RowList } from '../picker/list.ts'
import { pickerTitle } from '../picker/picker.ts'
import { specOf } from '../picker/table.ts'
import { spokenQuestion } from '../question/spoken.ts'
import { workWords } from '../working/rows.ts'

type SpokenContext = { theme: Theme; columns: number; commands: readonly SlashCommand[] }

/** Rows of a list that are read out when it opens. */
const READ_OUT = 10

/** The changes from one state to the next in words, apart from the conversation itself. */
export function announcementLines(former: AppState, now: AppState, context: SpokenContext): SafeText[] {
  const before = sameConversation(former, now)
  return [
    ...otherLines(former, now),
    ...workLines(before, now),
    ...stepLines(before, now),
    ...queueLines(before, now),
    ...modeLines(before, now),
    ...vimLines(before, now),
    ...questionLines(before, now, context),
    ...(now.picker ? pickerLines(before, now, context) : popupLines(before, now, context)),
    ...watchedLines(before, now),
    ...(now.hint !== null && now.hint !== before.hint ? [oneLine(sanitize(now.hint))] : []),
  ]
}

/** The question, when it changes; and the effect of Enter, when something is typed while it waits. */
function questionLines(before: AppState, now: AppState, { commands }: SpokenContext): SafeText[] {
  const [was, is] = [before, now].map(visibleQuestion)
  const takes = takesKeys(now)
  if (is === was && takes === takesKeys(before)) return []
  const lines = spokenQuestion(
    was ? { ...was, isArmed: takesKeys(before) } : null,
    is ? { ...is, isArmed: takes } : null,
    now.keyNames,
  )
  if (!is || now.editor.text === '' || before.editor.text !== '') return lines
  const { words } = enterWords(now, commands)
  return [...lines, oneLine(sanitize(keyed(now.keyNames, `{composer.submit} ${words}`)))]
}

/** The state to compare with. In another conversation only the list, the question and the hint are new. */
function sameConversation(before: AppState, now: AppState): AppState {
  if (before.startup.conversation === now.startup.conversation) return before
  return { ...now, picker: null, question: null, hint: null }
}

/** News about other conversations that concerns the user. */
function otherLines({ conversations: before, news: earlier }: AppState, { conversations, news }: AppState): SafeText[] {
  const known = new Set(earlier.map(each => newsKey([each])))
  const inBackground = news
    .filter(each => each.row.number === 0 && !known.has(newsKey([each])))
    .map(({ row }) => ['conversation in the background', row.title, stateWords[row.state], row.call?.subject ?? ''])
  const own = conversations.flatMap(({ number, title, state, isShown, call }) => {
    const isNews = state === 'asks' || state === 'done' || state === 'failed'
    if (isShown || !isNews || before[number - 1]?.state === state) return []
    const words = [`conversation ${number}`, title, stateWords[state], call?.subject ?? '']
    return [words]
  })
  return [...own, ...inBackground].map(words => spoken(words.map(word => oneLine(sanitize(word)))))
}

/** The permission mode, which the status line shows. */
function modeLines(before: AppState, { chat }: AppState): SafeText[] {
  const { permissionMode } = chat
  if (permissionMode === null || permissionMode === before.chat.permissionMode) return []
  return [sanitize(`permission mode ${permissionMode}`)]
}

/** The vim mode, or a note that it was switched off. */
function vimLines({ vim: before }: AppState, { vim }: AppState): SafeText[] {
  if (vim?.mode === before?.mode) return []
  return [sanitize(vim ? `${vimWords[vim.mode].toLowerCase()} mode` : 'no vim keys')]
}

function workLines(before: AppState, now: AppState): SafeText[] {
  const [was, is] = [before, now].map(workWords)
  if (is === was) return []
  if (is === undefined || is === null) return isBusy(before) && !isBusy(now) ? [sanitize('ready')] : []
  // A state that lasts for moments only would be said too late.
  return /^(?:composing|calling|answering|sending)/.test(is) ? [] : [oneLine(sanitize(is))]
}

/** The step of the to-do list that the agent has begun. */
function stepLines(before: AppState, now: AppState): SafeText[] {
  const [was, is] = [before, now].map(({ chat }) => {
    const plan = currentPlan(chat)
    const step = plan && currentStep(plan)
    return plan && step ? `step ${plan.indexOf(step) + 1} of ${plan.length}: ${step.text}` : null
  })
  return is === was || typeof is !== 'string' ? [] : [oneLine(sanitize(is))]
}

function queueLines(before: AppState, now: AppState): SafeText[] {
  const { entries, paused } = now.queue
  if (entries.length === before.queue.entries.length && paused === before.queue.paused) return []
  return entries.length === 0 ? [] : [sanitize(`${entries.length} ${paused ? 'paused' : 'queued'}`)]
}

/**
 * The list with numbers, when it opens or its rows change; the chosen row, when that changes. A list is read only when
 * it is complete, because late rows may come first.
 */
function pickerLines(before: AppState, now: AppState, { theme }: SpokenContext): SafeText[] {
  const { picker } = now
  const was = before.picker
  if (!picker || picker === was) return []
  const isOpen = was?.kind === picker.kind
  const isUnread = isOpen && isIncompleteOf(was)
  const isSame = isOpen && was.filter === picker.filter
  const list = specOf(picker).rows(picker, now, theme)
  const { size, selected, none } = list
  if (isSame && (isIncompleteOf(picker) || (!isUnread && specOf(was).size(was) === size)))
    return was.selected === selected ? [] : numberedRows(list, selected, selected + 1)
  const words = pickerTitle(picker)
  const title = spoken([words.title, words.filter])
  if (isOpen && isIncompleteOf(picker)) return [title]
  const more = size > READ_OUT ? `, ${READ_OUT} of ${size} are read` : ''
  const { keyNames } = now
  const ways = [keyed(keyNames, 'Number and {picker.take}'), keyed(keyNames, '{picker.up} and {picker.down}')]
  const chooses = [...ways, 'or type to search'].filter(way => way !== '').join(', ')
  const keys = [size === 0 ? '' : `${chooses}${more}.`, keyed(keyNames, '{picker.close} leaves.')]
  return [
    ...(isUnread && isSame ? [] : [title]),
    ...(size === 0 ? [none] : numberedRows(list, 0, READ_OUT)),
    ...(list.aloud ? [list.aloud] : []),
    sanitize(keys.filter(part => part !== '').join(' ')),
  ]
}

const isIncompleteOf = (picker: Picker): boolean => specOf(picker).isIncomplete?.(picker) ?? false

function numberedRows(list: RowList, from: number, to: number): SafeText[] {
  return list.rows(from, to).map((row, index) => literal`${from + index + 1}. ${spokenRow(row)}`)
}

/** The title when keys begin to be shown; then each key. */
function watchedLines(before: AppState, { watched, keyNames }: AppState): SafeText[] {
  if (!watched || watched === before.watched) return []
  const fresh = watched.filter(key => !before.watched?.includes(key))
  return [...(before.watched ? [] : [keyDebugTitle(keyNames)]), ...keyRows(fresh).map(spoken)]
}

/** The number of rows to choose from, once there are several; the chosen row, when that changes. */
function popupLines(before: AppState, now: AppState, { commands }: SpokenContext): SafeText[] {
  const rows = popupRows(now, commands)
  const row = rows[now.popup.selected]
  if (now.popup.selected !== before.popup.selected) return row ? [oneLine(sanitize(`${row.label} ${row.detail}`))] : []
  // Files are found one after the other.
  const isFirstChoice = rows.length > 1 && !before.picker && popupRows(before, commands).length < 2
  return isFirstChoice
    ? [sanitize(`${rows.length} to choose from.${keyed(now.keyNames, ' {popup.take} lists them.')}`)]
    : []
}

/** The text in the composer, with a bar at the caret unless it is at the end. */
export function announcedDraft(state: AppState): SafeText {
  const { chips } = state
  const { text, caret } = visibleQuestion(state)?.typed?.editor ?? state.editor
  const marked = caret < text.length ? `${text.slice(0, caret)}|${text.slice(caret)}` : text
  return sanitize(labelled(marked, chips))
}
