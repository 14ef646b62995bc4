/** The keys of the page of a race. */
import { key, type PageKeys } from '../page-keys.ts'
import type { RaceMove, RaceWork } from './state.ts'

export const raceKeys: PageKeys<RaceMove | RaceWork> = {
  context: 'race',
  heading: 'In /race',
  rows: [
    key(['up', 'k', 'ctrl+p'], 'up', 'the one above'),
    key(['down', 'j', 'ctrl+n'], 'down', 'the one below'),
    key(['enter'], 'open', 'go to its conversation while it runs; then its transcript'),
    key(['d', 'h'], 'diff', 'what it changed; + there takes a change, or lines of it, into your folder'),
    key(['p'], 'pick', 'take all of its work into your folder: a preview and a question first'),
    key(['x'], 'discard', 'remove the worktrees of the others; asks first'),
    key(['s'], 'stop', 'stop its turn, or its check; one that waits does not begin'),
    key(['c'], 'check', 'run the check of this one again'),
    key(['g'], 'go', 'begin those that wait, after zotui was ended'),
    key(['r'], 'reload', 'look at all again'),
    key(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up in what stands below the list'),
    key(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
    key(['u', 'ctrl+u'], 'half_up', 'half a page up'),
    key(['ctrl+d'], 'half_down', 'half a page down'),
    key(['home'], 'top', 'the beginning'),
    key(['end', 'G'], 'bottom', 'the end'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close; the race goes on'),
  ],
}
