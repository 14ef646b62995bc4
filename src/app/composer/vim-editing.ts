/** The composer with vim's keys, while the setting `editor` is vim. */
import type { Editor } from '../../composer/editor.ts'
import { lineEnd, lineStart } from '../../composer/motion.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { newVim, type Vim, type VimMode } from '../../composer/vim/vim.ts'
import { readClipboard } from '../../platform/clipboard/read-clipboard.ts'
import { expand } from '../../state/composer/chips.ts'
import { graphemes } from '../../text/lines/width.ts'
import type { Clipboard } from '../context/clipboard.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from './composing.ts'
import { loadedVim, loadVim } from './vim-machine.ts'

export type VimEditingParts = {
  context: AppContext
  composing: Pick<Composing, 'edit'>
  clipboard: Clipboard
  browse: (direction: 'up' | 'down') => void
  /** Sets a setting, as `/settings` does. */
  setSetting: (words: string) => void
}

export class VimEditing {
  readonly #parts: VimEditingParts
  /** The keys that wait for the clipboard; null while it is not being read. */
  #waiting: (() => void)[] | null = null
  /** The editor after the last change by vim. */
  #lastEditor: Editor

  constructor(parts: VimEditingParts) {
    this.#parts = parts
    const { state, settings } = this.#parts.context
    this.#lastEditor = state().editor
    settings.subscribe((now, before) => {
      if (now.editor !== before.editor) this.#follow()
    })
    this.#follow()
  }

  /** Takes a key; false if vim has no such key. */
  press(key: string): boolean {
    return this.#pressed(key)
  }

  /** Takes typed text; false if it is to be inserted. */
  type(text: string): boolean {
    const { state } = this.#parts.context
    if (!loadedVim() || !state().vim || this.#isIn('insert')) return false
    if (this.#isIn('replace')) return this.#typedOver(text)
    const characters = Array.from(graphemes(text))
    for (const [index, character] of characters.entries()) {
      // An earlier key may have begun an insertion, or may wait for the clipboard.
      const rest = characters.slice(index).join('')
      if (this.#waiting) return this.#waiting.push(() => this.#typedLater(rest)) > 0
      if (this.#isIn('insert', 'replace')) {
        this.#typedLater(rest)
        return true
      }
      this.#pressed(character)
    }
    return true
  }

  /** Puts the caret where a paste goes; true if the paste became part of a search. */
  takesPaste(text: string): boolean {
    const { state } = this.#parts.context
    const { editor, vim } = state()
    const machine = loadedVim()
    if (!machine || !vim) return false
    const { isTaken, ...next } = machine.readyForPaste(editor, vim, normalisePaste(text))
    this.#show(next)
    return isTaken
  }

  /** Called when something else may have changed the draft. */
  settle(): void {
    const { state, dispatch } = this.#parts.context
    const { editor, vim } = state()
    const machine = loadedVim()
    if (!machine || !vim || editor === this.#lastEditor) return
    const next = machine.settleVim(editor, vim)
    this.#lastEditor = next.editor
    if (next.editor !== editor || next.vim !== vim) dispatch({ type: 'vim_changed', ...next })
  }

  /** True if Esc goes back to normal mode. */
  isTyping(): boolean {
    const { state } = this.#parts.context
    return loadedVim() !== null && state().vim !== null && !this.#isIn('normal')
  }

  /** True while the clipboard is being read: later keys wait. */
  isReading(): boolean {
    return this.#waiting !== null
  }

  /** Runs something after that. */
  later(run: () => void): void {
    this.#waiting?.push(run)
  }

  /** `/vim` switches vim's keys on or off. */
  toggle(): void {
    const { setSetting } = this.#parts
    const { settings } = this.#parts.context
    setSetting(`editor ${settings.values().editor === 'vim' ? 'default' : 'vim'}`)
  }

  /** Switches vim's keys on or off as the setting says. */
  #follow(): void {
    const { state, dispatch, settings } = this.#parts.context
    const isEnabled = (): boolean => settings.values().editor === 'vim' && !state().startup.isReplay
    if (!isEnabled()) return state().vim ? dispatch({ type: 'vim_changed', vim: null }) : undefined
    const begin = (): void => {
      if (isEnabled() && !state().vim) dispatch({ type: 'vim_changed', vim: newVim() })
    }
    if (loadedVim()) begin()
    else void loadVim().then(begin)
  }

  #isIn(...modes: VimMode[]): boolean {
    const { state } = this.#parts.context
    const { vim } = state()
    return vim !== null && modes.includes(vim.mode)
  }

  #show(next: { editor: Editor; vim: Vim }): void {
    const { dispatch } = this.#parts.context
    this.#lastEditor = next.editor
    dispatch({ type: 'vim_edited', editor: next.editor, vim: next.vim })
  }

  /** `text` is the clipboard's, once it has been read; null if it has none. */
  #pressed(key: string, text?: string | null): boolean {
    const { state, composerWidth } = this.#parts.context
    const { editor, vim, chips } = state()
    const machine = loadedVim()
    if (!machine || !vim) return false
    if (this.#browses(key)) return true
    const context = { width: composerWidth(), ...(text !== undefined && { clipboard: text }) }
    const answer = machine.pressVim(editor, vim, key, context)
    if (answer.kind === 'needs-clipboard') {
      void this.#readThenPress(key)
      return true
    }
    if (answer.kind === 'not-mine') {
      if (vim.pending.length > 0) this.#show({ editor, vim: { ...vim, pending: [] } })
      return false
    }
    this.#show(answer.state)
    if (answer.copied !== null) void this.#copy(expand(answer.copied, chips).text)
    return true
  }

  /** On the first line k goes to an earlier prompt, and on the last line j to a later one. */
  #browses(key: string): boolean {
    const { browse } = this.#parts
    const { state } = this.#parts.context
    const { editor, vim } = state()
    if (!this.#isIn('normal') || !vim || vim.pending.length > 0) return false
    const isFirst = key === 'k' && lineStart(editor.text, editor.caret) === 0
    const isLast = key === 'j' && lineEnd(editor.text, editor.caret) === editor.text.length
    if (!isFirst && !isLast) return false
    browse(isFirst ? 'up' : 'down')
    this.settle()
    return true
  }

  #typedLater(text: string): void {
    const { composing } = this.#parts
    if (!this.type(text)) composing.edit({ kind: 'insert', text })
  }

  #typedOver(text: string): boolean {
    const { state } = this.#parts.context
    const { editor, vim } = state()
    const next = vim && loadedVim()?.typeVim(editor, vim, normalisePaste(text))
    if (next) this.#show(next)
    return Boolean(next)
  }

  async #readThenPress(key: string): Promise<void> {
    const later: (() => void)[] = []
    this.#waiting = later
    const text = await this.#clipboardText()
    this.#waiting = null
    this.#pressed(key, text)
    for (const run of later) run()
  }

  /** Null without a clipboard: then the register has the last text that was yanked into it. */
  async #clipboardText(): Promise<string | null> {
    const { hint, keyed, host } = this.#parts.context
    if (!host) return null
    const content = await readClipboard(host)
    if (content.kind === 'text') return content.text
    const image = `The clipboard has an image${keyed(': {composer.paste} attaches it')}.`
    hint(content.kind === 'image' ? image : content.reason)
    return null
  }

  async #copy(text: string): Promise<void> {
    const { clipboard } = this.#parts
    const { hint } = this.#parts.context
    hint(await clipboard.copy(text, 'the text'))
  }
}
