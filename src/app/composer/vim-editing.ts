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

export type VimEditing = {
  /** Takes a key; false if vim has no such key. */
  press: (key: string) => boolean
  /** Takes typed text; false if it is to be inserted. */
  type: (text: string) => boolean
  /** Puts the caret where a paste goes; true if the paste became part of a search. */
  takesPaste: (text: string) => boolean
  /** Called when something else may have changed the draft. */
  settle: () => void
  /** True if Esc goes back to normal mode. */
  isTyping: () => boolean
  /** True while the clipboard is being read: later keys wait. */
  isReading: () => boolean
  /** Runs something after that. */
  later: (run: () => void) => void
  /** `/vim` switches vim's keys on or off. */
  toggle: () => void
}

export type VimEditingParts = {
  context: AppContext
  composing: Pick<Composing, 'edit'>
  clipboard: Clipboard
  browse: (direction: 'up' | 'down') => void
  /** Sets a setting, as `/settings` does. */
  setSetting: (words: string) => void
}

export function createVimEditing(parts: VimEditingParts): VimEditing {
  const { context, composing, clipboard, browse, setSetting } = parts
  const { state, dispatch, settings, hint, keyed, host, composerWidth } = context
  /** The keys that wait for the clipboard; null while it is not being read. */
  let waiting: (() => void)[] | null = null
  /** The editor after the last change by vim. */
  let left = state().editor
  settings.subscribe((now, before) => {
    if (now.editor !== before.editor) follow()
  })
  follow()

  return {
    press: key => pressed(key),
    type: typed,
    takesPaste(text) {
      const { editor, vim } = state()
      const machine = loadedVim()
      if (!machine || !vim) return false
      const { isTaken, ...next } = machine.readyForPaste(editor, vim, normalisePaste(text))
      show(next)
      return isTaken
    },
    settle,
    isTyping: () => loadedVim() !== null && state().vim !== null && !isIn('normal'),
    isReading: () => waiting !== null,
    later: run => void waiting?.push(run),
    toggle: () => setSetting(`editor ${settings.values().editor === 'vim' ? 'default' : 'vim'}`),
  }

  function settle(): void {
    const { editor, vim } = state()
    const machine = loadedVim()
    if (!machine || !vim || editor === left) return
    const next = machine.settleVim(editor, vim)
    left = next.editor
    if (next.editor !== editor || next.vim !== vim) dispatch({ type: 'vim_changed', ...next })
  }

  /** Switches vim's keys on or off as the setting says. */
  function follow(): void {
    const isEnabled = (): boolean => settings.values().editor === 'vim' && !state().startup.isReplay
    if (!isEnabled()) return state().vim ? dispatch({ type: 'vim_changed', vim: null }) : undefined
    const begin = (): void => {
      if (isEnabled() && !state().vim) dispatch({ type: 'vim_changed', vim: newVim() })
    }
    if (loadedVim()) begin()
    else void loadVim().then(begin)
  }

  function isIn(...modes: VimMode[]): boolean {
    const { vim } = state()
    return vim !== null && modes.includes(vim.mode)
  }

  function show(next: { editor: Editor; vim: Vim }): void {
    left = next.editor
    dispatch({ type: 'vim_edited', editor: next.editor, vim: next.vim })
  }

  /** `text` is the clipboard's, once it has been read; null if it has none. */
  function pressed(key: string, text?: string | null): boolean {
    const { editor, vim, chips } = state()
    const machine = loadedVim()
    if (!machine || !vim) return false
    if (browses(key)) return true
    const context = { width: composerWidth(), ...(text !== undefined && { clipboard: text }) }
    const answer = machine.pressVim(editor, vim, key, context)
    if (answer.kind === 'needs-clipboard') {
      void readThenPress(key)
      return true
    }
    if (answer.kind === 'not-mine') {
      if (vim.pending.length > 0) show({ editor, vim: { ...vim, pending: [] } })
      return false
    }
    show(answer.state)
    if (answer.copied !== null) void copy(expand(answer.copied, chips).text)
    return true
  }

  /** On the first line k goes to an earlier prompt, and on the last line j to a later one. */
  function browses(key: string): boolean {
    const { editor, vim } = state()
    if (!isIn('normal') || !vim || vim.pending.length > 0) return false
    const isFirst = key === 'k' && lineStart(editor.text, editor.caret) === 0
    const isLast = key === 'j' && lineEnd(editor.text, editor.caret) === editor.text.length
    if (!isFirst && !isLast) return false
    browse(isFirst ? 'up' : 'down')
    settle()
    return true
  }

  function typed(text: string): boolean {
    if (!loadedVim() || !state().vim || isIn('insert')) return false
    if (isIn('replace')) return typedOver(text)
    const characters = Array.from(graphemes(text))
    for (const [index, character] of characters.entries()) {
      // An earlier key may have begun an insertion, or may wait for the clipboard.
      const rest = characters.slice(index).join('')
      if (waiting) return waiting.push(() => typedLater(rest)) > 0
      if (isIn('insert', 'replace')) {
        typedLater(rest)
        return true
      }
      pressed(character)
    }
    return true
  }

  function typedLater(text: string): void {
    if (!typed(text)) composing.edit({ kind: 'insert', text })
  }

  function typedOver(text: string): boolean {
    const { editor, vim } = state()
    const next = vim && loadedVim()?.typeVim(editor, vim, normalisePaste(text))
    if (next) show(next)
    return Boolean(next)
  }

  async function readThenPress(key: string): Promise<void> {
    const later: (() => void)[] = []
    waiting = later
    const text = await clipboardText()
    waiting = null
    pressed(key, text)
    for (const run of later) run()
  }

  /** Null without a clipboard: then the register has the last text that was yanked into it. */
  async function clipboardText(): Promise<string | null> {
    if (!host) return null
    const content = await readClipboard(host)
    if (content.kind === 'text') return content.text
    const image = `The clipboard has an image${keyed(': {composer.paste} attaches it')}.`
    hint(content.kind === 'image' ? image : content.reason)
    return null
  }

  async function copy(text: string): Promise<void> {
    hint(await clipboard.copy(text, 'the text'))
  }
}
