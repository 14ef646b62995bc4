/** The keys of /diff. */
import { key, type PageKeys } from '../page-keys.ts'
import type { DiffMove, DiffWork } from './state.ts'

export const diffKeys: PageKeys<DiffMove | DiffWork> = {
  context: 'diff',
  heading: 'In /diff',
  rows: [
    key(['up', 'k', 'ctrl+p'], 'up', 'a line up, or the previous file'),
    key(['down', 'j', 'ctrl+n'], 'down', 'a line down, or the next file'),
    key(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up'),
    key(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
    key(['u', 'ctrl+u'], 'half_up', 'half a page up'),
    key(['d', 'ctrl+d'], 'half_down', 'half a page down'),
    key(['home', 'g'], 'top', 'the beginning'),
    key(['end', 'G'], 'bottom', 'the end'),
    key(['enter', 'right', 'l', 'space'], 'show', 'show what changed in the file'),
    key(['left', 'h', 'backspace'], 'list', 'the list of files'),
    key(['n', '}'], 'next_hunk', 'the next change; after the last one, the next file'),
    key(['p', 'N', '{'], 'previous_hunk', 'the previous change'),
    key(['tab', ']'], 'next_file', 'the next file'),
    key(['shift+tab', '['], 'previous_file', 'the previous file'),
    key(['V'], 'range', 'begin a range of lines, or end it'),
    key(['shift+up'], 'select_up', 'a line up, in a range'),
    key(['shift+down'], 'select_down', 'a line down, in a range'),
    key(['s'], 'layout', 'side by side, or one below the other'),
    key(['w'], 'wrap', 'break long lines, or cut them'),
    key(['e', 'v'], 'edit', 'open the file at this line in $VISUAL or $EDITOR'),
    key(['c', 'y'], 'copy', "copy the file's diff"),
    key(['z'], 'undo', 'undo what was done here last'),
    key(['r'], 'reload', 'check for changes again'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close'),
  ],
}
