/** What each action of the keymap does, and which part does it. */
import type { Attaching } from '../composer/attaching.ts'
import type { ImageReading } from '../composer/image-reading.ts'
import type { DiffCommand } from '../screens/diff-command.ts'
import type { SelectionCopy } from '../composer/copy-selection.ts'
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import type { Leaving } from '../context/leaving.ts'
import type { Turns } from '../turns/turns.ts'
import { editDraft } from '../composer/draft-editor.ts'
import type { Action } from '../../state/keymap.ts'
import type { Helping } from '../screens/help.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Lists } from '../pickers/lists.ts'
import { switchRaw } from '../commands/raw.ts'
import type { Sending } from '../turns/sending.ts'
import { isBusy } from '../../state/state.ts'
import type { Stopping } from './stopping.ts'
import type { ViewerCommands } from '../screens/viewer.ts'
import type { Detail } from '../../tools/panel/detail.ts'

const DETAILS: Record<Detail, string> = { names: 'names only', short: 'in short', full: 'in full' }

export type ActionDispatcherParts = {
  context: AppContext
  turns: Turns
  composing: Composing
  attaching: Attaching
  images: Pick<ImageReading, 'after'>
  selectionCopy: SelectionCopy
  sending: Sending
  stopping: Stopping
  lists: Lists
  /** Undefined where there is no viewer. */
  viewing: ViewerCommands | undefined
  helping: Pick<Helping, 'perform'>
  /** Reads the conversation out, where there is none. */
  readAloud: (() => void) | undefined
  /** Null where there is nothing that could be changed. */
  diffCommand: Pick<DiffCommand, 'perform'> | null
  redraw: () => void
  leaving: Pick<Leaving, 'quit'>
  permissions: Pick<Permissions, 'panel' | 'modes'>
}

export function createActionDispatcher(parts: ActionDispatcherParts): (action: Action) => void {
  const { context, turns, composing, attaching, images, selectionCopy, sending, stopping, lists, viewing } = parts
  const { diffCommand, helping, readAloud, redraw, leaving, permissions } = parts
  const { state, dispatch, hint } = context
  return perform

  function perform(action: Action): void {
    switch (action.do) {
      case 'favourite':
        return useFavourite(action.how)
      case 'viewer':
        return (state().viewing === 'help' ? helping : viewing)?.perform(action.how)
      case 'diff':
        return diffCommand?.perform(action.how)
      case 'question':
        return permissions.panel.perform(action.how)
      case 'next_mode':
        return permissions.modes.next()
      case 'list_running':
        return turns.command('running')
      case 'edit':
        return permissions.panel.edit(action.command) ? undefined : composing.edit(action.command)
      case 'submit':
        return images.after(() => sending.submit())
      case 'paste':
        return attaching.pasteClipboard()
      case 'copy':
      case 'cut':
        return selectionCopy[action.do]()
      case 'queue_or_complete':
        if (composing.openChip()) return
        return isBusy(state()) ? sending.submit() : undefined
      case 'stop':
        return stopping.stop()
      case 'interrupt':
        return stopping.interrupt()
      case 'exit_or_delete':
        return stopping.exitOrDelete()
      case 'emergency':
        return void leaving.quit()
      case 'next_detail':
        return nextDetail()
      case 'view':
        return viewing ? viewing.open() : readAloud?.()
      case 'copy_answer':
        return turns.command('copy')
      case 'raw':
        return switchRaw(context, redraw, '')
      case 'redraw':
        return redraw()
      case 'up':
      case 'down':
        return sending.browse(action.do)
      case 'next_reasoning':
        return turns.reasoning.next()
      case 'pick_model':
        return turns.command('model')
      case 'compact':
        return turns.command('compact')
      case 'queued_before':
        return turns.queue.editNext('before')
      case 'queued_behind':
        return turns.queue.editNext('behind')
      case 'send_now':
        return sending.sendNow()
      case 'stash':
        return composing.stash()
      case 'search_history':
        return lists.searchHistory()
      case 'edit_outside':
        return void editDraft(context)
      case 'stop_program':
        return context.host?.stopProgram ? void context.host.stopProgram() : undefined
      case 'popup_up':
        return lists.movePopup(-1)
      case 'popup_down':
        return lists.movePopup(1)
      case 'popup_take':
        return lists.takeOrHearPopup()
      case 'popup_run':
        return lists.takePopup()?.sends === false ? undefined : sending.submit()
      case 'popup_close':
        return lists.closePopup()
      case 'picker_up':
        return lists.movePicker(-1)
      case 'picker_down':
        return lists.movePicker(1)
      case 'picker_take':
        return lists.takePicked()
      case 'picker_close':
        return lists.closePicker()
      case 'picker_widen':
        return lists.widenSearch()
      case 'picker_rename':
        return lists.renamePicked()
      case 'picker_remove':
        return lists.removePicked()
      case 'picker_erase':
        return lists.eraseFilter()
    }
  }

  function useFavourite(number: number): void {
    const { favouriteModels } = context.settings.values()
    const name = favouriteModels[number - 1]
    if (name !== undefined) return turns.command('model', name)
    const some = favouriteModels.length === 0 ? 'You have no favourite models' : `You have no favourite model ${number}`
    hint(`${some}: the setting favouriteModels names them.`)
  }

  function nextDetail(): void {
    const levels = ['names', 'short', 'full'] as const
    const detail = levels[(levels.indexOf(state().detail) + 1) % levels.length] ?? 'short'
    dispatch({ type: 'detail_chosen', detail })
    hint(`Tool calls from now on: ${DETAILS[detail]}.`)
  }
}
