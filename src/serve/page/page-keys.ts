/** The keys of the page. None acts while somebody types, and a yes or a no only in an opened question. */
import type { ConversationList } from './conversation-list.ts'
import type { ConversationView } from './conversation-view.ts'

export type PageKeyParts = {
  list: ConversationList
  view: ConversationView
  isOpen: () => boolean
  toList: () => void
  openNext: (by: number) => void
  menu: () => void
}

/** As the dialog of the device lists them. */
export const keyHelp: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next and previous conversation'],
  ['Enter', 'open a conversation, or review its question'],
  ['y n', 'allow or refuse, in an opened question'],
  ['i', 'write to the agent'],
  ['Home End', 'the beginning and the end of the transcript'],
  ['Esc', 'close, or back to the list'],
  ['?', 'this list'],
]

export function listenToKeys(parts: PageKeyParts): void {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (document.querySelector('dialog[open]')) return
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
    if (event.key === 'Escape') escape(parts, event, isTyping)
    else if (!isTyping && act(parts, event)) event.preventDefault()
  })
}

function escape({ view, isOpen, toList }: PageKeyParts, event: KeyboardEvent, isTyping: boolean): void {
  if (isTyping && event.target instanceof HTMLElement) event.target.blur()
  else if (view.question.isOpen) view.question.setOpen(false)
  else if (isOpen()) toList()
  else return
  event.preventDefault()
}

/** True if the key meant something. */
function act(parts: PageKeyParts, event: KeyboardEvent): boolean {
  const { list, view, isOpen, openNext, menu } = parts
  const isOnControl = event.target instanceof Element && event.target.closest('a, button, summary') !== null
  switch (event.key) {
    case 'j':
    case 'k': {
      const by = event.key === 'j' ? 1 : -1
      if (!isOpen()) return list.move(by)
      openNext(by)
      return true
    }
    case 'Enter':
      if (isOnControl || !isOpen() || view.question.isOpen) return false
      view.question.setOpen(true)
      return true
    case 'y':
    case 'n':
      view.question.press(event.key === 'y')
      return true
    case 'i':
      if (isOpen()) view.composer.focus()
      return isOpen()
    case 'End':
      if (isOpen() && !view.question.isOpen) view.transcript.toEnd()
      return isOpen() && !view.question.isOpen
    case 'Home':
      if (isOpen() && !view.question.isOpen) void view.transcript.toBeginning()
      return isOpen() && !view.question.isOpen
    case '?':
      menu()
      return true
    default:
      return false
  }
}
