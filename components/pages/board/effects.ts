/** What the board does beyond moving: it follows all conversations, and passes on what the person decides. */
import type { BoardPageRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { BoardAction } from '../../../src/fleet/board-lines.ts'
import type { BoardActionName } from '../../../src/fleet/board-row.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { TOO_SOON } from '../too-soon.ts'
import type { BoardAsk, BoardEntry } from './entries.ts'
import { askOf, entryKey } from './entries.ts'
import { hostWords } from './list-rows.ts'
import { isEndShown, type BoardReading } from './reading.ts'
import { takeOver } from './taking.ts'
import type { BoardDoubt, BoardField, BoardState, BoardWork } from './state.ts'

/** Milliseconds without a key before a yes or a no counts, as at any question: keys before it were meant for something else. */
const QUIET = 400
/** Milliseconds between two looks at the clock. */
const TICK = 1000

export function boardEffects(
  page: OpenPage<BoardState, BoardReading>,
  { context }: PageParts,
  request: BoardPageRequest,
): PageEffects<BoardWork> {
  const { hint } = context
  const { board } = request
  let quiet: NodeJS.Timeout | undefined
  let ticking: NodeJS.Timeout | undefined
  /** The question for which the quiet was begun. */
  let awaited: string | null = null
  let isOpen = true
  const unsubscribe = board.onChange(follow)

  return {
    works: {
      open: inSight(open),
      yes: inSight(async () => decide(true)),
      no: inSight(async () => decide(false)),
      words: inSight(async () => refuseWithWords()),
      rename: inSight(async () => onEntry('rename', rename)),
      end: inSight(async () => onEntry('end', async entry => doubtAbout('end', entry))),
      archive: inSight(async () => onEntry('archive', async entry => doubtAbout('archive', entry))),
      stop: inSight(async () => onEntry('stop', async entry => send(entry, { do: 'stop' }, 'Stopping'))),
      background: inSight(async () => onEntry(null, moveToBackground)),
      transcript: inSight(async () => onEntry(null, async entry => transcript(entry))),
      diff: inSight(async () => onEntry('diff', diff)),
      merge: inSight(async () => onEntry('merge', merge)),
      back() {
        if (!request.back) return hint('This board stands alone: there is no list of conversations to go back to.')
        page.close()
        request.back()
      },
      field_done: () => void fieldDone(),
    },
    opened() {
      ticking = setInterval(() => change({ now: context.now(), day: request.dayCost() }), TICK)
      follow()
    },
    moved: disarm,
    work() {
      if ((page.shown().ask?.key ?? null) !== awaited || hasEndCome()) disarm()
      return false
    },
    closed() {
      isOpen = false
      unsubscribe()
      clearTimeout(quiet)
      clearInterval(ticking)
      request.closed()
    },
  }

  /** What acts on a row does so only while the rows are on the screen. */
  function inSight(work: () => Promise<void>): () => void {
    return () => {
      const { help, showsHosts } = page.state()
      if (help === null && !showsHosts) void work()
      else hint(context.keyed('{board.leave} closes this list first.'))
    }
  }

  function change(part: Partial<BoardState>): void {
    if (isOpen) page.set({ ...page.state(), ...part })
  }

  function follow(): void {
    change({ hosts: board.hosts(), now: context.now(), day: request.dayCost() })
    if ((page.reading().ask?.key ?? null) !== awaited) disarm()
  }

  /** A yes or no counts after a moment without keys, in which the question stays the same. */
  function disarm(): void {
    clearTimeout(quiet)
    const { armed, doubt } = page.state()
    awaited = page.reading().ask?.key ?? null
    if (armed !== null) change({ armed: null })
    if (doubt?.armed === true) change({ doubt: { ...doubt, armed: false } })
    if (awaited !== null || doubt) quiet = setTimeout(arm, QUIET)
  }

  /** The end of the question counts as read when it was on the screen for that moment. */
  function arm(): void {
    const { doubt } = page.state()
    if (doubt) return change({ doubt: { ...doubt, armed: true } })
    const reading = page.reading()
    if ((reading.ask?.key ?? null) !== awaited || page.state().field) return
    change({ armed: awaited, ...(isEndShown(reading) && { seen: awaited }) })
  }

  /** A resize, or a shorter list, has brought the end of a question that waits for an answer. */
  function hasEndCome(): boolean {
    const { armed, seen } = page.state()
    return armed !== null && seen !== armed && isEndShown(page.shown())
  }

  async function decide(isYes: boolean): Promise<void> {
    const { doubt, seen } = page.state()
    if (doubt) {
      if (!isYes) change({ doubt: null })
      else if (doubt.armed) await settle(doubt)
      else hint(TOO_SOON)
      return disarm()
    }
    const ask = answerable(isYes ? 'allow' : 'refuse')
    if (ask && isYes && seen !== ask.key)
      hint(context.keyed('Its end was not on the screen yet: {board.question_down} shows more.'))
    else if (ask) await answer(ask, isYes)
    disarm()
  }

  /** The question that takes this answer now. Otherwise null, and the screen says why. */
  function answerable(needed: BoardAsk['question']['answers'][number]): BoardAsk | null {
    const { armed, sent } = page.state()
    // What counts is what the person has seen.
    const { ask } = page.shown()
    if (ask && armed === ask.key && sent !== ask.key && ask.question.answers.includes(needed)) return ask
    if (!ask) hint('This conversation asks nothing.')
    else if (sent === ask.key) hint('The answer is on its way.')
    else if (armed !== ask.key) hint(TOO_SOON)
    else hint(ask.question.note === '' ? context.keyed('{board.open} goes there to answer.') : ask.question.note)
    return null
  }

  function refuseWithWords(): void {
    const ask = answerable('say')
    if (!ask) return disarm()
    const { key } = ask.entry
    change({ selected: key, doubt: null, field: { kind: 'words', key, ask: ask.key, editor: createEditor() } })
    disarm()
  }

  async function rename({ key, row }: BoardEntry): Promise<void> {
    change({ doubt: null, field: { kind: 'name', key, editor: createEditor(row.title) } })
    disarm()
  }

  function doubtAbout(kind: 'end' | 'archive', { key }: BoardEntry): void {
    change({ doubt: { kind, key, armed: false } })
    disarm()
  }

  async function answer(ask: BoardAsk, allow: boolean, words?: string): Promise<void> {
    const { entry, question } = ask
    const { id, digest, title } = question
    if (entry.isStale) return hint(hostWords(entry.host))
    change({ sent: ask.key, armed: null })
    const action = { do: 'answer', question: id, digest, allow, ...(words !== undefined && { words }) } as const
    const reply = await board.act(entry.host.name, entry.row.id, action)
    if (page.state().sent === ask.key) change({ sent: null })
    if (!reply.ok) return hint(oneLine(sanitize(reply.message)))
    hint(`${allow ? 'Allowed once' : 'Refused'}: ${oneLine(sanitize(title))}`)
    selectNext(ask)
  }

  /** The next conversation that asks, if the person has not gone on. */
  function selectNext({ key, entry }: BoardAsk): void {
    const { entries, entry: current } = page.reading()
    const next = entries.find(each => each.row.questions.length > 0 && !each.isStale && each.key !== entry.key)
    const goesOn = entry.row.questions.length > 1 || !next
    if (current?.key === entry.key && !goesOn && page.state().seen !== null) change({ selected: next.key })
    if (page.state().seen === key) change({ seen: null })
    disarm()
  }

  async function settle(doubt: BoardDoubt): Promise<void> {
    change({ doubt: null })
    if (doubt.kind === 'merge') return hint(await doubt.merge.run())
    const entry = page.reading().entries.find(({ key }) => key === doubt.key)
    if (!entry) return hint('It is not on the board any more.')
    if (doubt.kind === 'take') return take(entry, doubt.opens)
    await send(entry, { do: doubt.kind }, doubt.kind === 'end' ? 'Ending' : 'Archiving')
  }

  async function send(entry: BoardEntry, action: BoardAction, doing: string): Promise<void> {
    if (entry.isStale) return hint(hostWords(entry.host))
    hint(`${doing} ${nameOf(entry)}.`)
    const reply = await board.act(entry.host.name, entry.row.id, action)
    if (!reply.ok) hint(oneLine(sanitize(reply.message)))
  }

  /** The row that the person has selected, or else the one that was drawn as selected, whatever has come since. */
  function target(): BoardEntry | null {
    const { selected } = page.state()
    return page.reading().entries.find(({ key }) => key === selected) ?? page.shown().entry
  }

  /** Acts on the selected row, if that can be done with it. */
  async function onEntry(needed: BoardActionName | null, act: (entry: BoardEntry) => Promise<void>): Promise<void> {
    const entry = target()
    if (!entry) return hint('There is no conversation here.')
    change({ selected: entry.key })
    if (needed !== null && !entry.row.can.includes(needed)) return hint(cannot(entry, needed))
    await act(entry)
  }

  async function open(): Promise<void> {
    await onEntry(null, async entry => {
      const { doubt } = page.state()
      // The key again is a yes to what it has asked.
      if (doubt?.kind === 'take' && doubt.opens && doubt.key === entry.key) return decide(true)
      if (entry.row.can.includes('background')) return askToTake(entry, true)
      const { host, row } = entry
      const why = await request.open(host.name, row)
      if (why === null) return
      const isReadable = host.name === '' && row.session !== null
      hint(`${why}${isReadable ? context.keyed(' {board.transcript} reads its session.') : ''}`)
    })
  }

  function askToTake(entry: BoardEntry, opens: boolean): void {
    if (entry.isStale) return hint(hostWords(entry.host))
    change({ doubt: { kind: 'take', key: entry.key, armed: false, opens } })
    disarm()
  }

  async function take(entry: BoardEntry, opens: boolean): Promise<void> {
    hint(`Asking the zotui that has ${nameOf(entry)}.`)
    const taken = await takeOver(board, entry)
    if (!isOpen) return
    if (!taken.ok) return hint(taken.why)
    change({ selected: entryKey(entry.host.name, taken.row.id) })
    const why = opens ? await request.open(entry.host.name, taken.row) : `${nameOf(entry)} is in the background.`
    if (why !== null) hint(why)
  }

  async function moveToBackground(entry: BoardEntry): Promise<void> {
    if (entry.row.can.includes('background')) return askToTake(entry, false)
    if (!request.background) return hint('Only a zotui with conversations of its own moves them to the background.')
    hint(await request.background(entry.row))
  }

  function transcript({ host, row }: BoardEntry): void {
    if (host.name !== '' || row.session === null)
      return hint(host.name === '' ? 'Its session is not saved yet.' : `Its session is on ${host.name}.`)
    page.openOver('transcript', { session: row.session, place: null, words: '' })
  }

  async function diff(entry: BoardEntry): Promise<void> {
    if (entry.host.name !== '') return hint(context.keyed('{board.open} goes there: /diff shows it.'))
    const answered = await request.diff(entry.row)
    if (!isOpen) return
    if (answered.ok) page.openOver('diff', answered.value)
    else hint(answered.why)
  }

  async function merge(entry: BoardEntry): Promise<void> {
    if (entry.host.name !== '') return hint(context.keyed('{board.open} goes there: /worktree merges it.'))
    hint('Comparing…')
    const answered = await request.merge(entry.row)
    if (!answered.ok) return hint(answered.why)
    hint('')
    if (page.reading().entry?.key !== entry.key) return
    change({ doubt: { kind: 'merge', key: entry.key, armed: false, merge: answered.value } })
    disarm()
  }

  async function fieldDone(): Promise<void> {
    const { field } = page.state()
    if (!field) return
    change({ field: null })
    disarm()
    await use(field)
  }

  async function use(field: BoardField): Promise<void> {
    const text = field.editor.text.trim()
    if (field.kind === 'filter') return
    const entry = page.reading().entries.find(({ key }) => key === field.key)
    if (!entry) return hint('It is not on the board any more.')
    if (field.kind === 'name') {
      if (text !== '') await send(entry, { do: 'rename', title: text }, 'Renaming')
      return
    }
    const ask = askOf(entry)
    // The words were written about that question.
    if (ask?.key !== field.ask) {
      change({ field })
      return hint(context.keyed('The question has changed, and nothing was sent: {board_field.field_close} shows it.'))
    }
    await answer(ask, false, text)
  }
}

function nameOf({ row }: BoardEntry): string {
  return oneLine(sanitize(row.title || 'the conversation')).slice(0, 40)
}

const verbs: Readonly<Record<BoardActionName, string>> = {
  attach: 'opened',
  background: 'moved to the background',
  answer: 'answered',
  stop: 'stopped',
  rename: 'renamed',
  end: 'ended',
  archive: 'archived',
  diff: 'compared',
  merge: 'merged',
}

/** Why an action is not there. */
function cannot({ row, host }: BoardEntry, name: BoardActionName): string {
  if (name === 'stop') return `${oneLine(sanitize(row.title || 'It'))} is not working.`
  if (name === 'merge' && row.worktreeOf === null) return 'It works in no worktree: there is nothing to merge.'
  if (host.name !== '' || row.kind !== 'ui') return `It cannot be ${verbs[name]} from here.`
  return `It cannot be ${verbs[name]} from here: the zotui ${row.pid ?? ''} in ${oneLine(sanitize(row.folder))} holds it.`
}
