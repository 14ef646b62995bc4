/** The list of the conversations of this zotui: goes to one, answers its call, renames, stops or ends it. */
import type { ConversationRow, WaitingCall } from '../../state/conversations.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/width.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'

export type ConversationList = {
  open: () => void
  /** Goes to the selected one. */
  take: () => void
  /** Goes to the one that was shown before this one. */
  former: () => void
  /** A digit goes to a conversation; a letter does something with the selected one. */
  type: (text: string) => void
  rename: () => void
  end: () => void
}

/** Columns of the list that a call does not have. */
const BESIDE_CALL = 12

/** Null where there is only one conversation. */
export function createConversationList(context: AppContext, choicePrompt: ChoicePrompt): ConversationList | null {
  const { conversations, state, dispatch, hint, keyed } = context
  if (!conversations) return null
  const letters: Readonly<Record<string, () => void>> = {
    y: () => answer(true),
    n: () => answer(false),
    r: rename,
    s: stop,
    e: end,
  }
  return {
    open,
    take: () => go(selected()?.number ?? 0),
    former() {
      close()
      if (!conversations.showFormer()) hint('There is no conversation before this one.')
    },
    type(text) {
      if (/^[1-9]$/.test(text)) go(Number(text))
      else letters[text]?.()
    },
    rename,
    end,
  }

  function open(): void {
    dispatch({ type: 'picker_changed', picker: { kind: 'conversations', filter: '', selected: 0, rows: [] } })
    conversations?.follow()
    const { picker } = state()
    if (picker?.kind !== 'conversations') return
    // The first row that waits for an answer, or else the next one.
    const shown = picker.rows.findIndex(({ isShown }) => isShown)
    const asks = picker.rows.findIndex(row => row.state === 'asks' && !row.isShown)
    dispatch({ type: 'picker_changed', picker: { ...picker, selected: Math.max(0, asks < 0 ? shown : asks) } })
  }

  function selected(): ConversationRow | undefined {
    const { picker } = state()
    return picker?.kind === 'conversations' ? picker.rows[picker.selected] : undefined
  }

  function close(): void {
    dispatch({ type: 'picker_changed', picker: null })
  }

  function go(number: number): void {
    if (!state().conversations[number - 1]) return hint(`There is no conversation ${number}.`)
    close()
    conversations?.show(number)
  }

  function answer(isAllowed: boolean): void {
    const row = selected()
    if (!row?.call) return hint('This conversation asks nothing that y or n answers.')
    if (isAllowed && !isSeen(row.call))
      return hint(`Not all of this call is shown here${keyed(': {picker.take} goes there')}.`)
    const isAnswered = conversations?.answer(row.number, row.call.id, isAllowed) ?? false
    const said = isAllowed ? 'Allowed once' : 'Refused'
    hint(isAnswered ? `${said}: ${row.call.subject}` : `Nothing was answered${keyed(': {picker.take} goes there')}.`)
    conversations?.follow()
  }

  /** Nothing is allowed that the list does not show exactly and in full. */
  function isSeen({ subject, isWhole }: WaitingCall): boolean {
    const room = context.composerWidth() - BESIDE_CALL
    return isWhole && oneLine(sanitize(subject)) === subject && displayWidth(subject) <= room
  }

  function stop(): void {
    const row = selected()
    if (!row) return
    conversations?.stop(row.number)
    hint(row.state === 'working' || row.state === 'asks' ? `Stopping ${nameOf(row)}.` : `${nameOf(row)} does not work.`)
  }

  function rename(): void {
    const row = selected()
    if (!row) return
    const run = (title: string): void => {
      conversations?.rename(row.number, title)
      open()
    }
    choicePrompt.ask({
      title: `name of conversation ${row.number}`,
      answers: [],
      filter: row.title,
      typed: { detail: 'is its name from now on', run },
    })
  }

  function end(): void {
    const row = selected()
    if (!row) return
    if (state().conversations.length < 2) return hint('This is the only conversation: /exit leaves zotui.')
    choicePrompt.ask({
      title: `end ${nameOf(row)}`,
      answers: [
        { label: 'keep it', detail: '', run: open },
        {
          label: 'end it',
          detail: row.state === 'working' ? 'its turn is stopped' : 'its agent is ended',
          run: () => void conversations?.end(row.number),
        },
      ],
    })
  }
}

function nameOf({ number, title }: ConversationRow): string {
  return title === '' ? `conversation ${number}` : `${number} ${title.slice(0, 40)}`
}
