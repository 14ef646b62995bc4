/** The keys of /diff. */
import type { Binding } from '../binding.ts'
import type { DiffMove, DiffWork } from './diff-screen.ts'

export const diffKeys: readonly Binding[] = [
  bind(['up', 'k', 'ctrl+p'], 'up', 'a line up, or the previous file'),
  bind(['down', 'j', 'ctrl+n'], 'down', 'a line down, or the next file'),
  bind(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up'),
  bind(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
  bind(['u', 'ctrl+u'], 'half_up', 'half a page up'),
  bind(['d', 'ctrl+d'], 'half_down', 'half a page down'),
  bind(['home', 'g'], 'top', 'the beginning'),
  bind(['end', 'G'], 'bottom', 'the end'),
  bind(['enter', 'right', 'l', 'space'], 'show', 'show what changed in the file'),
  bind(['left', 'h', 'backspace'], 'list', 'the list of files'),
  bind(['n', '}'], 'next_hunk', 'the next change; after the last one, the next file'),
  bind(['p', 'N', '{'], 'previous_hunk', 'the previous change'),
  bind(['tab', ']'], 'next_file', 'the next file'),
  bind(['shift+tab', '['], 'previous_file', 'the previous file'),
  bind(['s'], 'layout', 'side by side, or one below the other'),
  bind(['w'], 'wrap', 'break long lines, or cut them'),
  bind(['e', 'v'], 'edit', 'open the file at this line in $VISUAL or $EDITOR'),
  bind(['c', 'y'], 'copy', "copy the file's diff"),
  bind(['r'], 'reload', 'check for changes again'),
  bind(['?'], 'help', 'these keys'),
  bind(['q', 'escape', 'ctrl+c'], 'leave', 'close'),
]

function bind(keys: readonly string[], how: DiffMove | DiffWork, help: string): Binding {
  return { keys, context: 'diff', action: { do: 'diff', how }, help }
}
