/** The list of the conversations of this zotui: goes to one, answers its call, renames, stops or ends it. */
import { isCallInFull, type ConversationRow, type WaitingCall } from '../../state/conversations/conversations.ts'
import { newsLineOf } from '../../state/conversations/news.ts'
import { sentence } from '../../text/sentence.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { lookup } from '../../text/lookup.ts'

export type ConversationList = {
  open: () => void
  /** Goes to the selected one. */
  take: () => void
  /** Goes to the one that was shown before this one. */
  former: () => void
  /** A digit goes to a conversation; a letter acts on the selected one. */
  type: (text: string) => void
  rename: () => void
  end: () => void
  /** Allows the call that the line about another conversation shows in full, or else goes to that conversation. */
  news: () => void
}

/** Milliseconds for which the line must have stayed the same: a key that was pressed for another one does nothing. */
const QUIET = 400
/** The columns of the screen beside the composer's text. */
const BESIDE_COMPOSER = 2

/** Null if there is only one conversation. */
export function createConversationList(context: AppContext, choicePrompt: ChoicePrompt): ConversationList | null {
  const { conversations, state, dispatch, hint, keyed } = context
  if (!conversations) return null
  const letters: Readonly<Record<string, () => void>> = {
    y: () => void answer(true),
    n: () => void answer(false),
    r: rename,
    s: stop,
    e: end,
    b: move,
  }
  return {
    open,
    take,
    former() {
      close()
      if (!conversations.showFormer()) hint('There is no previous conversation.')
    },
    type(text) {
      if (/^[1-9]$/.test(text)) go(Number(text))
      else lookup(letters, text)?.()
    },
    rename,
    end,
    news() {
      const size = { columns: context.composerWidth() + BESIDE_COMPOSER, rows: context.screenRows() }
      const line = newsLineOf(state(), size)
      if (!line) return hint('No other conversation has news.')
      const { row, does } = line
      if (does === 'opens' || !row.call) return goTo(row)
      if (context.elapsed() - state().newsChangedAt < QUIET) return hint('That line has just changed: press again.')
      void allow(row, row.call)
    },
  }

  async function allow(row: ConversationRow, call: WaitingCall): Promise<void> {
    const isAnswered = await answered(row, call.id, true)
    hint(isAnswered ? `Allowed once: ${call.subject}` : `Nothing was answered${keyed(': {composer.news} goes there')}.`)
    conversations?.follow()
  }

  /** Shows one of this zotui, attaches to one in the background, or resumes the session of one that has ended there. */
  function goTo(row: ConversationRow): void {
    if (row.backgroundId === undefined || row.number > 0) return go(row.number)
    void attachOrResume(row, row.backgroundId)
  }

  async function attachOrResume(row: ConversationRow, id: string): Promise<void> {
    if ((await conversations?.attach(id))?.ok) return conversations?.dropNews(id)
    const folder = row.path
    const reply = await conversations?.open({ prompt: null, isShown: true, resumes: id, ...(folder && { folder }) })
    if (reply?.ok) return conversations?.dropNews(id)
    hint(`${nameOf(row)} is not shown: ${reply?.message ?? 'it has ended'}`)
  }

  function open(): void {
    dispatch({ type: 'picker_changed', picker: { kind: 'conversations', filter: '', selected: 0, rows: [] } })
    conversations?.follow()
    const { picker } = state()
    if (picker?.kind !== 'conversations') return
    // Selects the first other conversation that asks something, or else the one that is shown.
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

  function take(): void {
    const row = selected()
    if (row?.backgroundId === undefined || row.number > 0) return go(row?.number ?? 0)
    close()
    void attach(row)
  }

  async function attach(row: ConversationRow): Promise<void> {
    const reply = await conversations?.attach(row.backgroundId ?? '')
    if (reply?.ok === false) hint(`${nameOf(row)} is not shown: ${reply.message}`)
  }

  async function answer(isAllowed: boolean): Promise<void> {
    const row = selected()
    if (!row?.call) return hint('This conversation asks nothing that y or n can answer.')
    if (isAllowed && !isCallInFull(row.call, context.composerWidth()))
      return hint(`Not all of this call is shown here${keyed(': {picker.take} goes there')}.`)
    const isAnswered = await answered(row, row.call.id, isAllowed)
    const said = isAllowed ? 'Allowed once' : 'Refused'
    hint(isAnswered ? `${said}: ${row.call.subject}` : `Nothing was answered${keyed(': {picker.take} goes there')}.`)
    conversations?.follow()
  }

  async function answered(
    { number, backgroundId = '' }: ConversationRow,
    call: string,
    isAllowed: boolean,
  ): Promise<boolean> {
    if (number > 0) return conversations?.answer(number, call, isAllowed) ?? false
    return (await conversations?.background?.answer(backgroundId, call, isAllowed)) ?? false
  }

  function stop(): void {
    const row = selected()
    if (!row) return
    if (row.number > 0) conversations?.stop(row.number)
    else void conversations?.background?.stop(row.backgroundId ?? '')
    hint(
      row.state === 'working' || row.state === 'asks' ? `Stopping ${nameOf(row)}.` : `${nameOf(row)} is not working.`,
    )
  }

  function rename(): void {
    const row = selected()
    if (!row) return
    const run = (title: string): void => {
      if (row.number > 0) conversations?.rename(row.number, title)
      if (row.backgroundId !== undefined) void conversations?.background?.rename(row.backgroundId, title)
      open()
    }
    choicePrompt.ask({
      title: `name of ${row.number > 0 ? `conversation ${row.number}` : nameOf(row)}`,
      answers: [],
      filter: row.title,
      typed: { detail: 'becomes its name', run },
    })
  }

  function end(): void {
    const row = selected()
    if (!row) return
    const { backgroundId, number, state: does } = row
    const isOnly = number > 0 && state().conversations.length < 2
    if (isOnly && backgroundId === undefined) return hint('This is the only conversation: /exit ends zotui.')
    const detail = does === 'working' ? 'its turn is stopped' : 'its agent is ended'
    const leave = { label: 'leave it', detail: 'it continues in the background', run: () => leaveTo(number) }
    choicePrompt.ask({
      title: `end ${nameOf(row)}`,
      answers: [
        { label: 'keep it', detail: '', run: open },
        ...(backgroundId === undefined || number === 0 || isOnly ? [] : [leave]),
        {
          label: 'end it',
          detail,
          run: () => (backgroundId === undefined ? leaveTo(number) : void endBackground(backgroundId, number)),
        },
      ],
    })
  }

  /** Takes it out of the list. An agent in the background keeps running. */
  function leaveTo(number: number): void {
    void conversations?.end(number)
  }

  function move(): void {
    const row = selected()
    if (!row) return
    if (row.backgroundId !== undefined) return hint(`${nameOf(row)} is already in the background.`)
    if (!conversations?.background) return hint('Conversations cannot run in the background here.')
    const isWorking = row.state === 'working' || row.state === 'asks'
    if (!isWorking) return void moveNow(row)
    choicePrompt.ask({
      title: `${nameOf(row)} is working`,
      answers: [
        { label: 'keep it here', detail: '', run: open },
        {
          label: 'move it',
          detail: 'its turn is interrupted, and continues in the background',
          run: () => void moveNow(row),
        },
      ],
    })
  }

  async function moveNow(row: ConversationRow): Promise<void> {
    close()
    hint(`Moving ${nameOf(row)} to the background.`)
    const reply = await conversations?.move(row.number)
    if (reply?.ok === false) context.announce('error', `It was not moved: ${sentence(reply.message)}`)
  }

  async function endBackground(id: string, number: number): Promise<void> {
    const reply = await conversations?.background?.end(id)
    if (reply?.ok === false) return hint(`It was not ended: ${reply.message}`)
    conversations?.dropNews(id)
    if (number > 0 && state().conversations.length > 1) leaveTo(number)
  }
}

function nameOf({ number, title, backgroundId }: ConversationRow): string {
  const place = number > 0 ? String(number) : '&'
  if (title === '') return number > 0 ? `conversation ${number}` : `conversation ${backgroundId}`
  return `${place} ${title.slice(0, 40)}`
}
