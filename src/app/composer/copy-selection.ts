/** Copies or cuts the composer's selection to the clipboard. */
import { selectedText } from '../../composer/editor.ts'
import { expand } from '../../state/composer/chips.ts'
import type { Clipboard } from '../context/clipboard.ts'
import type { Composing } from './composing.ts'
import type { AppContext } from '../context/context.ts'

export type SelectionCopy = {
  copy: () => void
  cut: () => void
}

/** The kill ring gets it in any case, so `yank` works without a clipboard. */
export function createSelectionCopy(
  { host, state, hint, keyed }: AppContext,
  composing: Pick<Composing, 'edit'>,
  clipboard: Clipboard,
): SelectionCopy {
  return {
    copy: () => clip('copySelection', 'Copied'),
    cut: () => clip('killSelection', 'Cut'),
  }

  function clip(kind: 'copySelection' | 'killSelection', done: string): void {
    const { editor, chips } = state()
    const text = expand(selectedText(editor), chips).text
    if (text === '') return hint('Nothing is selected: Shift with an arrow key selects.')
    composing.edit({ kind })
    if (host) void toClipboard(text, done)
    else hint(`${done}${keyed('; {composer.yank} puts it back')}.`)
  }

  async function toClipboard(text: string, done: string): Promise<void> {
    hint(await clipboard.copy(text, 'the selection', done))
  }
}
