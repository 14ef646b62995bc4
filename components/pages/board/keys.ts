/** The keys of the board. Those of the list of conversations do the same here. */
import { key, type PageKeys } from '../page-keys.ts'
import type { BoardMove, BoardWork } from './state.ts'

export const boardKeys: PageKeys<BoardMove | BoardWork> = {
  context: 'board',
  heading: 'On the board',
  rows: [
    key(['enter'], 'open', 'go to the conversation, also on another machine'),
    key(['y'], 'yes', 'allow once what is asked, after its end was on the screen'),
    key(['n'], 'no', 'refuse it'),
    key(['w'], 'words', 'refuse it with words for the agent'),
    key(['up', 'k', 'ctrl+p'], 'up', 'the row above'),
    key(['down', 'j', 'ctrl+n'], 'down', 'the row below'),
    key(['pagedown', 'space', 'ctrl+f'], 'question_down', 'more of the question'),
    key(['pageup', 'ctrl+b'], 'question_up', 'the question a page up'),
    key(['ctrl+d'], 'half_down', 'half a page of rows down'),
    key(['ctrl+u'], 'half_up', 'half a page of rows up'),
    key(['home', 'g'], 'top', 'the first row'),
    key(['end', 'G'], 'bottom', 'the last row'),
    key(['f', '/'], 'filter', 'only rows with these words'),
    key(['s'], 'stop', 'stop its turn'),
    key(['b'], 'background', 'move it to the background'),
    key(['e'], 'end', 'end it; its session can be resumed'),
    key(['a'], 'archive', 'end it, and take its session out of the lists'),
    key(['r'], 'rename', 'rename it'),
    key(['d'], 'diff', 'what it has changed'),
    key(['m'], 'merge', 'merge its worktree'),
    key(['t'], 'transcript', 'read its session'),
    key(['h'], 'hosts', 'the machines, and what is wrong with them'),
    key(['ctrl+a'], 'back', 'back to the list of conversations'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close'),
  ],
}

/** The keys of the text field. Those of the composer that edit do so there, too. */
export const boardFieldKeys: PageKeys<BoardMove | BoardWork> = {
  context: 'board_field',
  heading: 'In a text field of the board',
  areOfField: true,
  rows: [
    key(['enter'], 'field_done', 'filter, rename, or refuse with these words'),
    key(['escape', 'ctrl+c'], 'field_close', 'close the text field'),
  ],
}
