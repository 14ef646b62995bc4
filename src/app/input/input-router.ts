/**
 * Routes keys, text and pastes to `/keys debug`, to an open list or page, or to the composer. Components do not take keys: several may
 * come in one read, and what one of them opens takes the next before React has drawn it. A screen reader has the same keys and no
 * components.
 */
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
  pages: Pick<Pages, 'open' | 'type' | 'edit'>
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

export class KeyRouter implements InputRouter {
  readonly #parts: InputRouterParts
  readonly #keys: ReturnType<typeof createChordMatcher>
  #pressed = ''
  /** True if letters go into the filter of the open list, which is still empty. */
  #isFiltering = false

  constructor(parts: InputRouterParts) {
    this.#parts = parts
    const { keymap } = parts.context
    this.#keys = createChordMatcher(keymap)
  }

  press(key: string, raw = ''): void {
    const { keyDebug, panel, vim } = this.#parts
    const { state, dispatch, hint } = this.#parts.context
    if (keyDebug.press(key, raw)) return
    panel.onKey()
    if (this.#isDraftShown() && vim.isReading()) return vim.later(() => this.press(key, raw))
    // A second press counts only for the same key.
    if (state().armed !== null && key !== this.#pressed) dispatch({ type: 'hinted', hint: null })
    this.#pressed = key
    if (state().leaving) return this.#hasten(key)
    if (this.#isDraftShown()) {
      this.#isFiltering = false
      // Esc, as in vim itself. Terminals that distinguish all keys send Alt in another way.
      const behind = vim.isTyping() ? ESCAPED.exec(raw)?.[1] : undefined
      if (behind !== undefined) {
        this.press('escape')
        return this.type(behind)
      }
      if (vim.press(key)) return panel.disarm()
    }
    const action = this.#actionOf(key)
    if (action !== null && action !== 'waits' && this.#isForDraft(action)) panel.disarm()
    if (action !== null && action !== 'waits' && this.#isUseless(action)) return
    if (action === 'waits') return hint(`${keyLabel(key)}: waiting for the second key`)
    if (action) return this.#perform(action)
    const behindEscape = this.#characterBehindEscape(raw)
    if (behindEscape !== null) {
      this.press('escape')
      this.type(behindEscape)
    } else if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
  }

  type(text: string, raw = ''): void {
    const { keyDebug, composing, lists, panel, pages, vim } = this.#parts
    const { state, keymap } = this.#parts.context
    const meant = this.#parts.readsMacOption() ? macOptionKey(text) : null
    if (keyDebug.type(meant, raw)) return
    panel.onKey()
    if (this.#isDraftShown() && vim.isReading()) return vim.later(() => this.type(text, raw))
    // A key without an action is its character.
    if (meant !== null && keymap.actionFor(meant, this.#place())) return this.press(meant, raw)
    this.#keys.forget()
    if (state().page) return this.#typeOnPage(text)
    if (this.#isDismissedByTyping()) lists.closePicker()
    if (this.#place() === 'typed') return void panel.edit({ kind: 'insert', text })
    if (this.#place() === 'question' && this.#answers(text)) return
    panel.disarm()
    if (state().picker) return this.#typeInList(text)
    this.#isFiltering = false
    if (text === '?' && state().editor.text === '') pages.open('help', { kind: 'keys' })
    else if (!vim.type(text)) composing.edit({ kind: 'insert', text })
  }

  paste(text: string, raw = ''): void {
    const { keyDebug, attaching, lists, panel, pages, vim } = this.#parts
    const { state } = this.#parts.context
    if (keyDebug.paste(text, raw)) return
    panel.onKey()
    if (state().page) return void (pages.edit({ kind: 'paste', text }) || pages.type(text.split('\n')[0] ?? ''))
    if (this.#isDismissedByTyping()) lists.closePicker()
    // Letters are keys in that list; a paste must not press them.
    if (lists.letters() === 'act') return
    if (state().picker) return this.#typeIntoPicker(normalisePaste(text))
    if (this.#place() === 'typed') return void panel.edit({ kind: 'insert', text: normalisePaste(text) })
    if (vim.isReading()) return vim.later(() => this.paste(text, raw))
    panel.disarm()
    if (vim.takesPaste(text)) return
    attaching.paste(text)
    vim.settle()
  }

  ignore(raw: string): void {
    this.#parts.keyDebug.ignore(raw)
  }

  #perform(action: Action): void {
    const { vim } = this.#parts
    this.#parts.perform(action)
    vim.settle()
  }

  /** True if keys go to the draft. */
  #isDraftShown(): boolean {
    return ['composer', 'popup'].includes(this.#place())
  }

  /** Takes a character that is a key of the open question. Several at once were typed before the user saw it. */
  #answers(text: string): boolean {
    const { panel } = this.#parts
    const { keymap } = this.#parts.context
    if (/^[1-9]$/.test(text)) return panel.choose(Number(text))
    const action = keymap.actionFor(text, 'question')
    if (action?.do !== 'question' || !panel.offers(action.how)) return false
    this.#perform(action)
    return true
  }

  /** True if a key edits the draft while a question takes the keys. */
  #isForDraft(action: Action): boolean {
    return this.#place() === 'question' && action.do === 'edit'
  }

  /** True if an action of the composer has no effect while an answer is typed. */
  #isUseless(action: Action): boolean {
    return this.#place() === 'typed' && OF_THE_DRAFT.has(action.do)
  }

  /** On exit the only keys left are those that exit at once. */
  #hasten(key: string): void {
    const { keymap } = this.#parts.context
    const action = keymap.actionFor(key, 'composer')
    if (action?.do === 'force_quit' || action?.do === 'interrupt') this.#perform(action)
  }

  #actionOf(key: string): Action | 'waits' | null {
    const { lists } = this.#parts
    const { state, keymap } = this.#parts.context
    const action = this.#keys.match(key, this.#place())
    const isUnknown = action === null || (action !== 'waits' && FOR_OTHER_LISTS.has(action.do))
    if (!isUnknown || !this.#isDismissedByTyping() || state().picker?.filter !== '') return action
    if (keymap.actionFor(key, 'composer') === null && !keymap.begins(key, 'composer')) return action
    lists.closePicker()
    return this.#actionOf(key)
  }

  /**
   * Esc and a letter that were read together look like Alt and that letter. In a list, where that is no key, they were
   * Esc, which closes the list, and the first letter of the text typed next.
   */
  #characterBehindEscape(raw: string): string | null {
    const { state } = this.#parts.context
    return this.#place() === 'composer' || state().question ? null : (ESCAPED.exec(raw)?.[1] ?? null)
  }

  /** On a page characters are keys, unless it has a text field. */
  #typeOnPage(text: string): void {
    const { pages } = this.#parts
    const { state } = this.#parts.context
    const characters = Array.from(graphemes(text))
    for (const [index, character] of characters.entries()) {
      // An earlier key may have opened a search, or gone back.
      if (!state().page) return this.type(characters.slice(index).join(''))
      if (!pages.type(character)) this.press(character === ' ' ? 'space' : character)
    }
  }

  #typeInList(text: string): void {
    let rest = text
    while (rest !== '' && this.#movesInPicker(rest.charAt(0))) rest = rest.slice(1)
    if (rest !== '') this.#typeIntoPicker(rest)
  }

  /**
   * With vim's keys, j and k move in most lists until something is typed; a slash begins the filter.
   */
  #movesInPicker(text: string): boolean {
    const { lists } = this.#parts
    const { state } = this.#parts.context
    const { picker, vim: isVim } = state()
    const letters = lists.letters()
    if (!isVim || picker?.filter !== '' || letters === 'type' || this.#isFiltering) return false
    const isMove = letters !== 'search' && (text === 'j' || text === 'k')
    if (isMove) this.#perform({ do: text === 'j' ? 'picker_down' : 'picker_up' })
    else this.#isFiltering = text === '/' && letters !== 'act'
    return isMove || this.#isFiltering
  }

  #typeIntoPicker(text: string): void {
    const { lists } = this.#parts
    const { state } = this.#parts.context
    lists.filterPicker((state().picker?.filter ?? '') + text)
  }

  /** Typing closes a question that the user did not ask for. */
  #isDismissedByTyping(): boolean {
    const { lists } = this.#parts
    const { state } = this.#parts.context
    return !state().page && lists.isDismissedByTyping()
  }

  #place(): ReturnType<typeof contextOf> {
    const { state, commands } = this.#parts.context
    return contextOf(state(), commands())
  }
}
