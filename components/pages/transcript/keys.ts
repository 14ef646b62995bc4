/** The keys of the transcript, which `keys.json` calls the viewer. */
import { key, knownKey, type PageKeys } from '../page-keys.ts'
import type { TranscriptMove, TranscriptWork } from './state.ts'

export const transcriptKeys: PageKeys<TranscriptMove | TranscriptWork> = {
  context: 'viewer',
  heading: 'In the viewer',
  rows: [
    key(['up', 'k', 'ctrl+p'], 'up', 'a line up'),
    key(['down', 'j', 'ctrl+n'], 'down', 'a line down'),
    key(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up'),
    key(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
    key(['u', 'ctrl+u'], 'half_up', 'half a page up'),
    key(['d', 'ctrl+d'], 'half_down', 'half a page down'),
    key(['home', 'g'], 'top', 'the beginning'),
    key(['end', 'G', 'F'], 'bottom', 'the end, and follow what comes'),
    key(['tab', 'right', 'l'], 'next_block', 'choose the next block'),
    key(['shift+tab', 'left', 'h'], 'previous_block', 'choose the previous block'),
    key(['}'], 'next_prompt', 'the next prompt'),
    key(['{'], 'previous_prompt', 'the previous prompt'),
    key(['enter', 'space'], 'toggle', 'open or close the block'),
    key(['o'], 'toggle_all', 'open all; press again to close them'),
    key(['/'], 'search', 'search, also in closed blocks'),
    key(['n'], 'next_match', 'the next match'),
    key(['N'], 'previous_match', 'the previous match'),
    key(['t'], 'turns', 'the list of turns, with the headings of the answers'),
    key(['c', 'y'], 'copy', 'copy the block, exactly as it was written'),
    key(['C'], 'copy_answer', 'copy the whole answer'),
    key(['alt+r', 'r'], 'raw', 'raw mode: show text as written'),
    key(['['], 'dump', "print all as plain text into the terminal's scrollback"),
    key(['v'], 'edit', 'open all in $VISUAL or $EDITOR'),
    key(['e'], 'edit_file', 'open the file that the block is about, or else the block'),
    key(['x'], 'export', 'export the conversation'),
    key(['?'], 'help', 'these keys'),
    key(['escape', 'ctrl+c'], 'leave', 'end the search, then close'),
    key(['q', 'ctrl+o'], 'close', 'close'),
    knownKey(['backspace', 'ctrl+h'], 'erase', 'delete a character of the search'),
  ],
}
