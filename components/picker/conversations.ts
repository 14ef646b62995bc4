/**
 * The list of the conversations of this zotui, with the question and the last line of the selected one: goes to one, answers its
 * call, renames, stops, moves or ends it.
 */
import type { PickerApp } from '../../src/app/pickers/pickers.ts'
import { BESIDE_CALL, isCallInFull, type ConversationRow } from '../../src/state/conversations/conversations.ts'
import { conversationName } from '../../src/state/conversations/conversation-row.ts'
import { openPicker, type ConversationPicker } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import { formatAge, formatCost, formatDuration } from '../../src/text/format.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { lookup } from '../../src/text/lookup.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { sentence } from '../../src/text/sentence.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { keyFact } from '../../src/style/list-window.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { composerWidth } from '../composer/rows.ts'
import { stateSign, stateWords } from '../status/conversations.ts'
import { aboutLines, factsLayout, rowsOf, type ListRow, type RowList } from './list.ts'
import type { PickerSpec } from './picker-spec.ts'

export const conversations: PickerSpec<'conversations'> = {
  title: () => 'conversations',
  size: ({ rows }) => rows.length,
  filter: picker => picker,
  rows: conversationList,
  letters: () => 'act',
  follow: (picker, event) => (event.type === 'conversations_changed' ? withRows(picker, event) : picker),
  open,
  take,
  widen: ({ turns }) => turns.command('board'),
  rename,
  remove: end,
  press,
  // The answer to a key in this list is about another conversation.
  closed: ({ context }) => context.dispatch({ type: 'hinted', hint: null }),
}

type ListedConversations = { rows: readonly ConversationRow[]; background?: readonly ConversationRow[] }

/** The list with the current conversations. The same one stays selected, or else the shown one is. */
function withRows(picker: ConversationPicker, { rows: own, background = [] }: ListedConversations): ConversationPicker {
  const rows = [...own, ...background]
  const was = picker.rows[picker.selected]
  const same = was ? rows.findIndex(row => isSameConversation(row, was)) : picker.selected
  const shown = rows.findIndex(({ isShown }) => isShown)
  return { ...picker, rows, selected: Math.max(0, same < 0 ? shown : same) }
}

function isSameConversation(one: ConversationRow, other: ConversationRow): boolean {
  return one.number === other.number && (one.number > 0 || one.backgroundId === other.backgroundId)
}

/** Opens the list; if it is open, goes to the conversation that was shown before this one. */
function open(app: PickerApp): void {
  const { conversations: all, state, dispatch, hint } = app.context
  if (!all) return
  if (openPicker(state().picker, 'conversations')) {
    dispatch({ type: 'picker_changed', picker: null })
    if (!all.showFormer()) hint('There is no previous conversation.')
    return
  }
  show(app)
}

function show({ context: { conversations: all, state, dispatch } }: PickerApp): void {
  dispatch({ type: 'picker_changed', picker: { kind: 'conversations', filter: '', selected: 0, rows: [] } })
  all?.follow()
  const picker = openPicker(state().picker, 'conversations')
  if (!picker) return
  // Selects the first other conversation that asks something, or else the one that is shown.
  const shown = picker.rows.findIndex(({ isShown }) => isShown)
  const asks = picker.rows.findIndex(row => row.state === 'asks' && !row.isShown)
  dispatch({ type: 'picker_changed', picker: { ...picker, selected: Math.max(0, asks < 0 ? shown : asks) } })
}

function take({ context, conversationActions }: PickerApp, { rows, selected }: ConversationPicker): void {
  const row = rows[selected]
  if (row?.backgroundId === undefined || row.number > 0) return conversationActions.show(row?.number ?? 0)
  context.dispatch({ type: 'picker_changed', picker: null })
  void attach(context, row)
}

async function attach({ conversations: all, hint }: PickerApp['context'], row: ConversationRow): Promise<void> {
  const reply = await all?.attach(row.backgroundId ?? '')
  if (reply?.ok === false) hint(`${conversationName(row)} is not shown: ${reply.message}`)
}

