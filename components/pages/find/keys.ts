/** The keys of /find. Letters go into its text field. */
import { key, knownKey, type PageKeys } from '../page-keys.ts'
import type { FindMove, FindWork } from './state.ts'

export const findKeys: PageKeys<FindMove | FindWork> = {
  context: 'find',
  heading: 'In /find',
  rows: [
    key(['up', 'ctrl+p'], 'up', 'the passage above'),
    key(['down', 'ctrl+n'], 'down', 'the passage below'),
    key(['pageup'], 'page_up', 'a page up'),
    key(['pagedown'], 'page_down', 'a page down'),
    key(['enter'], 'open', 'show the place in its session; closing that comes back'),
    key(['alt+enter'], 'go_on', 'resume the session, or fork it after that turn'),
    key(['ctrl+y'], 'quote', 'take the passage into the draft'),
    key(['tab'], 'next_kind', 'only prompts, answers, commands, results, diffs or file names'),
    key(['shift+tab'], 'previous_kind', 'the kind before that'),
    key(['ctrl+a'], 'here', 'this folder, or all'),
    key(['escape', 'ctrl+c'], 'leave', 'close'),
    knownKey(['ctrl+home'], 'top', 'the first passage'),
    knownKey(['ctrl+end'], 'bottom', 'the last passage'),
    knownKey(['backspace', 'ctrl+h', 'shift+backspace'], 'erase', 'delete the previous character'),
    knownKey(['delete', 'ctrl+d'], 'erase_right', 'delete the next character'),
    knownKey(['ctrl+w', 'alt+backspace', 'ctrl+backspace'], 'erase_word', 'delete a word of the query'),
    knownKey(['ctrl+u'], 'erase_line', 'delete to the beginning'),
    knownKey(['ctrl+k'], 'erase_rest', 'delete to the end'),
    knownKey(['left', 'ctrl+b'], 'left', 'a character back'),
    knownKey(['right', 'ctrl+f'], 'right', 'a character forward'),
    knownKey(['alt+b', 'ctrl+left', 'alt+left'], 'word_left', 'a word of the query back'),
    knownKey(['alt+f', 'ctrl+right', 'alt+right'], 'word_right', 'a word of the query forward'),
    knownKey(['home'], 'line_start', 'the beginning of the text'),
    knownKey(['end', 'ctrl+e'], 'line_end', 'the end of the text'),
    knownKey(['ctrl+_', 'ctrl+-', 'ctrl+/'], 'undo', 'undo a change of the query'),
    knownKey(['alt+_'], 'redo', 'redo a change of the query'),
  ],
}
