/** Moving and choosing in the lists below the composer. */
import type { Model } from '../../agent/backend.ts'
import { edit } from '../../composer/editor.ts'
import { previousBoundary } from '../../composer/graphemes.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { Attaching } from '../composer/attaching.ts'
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import type { Turns } from '../turns/turns.ts'
import { modelName } from '../../state/pickers/model-order.ts'
import { filtered, historyPicker, modelRows, rowCount } from '../../state/pickers/picker-rows.ts'
import { popupRows, type PopupRow } from '../../state/completion/popup.ts'
import type { ConversationList } from './conversations.ts'
import type { SessionList } from './sessions.ts'

export type Lists = {
  movePopup: (by: 1 | -1) => void
  /** Puts the chosen row into the composer. */
  takePopup: () => PopupRow | undefined
  /** The same; with a screen reader, all rows are read as a list if none was chosen yet. */
  takeOrHearPopup: () => void
  closePopup: () => void
  movePicker: (by: 1 | -1) => void
  /** Carries out the chosen row. */
  takePicked: () => void
  filterPicker: (filter: string) => void
  /** Deletes the last character of the filter. */
  eraseFilter: () => void
  closePicker: () => void
  searchHistory: () => void
  /** Searches all folders instead of this one; for sessions, also this one again. */
  widenSearch: () => void
  /** Opens the list of conversations; if it is open, goes to the previous one. */
  conversations: () => void
  /** Does what the key of the line about another conversation does. */
  news: () => void
  /** Renames a session or a conversation. */
  renamePicked: () => void
  removePicked: () => void
}

export type ListsParts = {
  context: AppContext
  turns: Turns
  composing: Pick<Composing, 'replaceDraft'>
  attaching: Pick<Attaching, 'addFile'>
  choicePrompt: ChoicePrompt
  sessions: SessionList
  /** Null if there is only one. */
  conversations: ConversationList | null
}

export function createLists(parts: ListsParts): Lists {
  const { context, turns, composing, attaching, choicePrompt, sessions, conversations } = parts
  const { state, dispatch, commands } = context
  /** True if a digit has just chosen the row. */
  let isByDigit = false
  return {
    movePopup(by) {
      const count = popupRows(state(), commands()).length
      if (count > 0) dispatch({ type: 'popup_moved', selected: (state().popup.selected + by + count) % count })
    },
    takePopup,
    takeOrHearPopup() {
      const rows = popupRows(state(), commands())
      const isUnheard = context.settings.values().screenReader && rows.length > 1 && state().popup.selected === 0
      if (!isUnheard) return void takePopup()
      const answers = rows.map(row => ({ label: row.label, detail: row.detail, run: () => putIn(row) }))
      choicePrompt.ask({ title: 'choose one', answers })
    },
    closePopup: () => dispatch({ type: 'popup_closed', text: state().editor.text }),
    movePicker(by) {
      isByDigit = false
      const { picker } = state()
      const count = picker ? rowCount(picker) : 0
      if (!picker || count === 0) return
      dispatch({ type: 'picker_changed', picker: { ...picker, selected: (picker.selected + by + count) % count } })
    },
    takePicked() {
      isByDigit = false
      const { picker } = state()
      if (picker?.kind === 'history') takePrompt(picker.found[picker.selected]?.text)
      else if (picker?.kind === 'choice') return choicePrompt.take()
      else if (picker?.kind === 'sessions') sessions.take()
      else if (picker?.kind === 'conversations') return conversations?.take()
      else if (picker) takeModel(modelRows(picker)[picker.selected]?.item)
      choicePrompt.askNext()
    },
    filterPicker(filter) {
      if (state().picker?.kind === 'conversations') return conversations?.type(filter)
      if (!chooseByNumber(filter)) filterPicker(filter)
    },
    eraseFilter() {
      const filter = state().picker?.filter ?? ''
      filterPicker(filter.slice(0, previousBoundary(filter, filter.length)))
    },
    closePicker() {
      isByDigit = false
      const { picker } = state()
      dispatch({ type: 'picker_changed', picker: null })
      // The answer to a key in that list is about another conversation.
      if (picker?.kind === 'conversations') dispatch({ type: 'hinted', hint: null })
      if (picker?.kind === 'choice') choicePrompt.dropped()
      else choicePrompt.askNext()
    },
    searchHistory() {
      const picker = historyPicker('folder', '', context.drafts.prompts('folder'))
      dispatch({ type: 'picker_changed', picker })
    },
    widenSearch() {
      const { picker } = state()
      if (picker?.kind === 'sessions') return sessions.widen()
      if (picker?.kind !== 'history' || picker.scope === 'all') return
      const wider = historyPicker('all', picker.filter, context.drafts.prompts('all'))
      dispatch({ type: 'picker_changed', picker: wider })
    },
    conversations() {
      if (state().picker?.kind === 'conversations') conversations?.former()
      else conversations?.open()
    },
    news: () => conversations?.news(),
    renamePicked: () => (state().picker?.kind === 'conversations' ? conversations?.rename() : sessions.rename()),
    removePicked: () => (state().picker?.kind === 'conversations' ? conversations?.end() : sessions.remove()),
  }

  function takePopup(): PopupRow | undefined {
    const row = popupRows(state(), commands())[state().popup.selected]
    if (row) putIn(row)
    return row
  }

  function putIn({ range, completed: text, file, lines = null }: PopupRow): void {
    const { editor } = state()
    if (file !== null) attaching.addFile(file, lines, range)
    else dispatch({ type: 'edited', editor: edit(editor, { kind: 'replace', range, text }, context.composerWidth()) })
  }

  /** With a screen reader the rows have numbers: digits choose one if nothing else has been typed. */
  function chooseByNumber(filter: string): boolean {
    const { picker } = state()
    const isTyped = picker?.kind === 'choice' && picker.typed !== null
    if (!picker || isTyped || !context.settings.values().screenReader || !/^\d+$/.test(filter)) return false
    const count = rowCount(picker)
    // A second digit is appended to the first, if there are enough rows.
    const longer = (picker.selected + 1) * 10 + Number(filter)
    const number = isByDigit && longer <= count ? longer : Number(filter)
    if (number < 1 || number > count) return false
    isByDigit = true
    dispatch({ type: 'picker_changed', picker: { ...picker, selected: number - 1 } })
    return true
  }

  function filterPicker(filter: string): void {
    isByDigit = false
    const { picker } = state()
    if (picker) dispatch({ type: 'picker_changed', picker: filtered(picker, filter) })
  }

  function takeModel(model: Model | undefined): void {
    if (!model) return
    dispatch({ type: 'picker_changed', picker: null })
    const { agent } = state().chat
    if (model.provider !== agent.provider) return turns.command('model', modelName(model))
    if (model.id !== agent.model) turns.command('model', model.id)
  }

  function takePrompt(text: string | undefined): void {
    if (text === undefined) return
    dispatch({ type: 'picker_changed', picker: null })
    // A copy of a waiting prompt would be sent twice.
    if (!turns.queue.editWaiting(text)) composing.replaceDraft(text)
  }
}
