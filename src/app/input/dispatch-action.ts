/** The actions of the keymap, and the parts that carry them out. */
import type { Attaching } from '../composer/attaching.ts'
import type { ImageReading } from '../composer/image-reading.ts'
import type { SelectionCopy } from '../composer/copy-selection.ts'
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import type { Leaving } from '../context/leaving.ts'
import type { Turns } from '../turns/turns.ts'
import { editDraft } from '../composer/draft-editor.ts'
import type { Action } from '../../state/binding.ts'
import type { Pages } from '../pages/pages.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Lists } from '../pickers/lists.ts'
import type { Pickers } from '../pickers/pickers.ts'
import type { Sending } from '../turns/sending.ts'
import { isBusy, visibleQuestion } from '../../state/state.ts'
import { nextSuggestion } from '../../state/welcome.ts'
import type { Stopping } from './stopping.ts'
import type { Detail } from '../../tools/panel/tool-context.ts'

const DETAILS: Record<Detail, string> = { names: 'names only', short: 'in short', full: 'in full' }

export type ActionDispatcherParts = {
  context: AppContext
  turns: Turns
  composing: Composing
  attaching: Attaching
  images: Pick<ImageReading, 'after' | 'isReading'>
  selectionCopy: SelectionCopy
  sending: Sending
  stopping: Stopping
  lists: Lists
  pickers: Pick<Pickers, 'open'>
  /** The key of the line about another conversation. */
  news: () => void
  pages: Pick<Pages, 'open' | 'perform' | 'edit'>
  redraw: () => void
  leaving: Pick<Leaving, 'quit'>
  permissions: Pick<Permissions, 'panel' | 'modes'>
}

type ParameterAction = Extract<Action, { how: unknown } | { command: unknown }>

export function createActionDispatcher(parts: ActionDispatcherParts): (action: Action) => void {
  const { context, turns, composing, attaching, images, selectionCopy, sending, stopping, lists, pages } = parts
  const { redraw, leaving, permissions, pickers, news } = parts
  const { state, dispatch, hint } = context
  let waits = false
  /** Sends once what is being read for the draft, such as an image, is there. What is typed meanwhile is not sent by a second key. */
  const whenRead = (send: () => void) => (): void => {
    if (waits) return
    if (!images.isReading()) return send()
    waits = true
    composing.letDraftWait()
    images.after(() => {
      waits = false
      composing.sendWaitingDraft(send)
    })
  }
  const submit = whenRead(() => sending.submit())
  const queue = whenRead(() => sending.queue())
  const plain: Record<Exclude<Action, ParameterAction>['do'], () => unknown> = {
    submit,
    paste: () => attaching.pasteClipboard(),
    copy: () => selectionCopy.copy(),
    cut: () => selectionCopy.cut(),
    queue_or_complete: () => (attaching.openChip() ? undefined : isBusy(state()) ? queue() : suggest()),
    // Beside a draft Esc means the same as in the question without one.
    stop: () => (visibleQuestion(state()) && !state().noting ? permissions.panel.perform('leave') : stopping.stop()),
    interrupt: () => stopping.interrupt(),
    exit_or_delete: () => stopping.exitOrDelete(),
    force_quit: () => leaving.quit(),
    next_detail: nextDetail,
    view: () => pages.open('transcript', null),
    copy_code: () => turns.command('copy'),
    raw: () => turns.command('raw'),
    thoughts: () => turns.command('thoughts'),
    redraw,
    up: () => sending.browse('up'),
    down: () => sending.browse('down'),
    next_reasoning: () => turns.reasoning.next(),
    pick_model: () => turns.command('model'),
    compact: () => turns.command('compact'),
    queue_previous: () => turns.queue.editNext('previous'),
    queue_next: () => turns.queue.editNext('next'),
    send_now: whenRead(() => sending.sendNow()),
    steer: whenRead(() => sending.steer()),
    stash: () => composing.stash(),
    search_history: () => pickers.open('history'),
    edit_outside: () => editDraft(context),
    suspend: () => context.host?.suspend?.(),
    popup_up: () => lists.movePopup(-1),
    popup_down: () => lists.movePopup(1),
    popup_take: () => lists.takeOrReadPopup(),
    popup_run: () => (lists.takePopup()?.sends === false ? undefined : sending.submit()),
    popup_close: () => lists.closePopup(),
    picker_up: () => lists.movePicker(-1),
    picker_down: () => lists.movePicker(1),
    picker_take: () => lists.takePicked(),
    picker_close: () => lists.closePicker(),
    picker_widen: () => lists.widenSearch(),
    picker_rename: () => lists.renamePicked(),
    picker_remove: () => lists.removePicked(),
    picker_erase: () => lists.eraseFilter(),
    next_mode: () => permissions.modes.next(),
    list_conversations: () => pickers.open('conversations'),
    news,
    list_running: () => turns.command('running'),
  }
  return perform

  function perform(action: Action): void {
    if (action.do === 'favourite') return useFavourite(action.how)
    if (action.do === 'page') return pages.perform(action.how)
    if (action.do === 'question') return permissions.panel.perform(action.how)
    if (action.do === 'edit') {
      if (pages.edit(action.command)) return
      return permissions.panel.edit(action.command) ? undefined : composing.edit(action.command)
    }
    plain[action.do]()
  }

  function suggest(): void {
    const text = nextSuggestion(state())
    if (text !== null) composing.edit({ kind: 'setText', text })
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
