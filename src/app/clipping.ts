/** What is selected in the composer, on its way to the clipboard. */
import { selectedText } from '../composer/editor.ts'
import { writeClipboard } from '../images/clipboard-write.ts'
import { expand } from './chips.ts'
import type { Composing } from './composing.ts'
import type { Context } from './context.ts'

export type Clipping = {
  copy: () => void
  cut: () => void
}

/** It is on the kill ring in any case: where no clipboard can be reached, Ctrl+Y has it. */
export function createClipping({ desk, state, hint }: Context, composing: Pick<Composing, 'edit'>): Clipping {
  return {
    copy: () => clip('copySelection', 'Copied'),
    cut: () => clip('killSelection', 'Cut'),
  }

  function clip(kind: 'copySelection' | 'killSelection', done: string): void {
    const { editor, chips } = state()
    const text = expand(selectedText(editor), chips).text
    if (text === '') return hint('Nothing is selected: Shift with an arrow key selects.')
    composing.edit({ kind })
    if (desk) void toClipboard(text, done, desk)
    else hint(`${done}; Ctrl+Y puts it back.`)
  }

  async function toClipboard(
    text: string,
    done: string,
    { env, platform }: NonNullable<Context['desk']>,
  ): Promise<void> {
    const written = await writeClipboard(text, env, platform)
    hint(written.ok ? `${done}.` : `${done} for Ctrl+Y only. ${written.reason}`)
  }
}
