/** The keys of /serve. */
import { key, type PageKeys } from '../page-keys.ts'
import type { ServeMove, ServeWork } from './state.ts'

export const serveKeys: PageKeys<ServeMove | ServeWork> = {
  context: 'serve',
  heading: 'In /serve',
  rows: [
    key(['y'], 'yes', 'yes, to what is asked: the number is the same'),
    key(['n'], 'no', 'no'),
    key(['p'], 'link', 'a new link for a device; the former one is void'),
    key(['tab'], 'next_role', 'a link for a device that may look, answer, or also send prompts'),
    key(['up', 'k', 'ctrl+p'], 'up', 'the row above'),
    key(['down', 'j', 'ctrl+n'], 'down', 'the row below'),
    key(['pageup', 'b', 'ctrl+b'], 'page_up', 'a page up'),
    key(['pagedown', 'f', 'ctrl+f'], 'page_down', 'a page down'),
    key(['home', 'g'], 'top', 'the beginning'),
    key(['end', 'G'], 'bottom', 'the end'),
    key(['r'], 'change_role', 'what the selected device may do: look, answer, or also send prompts'),
    key(['x', 'delete'], 'remove', 'forget the selected device, or end the selected share'),
    key(['c', 'ctrl+y'], 'copy', 'copy the selected command or link; otherwise the link for a device'),
    key(['o'], 'off', 'end the server'),
    key(['s'], 'start', 'start the server again'),
    key(['?'], 'help', 'these keys'),
    key(['q', 'escape', 'ctrl+c'], 'leave', 'close; the server goes on'),
  ],
}
