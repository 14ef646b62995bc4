/** Moving and choosing in the lists below the composer: the popup, and the list that is open. */
import { edit } from '../../composer/editor.ts'
import { previousBoundary } from '../../composer/graphemes.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { Attaching } from '../composer/attaching.ts'
import type { AppContext } from '../context/context.ts'
import type { Picker } from '../../state/pickers/picker.ts'
import { popupRows, type PopupRow } from '../../state/completion/popup.ts'
import type { PickerLetters, Pickers } from './pickers.ts'

export type Lists = {
  movePopup: (by: 1 | -1) => void
  /** Puts the chosen row into the composer. */
  takePopup: () => PopupRow | undefined
  /** The same; with a screen reader, all rows are read as a list if none was chosen yet. */
  takeOrReadPopup: () => void
  closePopup: () => void
  movePicker: (by: 1 | -1) => void
  /** Carries out the chosen row. */
  takePicked: () => void
  filterPicker: (filter: string) => void
  /** Deletes the last character of the filter. */
  eraseFilter: () => void
  closePicker: () => void
  /** Searches all folders instead of this one; for sessions, also this one again. */
  widenSearch: () => void
  /** Renames the chosen row. */
  renamePicked: () => void
  removePicked: () => void
  /** What letters do in the open list; null without one. */
  letters: () => PickerLetters | null
  /** True if typing closes the open list and goes to the composer. */
  isDismissedByTyping: () => boolean
}

export type ListsParts = {
  context: AppContext
  attaching: Pick<Attaching, 'addFile'>
  choicePrompt: ChoicePrompt
  pickers: Pickers
}

export function createLists(parts: ListsParts): Lists {
  const { context, attaching, choicePrompt, pickers } = parts
  const { state, dispatch, commands } = context
  /** True if a digit has just chosen the row. */
  let isByDigit = false
  return {
    movePopup(by) {
      const count = popupRows(state(), commands()).length
      if (count > 0) dispatch({ type: 'popup_moved', selected: (state().popup.selected + by + count) % count })
    },
    takePopup,
    takeOrReadPopup() {
      const rows = popupRows(state(), commands())
      const isUnread = context.settings.values().screenReader && rows.length > 1 && state().popup.selected === 0
      if (!isUnread) return void takePopup()
      const answers = rows.map(row => ({ label: row.label, detail: row.detail, run: () => putIn(row) }))
      choicePrompt.ask({ title: 'choose one', answers })
    },
    closePopup: () => dispatch({ type: 'popup_closed', text: state().editor.text }),
    movePicker(by) {
      isByDigit = false
      const { picker } = state()
      const count = picker ? pickers.size(picker) : 0
      if (!picker || count === 0) return
      dispatch({ type: 'picker_changed', picker: { ...picker, selected: (picker.selected + by + count) % count } })
    },
    takePicked() {
      isByDigit = false
      const { picker } = state()
      if (picker) pickers.take(picker)
    },
    filterPicker(filter) {
      const { picker } = state()
      if (picker && letters() === 'act') return pickers.press(picker, filter)
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
      if (picker) pickers.closed(picker)
    },
    widenSearch: () => onPicked(pickers.widen),
    renamePicked: () => onPicked(pickers.rename),
    removePicked: () => onPicked(pickers.remove),
    letters,
    isDismissedByTyping() {
      const { picker } = state()
      return picker !== null && pickers.isDismissedByTyping(picker)
    },
  }

  function letters(): PickerLetters | null {
    const { picker } = state()
    return picker && pickers.letters(picker)
  }

  function onPicked(act: (picker: Picker) => void): void {
    const { picker } = state()
    if (picker) act(picker)
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
    if (!picker || letters() === 'type' || !context.settings.values().screenReader || !/^\d+$/.test(filter))
      return false
    const count = pickers.size(picker)
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
    if (picker) dispatch({ type: 'picker_changed', picker: pickers.filtered(picker, filter) })
  }
}
