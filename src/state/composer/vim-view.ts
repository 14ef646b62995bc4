/** The vim editor as the screen shows it. */
import { newVim, type Vim, type VimMode } from '../../composer/vim/vim.ts'

/** The state of the first frame. */
export const firstVim = (isOn: boolean): Vim | null => (isOn ? newVim() : null)

/** The mode in a word. */
export const vimWords: Readonly<Record<VimMode, string>> = {
  normal: 'NORMAL',
  insert: 'INSERT',
  visual: 'VISUAL',
  'visual-line': 'VISUAL LINE',
  replace: 'REPLACE',
}

/** The mode, and the keys of an incomplete command. */
export function vimStatus({ mode, pending }: Vim): string {
  return [vimWords[mode], pending.join('')].filter(part => part !== '').join(' ')
}
