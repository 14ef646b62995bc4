/** The keys of /diff. */
import { key, knownKey, type PageKeys } from '../page-keys.ts'
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
    key(['enter', 'space'], 'show', 'show what changed in the file; open or close a folder'),
    key(['right', 'l'], 'into', 'show the file, or open the folder'),
    key(['left', 'h'], 'list', 'the list of files; in its tree, close the folder'),
    key(['n'], 'next', 'the next change; after the last one, the next file; in a search, the next match'),
    key(['N'], 'previous', 'the previous change, or the previous match'),
    key(['}'], 'next_hunk', 'the next change, also in a search'),
    key(['p', '{'], 'previous_hunk', 'the previous change, also in a search'),
    key(['tab', ']'], 'next_file', 'the next file'),
    key(['shift+tab', '['], 'previous_file', 'the previous file'),
    key(['i'], 'comment', 'write a comment on the line, the range, the hunk or the file; on a comment: change it'),
    key([')'], 'next_comment', 'the next comment, over all files'),
    key(['('], 'previous_comment', 'the previous comment'),
    key(['S'], 'send', 'put all open comments into the prompt'),
    key(
      ['a'],
      'seen',
      'mark the file as read and go on to the next one that is not; of a read one, take the mark away',
    ),
    key(['t'], 'tree', 'the list as a tree of folders, or again as a list'),
    key(['/'], 'search', 'search the paths and lines of all files'),
    key(['V'], 'range', 'begin a range of lines, or end it'),
    key(['shift+up'], 'select_up', 'a line up, in a range'),
    key(['shift+down'], 'select_down', 'a line down, in a range'),
    key(['s'], 'layout', 'side by side, or one below the other'),
    key(['w'], 'wrap', 'break long lines, or cut them'),
    key(['e', 'v'], 'edit', 'open the file at this line in $VISUAL or $EDITOR'),
    key(['c', 'y'], 'copy', "copy the file's diff"),
    key(
      ['x'],
      'revert',
      'revert the change, or the lines of the range; in the list the whole file; on a comment: delete it',
    ),
    key(['X'], 'revert_line', 'revert only this line'),
    key(
      ['+'],
      'stage',
      'stage the change, the range or the file for a commit, with git; of a worktree: take it into your folder; on what a review found: keep it',
    ),
    key(['-'], 'unstage', 'take it out of what is staged'),
    key(['z'], 'undo', 'undo what was done here last'),
    key(['r'], 'reload', 'check for changes again'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close'),
    knownKey(['backspace', 'ctrl+h'], 'erase', 'delete a character of the search'),
  ],
}

/** The keys of the text field of a comment. Those of the composer that edit do so there, too. */
export const commentKeys: PageKeys<DiffMove | DiffWork> = {
  context: 'comment',
  heading: 'In a comment',
  areOfField: true,
  rows: [
    key(['enter'], 'keep', 'keep the comment'),
    key(['escape', 'ctrl+c'], 'close', 'close the text field; its words stay as they are'),
    key(['ctrl+g'], 'edit_outside', 'write it in $VISUAL or $EDITOR'),
    knownKey(['up'], 'row_up', 'a row up'),
    knownKey(['down'], 'row_down', 'a row down'),
    knownKey(['ctrl+d'], 'delete_right', 'delete a character forward'),
  ],
}
