/** Routes keys, text and pastes to `/keys debug`, to an open list or page, or to the composer. */
import { graphemes } from '../../text/lines/width.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { macOptionKey } from '../../config/keys/mac-option.ts'
import type { Attaching } from '../composer/attaching.ts'
import type { Composing } from '../composer/composing.ts'
import type { VimEditing } from '../composer/vim-editing.ts'
import type { AppContext } from '../context/context.ts'
import { createChordMatcher } from '../../state/keymap.ts'
import type { Action } from '../../state/binding.ts'
import type { KeyDebug } from './key-debug.ts'
import type { QuestionPanel } from '../permissions/panel.ts'
import type { Lists } from '../pickers/lists.ts'
import { contextOf } from '../../state/completion/popup.ts'
import { keyLabel } from '../../text/key-hints.ts'
import type { Pages } from '../pages/pages.ts'

export type InputRouter = {
  /** Takes a key, and the bytes that the terminal sent for it. */
  press: (key: string, raw?: string) => void
  /** Takes typed text, without control characters. */
  type: (text: string, raw?: string) => void
  paste: (text: string, raw?: string) => void
  /** Takes input of the terminal that is not a key. */
  ignore: (raw: string) => void
}

export type InputRouterParts = {
  context: AppContext
  keyDebug: KeyDebug
  composing: Pick<Composing, 'edit'>
  attaching: Pick<Attaching, 'paste'>
  lists: Pick<Lists, 'closePicker' | 'filterPicker' | 'letters' | 'isDismissedByTyping'>
  vim: VimEditing
  panel: Pick<QuestionPanel, 'onKey' | 'disarm' | 'edit' | 'choose' | 'offers'>
  pages: Pick<Pages, 'open' | 'type'>
  perform: (action: Action) => void
  readsMacOption: () => boolean
}

/** Actions without effect in a question, which has no filter. */
const FOR_OTHER_LISTS: ReadonlySet<Action['do']> = new Set([
  'picker_erase',
  'picker_widen',
  'picker_rename',
  'picker_remove',
])

/** Actions that concern the draft, which is not on the screen while an answer is typed. */
const OF_THE_DRAFT: ReadonlySet<Action['do']> = new Set([
  'up',
  'down',
  'queue_or_complete',
  'send_now',
  'stash',
  'search_history',
  'edit_outside',
  'paste',
  'copy',
  'cut',
  'queue_previous',
  'queue_next',
])

/** Esc and a character, or Alt with it. */
const ESCAPED = /^\u001B([^\u0000-\u001F\u007F])$/u

