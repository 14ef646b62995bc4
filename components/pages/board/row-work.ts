/** What keys do with the selected conversation of the board, apart from answering it. */
import type { BoardActionName } from '../../../src/fleet/board-row.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { BoardAnswers } from './answers.ts'
import type { BoardEntry } from './entries.ts'
import { hostWords } from './list-rows.ts'
import type { BoardWork } from './state.ts'
import { inSight, send, type BoardWorkParts } from './work-parts.ts'

type RowWork = Record<Exclude<BoardWork, 'yes' | 'no' | 'words' | 'back' | 'field_done'>, () => void>

export function createRowWork(parts: BoardWorkParts, answers: BoardAnswers): RowWork {
  const { page, context, request, change, isOpen } = parts
  const { hint, keyed } = context
  return {
    open: inSight(parts, async () => onEntry(null, open)),
    rename: inSight(parts, async () => onEntry('rename', rename)),
    end: inSight(parts, async () => onEntry('end', async ({ key }) => answers.ask({ kind: 'end', key, armed: false }))),
    archive: inSight(parts, async () =>
      onEntry('archive', async ({ key }) => answers.ask({ kind: 'archive', key, armed: false })),
    ),
    stop: inSight(parts, async () => onEntry('stop', async entry => send(parts, entry, { do: 'stop' }, 'Stopping'))),
    background: inSight(parts, async () => onEntry(null, moveToBackground)),
    transcript: inSight(parts, async () => onEntry(null, async entry => transcript(entry))),
    diff: inSight(parts, async () => onEntry('diff', diff)),
    merge: inSight(parts, async () => onEntry('merge', merge)),
  }

  /** Acts on the selected row, if that can be done with it. */
  async function onEntry(needed: BoardActionName | null, act: (entry: BoardEntry) => Promise<void>): Promise<void> {
    const entry = target()
    if (!entry) return hint('There is no conversation here.')
    change({ selected: entry.key })
    if (needed !== null && !entry.row.can.includes(needed)) return hint(cannot(entry, needed))
    await act(entry)
  }

  /** The row that the person has selected, or else the one that was drawn as selected, whatever has come since. */
  function target(): BoardEntry | null {
    const { selected } = page.state()
    return page.reading().entries.find(({ key }) => key === selected) ?? page.shown().entry
  }

  async function open(entry: BoardEntry): Promise<void> {
    const { doubt } = page.state()
    // The key again is a yes to what it has asked.
    if (doubt?.kind === 'take' && doubt.opens && doubt.key === entry.key) return answers.decide(true)
    if (entry.row.can.includes('background')) return askToTake(entry, true)
    const { host, row } = entry
    const why = await request.open(host.name, row)
    if (why === null) return
    const isReadable = host.name === '' && row.session !== null
    hint(`${why}${isReadable ? keyed(' {board.transcript} reads its session.') : ''}`)
  }

  function askToTake({ key, host, isStale }: BoardEntry, opens: boolean): void {
    if (isStale) hint(hostWords(host))
    else answers.ask({ kind: 'take', key, armed: false, opens })
  }

  async function rename({ key, row }: BoardEntry): Promise<void> {
    change({ doubt: null, field: { kind: 'name', key, editor: createEditor(row.title) } })
    answers.disarm()
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
    if (entry.host.name !== '') return hint(keyed('{board.open} goes there: /diff shows it.'))
    const answered = await request.diff(entry.row)
    if (!isOpen()) return
    if (answered.ok) page.openOver('diff', answered.value)
    else hint(answered.why)
  }

  async function merge(entry: BoardEntry): Promise<void> {
    if (entry.host.name !== '') return hint(keyed('{board.open} goes there: /worktree merges it.'))
    hint('Comparing…')
    const answered = await request.merge(entry.row)
    if (!answered.ok) {
      // The key comes first: on a narrow screen the names of files are cut.
      const how =
        answered.isAskedThere === true ? keyed('{board.open} goes there, and /worktree asks what to do. ') : ''
      return hint(`${how}${answered.why}`)
    }
    hint('')
    if (page.reading().entry?.key !== entry.key) return
    answers.ask({ kind: 'merge', key: entry.key, armed: false, merge: answered.value })
  }
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