const letters: Readonly<Record<string, (app: PickerApp, picker: ConversationPicker) => void>> = {
  y: (app, picker) => void answer(app, picker, true),
  n: (app, picker) => void answer(app, picker, false),
  r: rename,
  s: stop,
  e: end,
  b: move,
}

/** A digit goes to a conversation; a letter acts on the selected one. */
function press(app: PickerApp, picker: ConversationPicker, letter: string): void {
  if (/^[1-9]$/.test(letter)) app.conversationActions.show(Number(letter))
  else lookup(letters, letter)?.(app, picker)
}

async function answer(
  { context, conversationActions }: PickerApp,
  { rows, selected }: ConversationPicker,
  isAllowed: boolean,
): Promise<void> {
  const { hint, keyed } = context
  const row = rows[selected]
  if (!row?.call) return hint('This conversation asks nothing that y or n can answer.')
  if (isAllowed && !isCallInFull(row.call, context.composerWidth()))
    return hint(`Not all of this call is shown here${keyed(': {picker.take} goes there')}.`)
  const isAnswered = await conversationActions.answer(row, row.call.id, isAllowed)
  const said = isAllowed ? 'Allowed once' : 'Refused'
  hint(isAnswered ? `${said}: ${row.call.subject}` : `Nothing was answered${keyed(': {picker.take} goes there')}.`)
  context.conversations?.follow()
}

function stop({ context: { conversations: all, hint } }: PickerApp, { rows, selected }: ConversationPicker): void {
  const row = rows[selected]
  if (!row) return
  if (row.number > 0) all?.stop(row.number)
  else void all?.background?.stop(row.backgroundId ?? '')
  const name = conversationName(row)
  hint(row.state === 'working' || row.state === 'asks' ? `Stopping ${name}.` : `${name} is not working.`)
}

function rename(app: PickerApp, { rows, selected }: ConversationPicker): void {
  const { conversations: all } = app.context
  const row = rows[selected]
  if (!row) return
  const run = (title: string): void => {
    if (row.number > 0) all?.rename(row.number, title)
    if (row.backgroundId !== undefined) void all?.background?.rename(row.backgroundId, title)
    show(app)
  }
  app.choicePrompt.ask({
    title: `name of ${row.number > 0 ? `conversation ${row.number}` : conversationName(row)}`,
    answers: [],
    filter: row.title,
    typed: { detail: 'becomes its name', run },
  })
}

function end(app: PickerApp, { rows, selected }: ConversationPicker): void {
  const { conversations: all, state, hint } = app.context
  const row = rows[selected]
  if (!row) return
  const { backgroundId, number, state: does } = row
  const isOnly = number > 0 && state().conversations.length < 2
  if (isOnly && backgroundId === undefined) return hint('This is the only conversation: /exit ends zotui.')
  const detail = does === 'working' ? 'its turn is stopped' : 'its agent is ended'
  // Takes it out of the list. An agent in the background keeps running.
  const leave = (): void => void all?.end(number)
  const leaves = { label: 'leave it', detail: 'it continues in the background', run: leave }
  app.choicePrompt.ask({
    title: `end ${conversationName(row)}`,
    answers: [
      { label: 'keep it', detail: '', run: () => show(app) },
      ...(backgroundId === undefined || number === 0 || isOnly ? [] : [leaves]),
      {
        label: 'end it',
        detail,
        run: () => (backgroundId === undefined ? leave() : void endBackground(app, backgroundId, number)),
      },
    ],
  })
}

async function endBackground({ context }: PickerApp, id: string, number: number): Promise<void> {
  const { conversations: all, state, hint } = context
  const reply = await all?.background?.end(id)
  if (reply?.ok === false) return hint(`It was not ended: ${reply.message}`)
  all?.dropNews(id)
  if (number > 0 && state().conversations.length > 1) void all?.end(number)
}

function move(app: PickerApp, { rows, selected }: ConversationPicker): void {
  const { conversations: all, hint } = app.context
  const row = rows[selected]
  if (!row) return
  const name = conversationName(row)
  if (row.backgroundId !== undefined) return hint(`${name} is already in the background.`)
  if (!all?.background) return hint('Conversations cannot run in the background here.')
  const isWorking = row.state === 'working' || row.state === 'asks'
  if (!isWorking) return void moveNow(app, row)
  app.choicePrompt.ask({
    title: `${name} is working`,
    answers: [
      { label: 'keep it here', detail: '', run: () => show(app) },
      {
        label: 'move it',
        detail: 'its turn is interrupted, and continues in the background',
        run: () => void moveNow(app, row),
      },
    ],
  })
}