export function createInputRouter(parts: InputRouterParts): InputRouter {
  const { context, keyDebug, composing, attaching, lists, panel, pages, vim } = parts
  const { state, dispatch, hint, commands, keymap } = context
  const keys = createChordMatcher(keymap)
  let pressed = ''
  /** True if letters go into the filter of the open list, which is still empty. */
  let isFiltering = false

  const router: InputRouter = {
    press,
    type,
    paste(text, raw = '') {
      if (keyDebug.paste(text, raw)) return
      panel.onKey()
      if (state().page) return void pages.type(text.split('\n')[0] ?? '')
      if (isDismissedByTyping()) lists.closePicker()
      // Letters are keys in that list; a paste must not press them.
      if (lists.letters() === 'act') return
      if (state().picker) return typeIntoPicker(normalisePaste(text))
      if (place() === 'typed') return void panel.edit({ kind: 'insert', text: normalisePaste(text) })
      if (vim.isReading()) return vim.later(() => router.paste(text, raw))
      panel.disarm()
      if (vim.takesPaste(text)) return
      attaching.paste(text)
      vim.settle()
    },
    ignore: keyDebug.ignore,
  }
  return router

  function perform(action: Action): void {
    parts.perform(action)
    vim.settle()
  }

  /** True if keys go to the draft. */
  function isDraftShown(): boolean {
    return ['composer', 'popup'].includes(place())
  }

  function press(key: string, raw = ''): void {
    if (keyDebug.press(key, raw)) return
    panel.onKey()
    if (isDraftShown() && vim.isReading()) return vim.later(() => press(key, raw))
    // A second press counts only for the same key.
    if (state().armed !== null && key !== pressed) dispatch({ type: 'hinted', hint: null })
    pressed = key
    if (state().leaving) return hasten(key)
    if (isDraftShown()) {
      isFiltering = false
      // Esc, as in vim itself. Terminals that distinguish all keys send Alt in another way.
      const behind = vim.isTyping() ? ESCAPED.exec(raw)?.[1] : undefined
      if (behind !== undefined) {
        press('escape')
        return type(behind)
      }
      if (vim.press(key)) return panel.disarm()
    }
    const action = actionOf(key)
    if (action !== null && action !== 'waits' && isForDraft(action)) panel.disarm()
    if (action !== null && action !== 'waits' && isUseless(action)) return
    if (action === 'waits') return hint(`${keyLabel(key)}: waiting for the second key`)
    if (action) return perform(action)
    const behindEscape = characterBehindEscape(raw)
    if (behindEscape !== null) {
      press('escape')
      type(behindEscape)
    } else if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
  }

  /** Takes a character that is a key of the open question. Several at once were typed before the user saw it. */
  function answers(text: string): boolean {
    if (/^[1-9]$/.test(text)) return panel.choose(Number(text))
    const action = keymap.actionFor(text, 'question')
    if (action?.do !== 'question' || !panel.offers(action.how)) return false
    perform(action)
    return true
  }

  /** True if a key edits the draft while a question takes the keys. */
  function isForDraft(action: Action): boolean {
    return place() === 'question' && action.do === 'edit'
  }

  /** True if an action of the composer has no effect while an answer is typed. */
  function isUseless(action: Action): boolean {
    return place() === 'typed' && OF_THE_DRAFT.has(action.do)
  }

  /** On exit the only keys left are those that exit at once. */
  function hasten(key: string): void {
    const action = keymap.actionFor(key, 'composer')
    if (action?.do === 'force_quit' || action?.do === 'interrupt') perform(action)
  }

  function actionOf(key: string): Action | 'waits' | null {
    const action = keys.match(key, place())
    const isUnknown = action === null || (action !== 'waits' && FOR_OTHER_LISTS.has(action.do))
    if (!isUnknown || !isDismissedByTyping() || state().picker?.filter !== '') return action
    if (keymap.actionFor(key, 'composer') === null && !keymap.begins(key, 'composer')) return action
    lists.closePicker()
    return actionOf(key)
  }

  /**
   * Esc and a letter that were read together look like Alt and that letter. In a list, where that is no key, they were
   * Esc, which closes the list, and the first letter of the text typed next.
   */
  function characterBehindEscape(raw: string): string | null {
    return place() === 'composer' || state().question ? null : (ESCAPED.exec(raw)?.[1] ?? null)
  }

  function type(text: string, raw = ''): void {
    const meant = parts.readsMacOption() ? macOptionKey(text) : null
    if (keyDebug.type(meant, raw)) return
    panel.onKey()
    if (isDraftShown() && vim.isReading()) return vim.later(() => type(text, raw))
    // A key without an action is its character.
    if (meant !== null && keymap.actionFor(meant, place())) return press(meant, raw)
    keys.forget()
    if (state().page) return typeOnPage(text)
    if (isDismissedByTyping()) lists.closePicker()
    if (place() === 'typed') return void panel.edit({ kind: 'insert', text })
    if (place() === 'question' && answers(text)) return
    panel.disarm()
    if (state().picker) return typeInList(text)
    isFiltering = false
    if (text === '?' && state().editor.text === '') pages.open('help', { kind: 'keys' })
    else if (!vim.type(text)) composing.edit({ kind: 'insert', text })
  }

  /** On a page characters are keys, unless it has a text field. */
  function typeOnPage(text: string): void {
    const characters = Array.from(graphemes(text))
    for (const [index, character] of characters.entries()) {
      // An earlier key may have opened a search, or gone back.
      if (!state().page) return type(characters.slice(index).join(''))
      if (!pages.type(character)) press(character === ' ' ? 'space' : character)
    }
  }

  function typeInList(text: string): void {
    let rest = text
    while (rest !== '' && movesInPicker(rest.charAt(0))) rest = rest.slice(1)
    if (rest !== '') typeIntoPicker(rest)
  }

  /**
   * With vim's keys, j and k move in most lists until something is typed; a slash begins the filter.
   */
  function movesInPicker(text: string): boolean {
    const { picker, vim: isVim } = state()
    const letters = lists.letters()
    if (!isVim || picker?.filter !== '' || letters === 'type' || isFiltering) return false
    const isMove = letters !== 'search' && (text === 'j' || text === 'k')
    if (isMove) perform({ do: text === 'j' ? 'picker_down' : 'picker_up' })
    else isFiltering = text === '/' && letters !== 'act'
    return isMove || isFiltering
  }

  function typeIntoPicker(text: string): void {
    lists.filterPicker((state().picker?.filter ?? '') + text)
  }

  /** Typing closes a question that the user did not ask for. */
  function isDismissedByTyping(): boolean {
    return !state().page && lists.isDismissedByTyping()
  }

  function place(): ReturnType<typeof contextOf> {
    return contextOf(state(), commands())
  }
}
