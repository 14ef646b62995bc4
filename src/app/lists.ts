/** Moving and choosing in what opens below the composer. */
import type { Context } from './context.ts'
import type { Conversation } from './conversation.ts'
import { acceptRow, pickerRows, popupRows, type PopupRow } from './overlay.ts'

export type Lists = {
  movePopup: (by: 1 | -1) => void
  /** Puts the chosen row into the composer. */
  takePopup: () => PopupRow | undefined
  closePopup: () => void
  movePicker: (by: 1 | -1) => void
  /** Switches to the chosen model. */
  takePicked: () => void
  filterPicker: (filter: string) => void
  closePicker: () => void
}

export function createLists(context: Context, conversation: Conversation): Lists {
  const { state, dispatch, commands } = context
  return {
    movePopup(by) {
      const count = popupRows(state(), commands).length
      if (count > 0) dispatch({ type: 'popup_moved', selected: (state().popup.selected + by + count) % count })
    },
    takePopup() {
      const { popup, editor } = state()
      const row = popupRows(state(), commands)[popup.selected]
      if (row) dispatch({ type: 'edited', editor: acceptRow(editor, row, context.composerWidth()) })
      return row
    },
    closePopup: () => dispatch({ type: 'popup_closed', text: state().editor.text }),
    movePicker(by) {
      const { picker } = state()
      const count = picker ? pickerRows(picker).length : 0
      if (!picker || count === 0) return
      dispatch({ type: 'picker_changed', picker: { ...picker, selected: (picker.selected + by + count) % count } })
    },
    takePicked() {
      const { picker, chat } = state()
      const row = picker ? pickerRows(picker)[picker.selected] : undefined
      if (!row) return
      dispatch({ type: 'picker_changed', picker: null })
      if (row.model.id !== chat.agent.model) conversation.command('model', row.model.id)
    },
    filterPicker(filter) {
      const { picker } = state()
      if (picker) dispatch({ type: 'picker_changed', picker: { ...picker, filter, selected: 0 } })
    },
    closePicker: () => dispatch({ type: 'picker_changed', picker: null }),
  }
}