async function moveNow({ context }: PickerApp, row: ConversationRow): Promise<void> {
  context.dispatch({ type: 'picker_changed', picker: null })
  context.hint(`Moving ${conversationName(row)} to the background.`)
  const reply = await context.conversations?.move(row.number)
  if (reply?.ok === false) context.addNotice('error', `It was not moved: ${sentence(reply.message)}`)
}

/** With less room than this, only the call that `y` would allow is shown below the list. */
const ROOM_FOR_ABOUT = 6

export function conversationList(
  { rows, selected }: ConversationPicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  return {
    selected,
    ...rowsOf(rows, row => listRow(row, now, theme)),
    none: sanitize(''),
    layout: (shown, columns) => ({
      ...factsLayout(shown, factsOf(columns), { theme, columns }),
      about: all => {
        const lines = linesAbout(rows[selected], theme, columns)
        return all >= ROOM_FOR_ABOUT ? lines : rows[selected]?.call ? lines.slice(1, 2) : []
      },
    }),
    keys: (_visible, columns) => keysOf(rows[selected], keyNames, columns),
    hint,
  }
}

/** The facts of a conversation: state, time, cost, folder and branch. */
function factsOf(columns: number): Omit<Column<ListRow>, 'cell'>[] {
  const most = Math.floor(columns / 5)
  return [
    // The longest state is `working, this one`.
    { rank: 0, most: columns < 80 ? most : Math.max(most, 17) },
    { rank: 1, most, isNumber: true },
    { rank: 2, most, isNumber: true },
    { rank: 3, most },
    { rank: 4, most },
  ]
}

function listRow(row: ConversationRow, now: number, theme: Theme): ListRow {
  const { number, isShown, title, state, since, costUsd, folder, branch, backgroundId } = row
  const sign = stateSign(state, theme)
  const isOpen = state === 'working' || state === 'asks'
  const isSpokenBackground = theme.isSpoken && backgroundId !== undefined ? 'in the background' : ''
  const facts = [
    sanitize([stateWords[state], isShown ? 'this one' : '', isSpokenBackground].filter(word => word !== '').join(', ')),
    since === null ? sanitize('') : isOpen ? formatDuration(now - since) : formatAge(now - since),
    sanitize(costUsd === null || costUsd === 0 ? '' : formatCost(costUsd)),
    oneLine(sanitize(folder.split(/[\\/]/).at(-1) ?? '')),
    oneLine(sanitize(branch ?? '')),
  ]
  const place = number === 0 ? '&' : String(number)
  const mark = number > 0 && backgroundId !== undefined ? '& ' : ''
  const signs = theme.isSpoken ? '' : `${sign || ' '} ${mark}`
  const name = oneLine(sanitize(`${place} ${signs}${title || 'new conversation'}`))
  return { name, positions: [], depth: 0, facts, note: sanitize('') }
}

function linesAbout(row: ConversationRow | undefined, theme: Theme, columns: number): Styled[] {
  if (!row) return []
  const asked = ['asks', row.call?.subject ?? '', theme.warning] as const
  return aboutLines([asked, ['for', row.call?.asker ?? ''], ['last', row.lastLine]], BESIDE_CALL, { theme, columns })
}

function keysOf(row: ConversationRow | undefined, names: KeyNames, columns: number): Fact[] {
  const call = row?.call
  return [
    keyFact(keyed(names, '{picker.take} or a digit goes there'), 0),
    keyFact(call && isCallInFull(call, composerWidth(columns)) ? 'y allows' : '', 2),
    keyFact(call ? 'n refuses' : '', 3),
    keyFact('r renames', 6),
    keyFact('s stops', 4),
    keyFact('e ends', 5),
    keyFact(row?.backgroundId === undefined ? 'b moves it to the background' : '', 7),
    keyFact(keyed(names, '{picker.close} cancels'), 1),
  ]
}
