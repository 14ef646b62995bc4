/** The keys of /usage. */
import { key, type PageKeys } from '../page-keys.ts'
import type { UsageMove, UsageWork } from './state.ts'

export const usageKeys: PageKeys<UsageMove | UsageWork> = {
  context: 'usage',
  heading: 'In /usage',
  rows: [
    key(['tab', 'right', 'l'], 'next_measure', 'tokens, cost, time or waiting'),
    key(['shift+tab', 'left', 'h'], 'previous_measure', 'the same, backwards'),
    key([']', 'n'], 'next_grouping', 'by day, model, agent or folder'),
    key(['[', 'p'], 'previous_grouping', 'the same, backwards'),
    key(['+', '='], 'longer', 'a longer time: 7, 30 or 90 days, or all'),
    key(['-'], 'shorter', 'a shorter time'),
    key(['up', 'k', 'ctrl+p'], 'up', 'the row above, whose exact numbers are shown'),
    key(['down', 'j', 'ctrl+n'], 'down', 'the row below'),
    key(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up'),
    key(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
    key(['u', 'ctrl+u'], 'half_up', 'half a page up'),
    key(['d', 'ctrl+d'], 'half_down', 'half a page down'),
    key(['home', 'g'], 'top', 'the beginning'),
    key(['end', 'G'], 'bottom', 'the end'),
    key(['enter', 'space'], 'open', 'only what the row stands for: the models of a day, the days of a model'),
    key(['backspace'], 'back', 'all again'),
    key(['c', 'y'], 'copy', 'copy the rows as CSV'),
    key(['C'], 'save_csv', 'save the rows as CSV'),
    key(['J'], 'save_json', 'save the sums as JSON'),
    key(['H'], 'save_html', 'save a page with plots for a browser'),
    key(['r'], 'reload', 'read the records again'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close'),
  ],
}
