/** The conversations of this machine: of all zotuis, and of those in the background. */
import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { BoardCall, OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { PublishedRow } from '../../published/protocol.ts'
import type { Timers } from '../../platform/timers.ts'
import type { Worktree } from '../../worktrees/record.ts'
import type { BoardAction } from '../board-lines.ts'
import type { BoardActionName, BoardRow } from '../board-row.ts'
import { GONE, SILENT, type BoardSource } from '../board-source.ts'
import { boundedRow } from '../bounds.ts'
import { ChangedLinesOfFolders, type ChangedLines } from './changed-lines.ts'
import { ProcessLink, type FoundProcess } from './process-link.ts'

/** What becomes of a conversation in the background. Nothing of it rejects. */
export type BackgroundWays = {
  rename: (id: string, title: string) => Promise<OutsideReply>
  end: (id: string) => Promise<OutsideReply>
  /** Takes a saved session, which nobody has open, out of the lists. */
  archive: (session: string) => Promise<OutsideReply>
}

export type LocalSourceOptions = BackgroundWays & {
  /** The processes that are alive, and whose sockets are this person's own. Never throws. */
  find: () => readonly FoundProcess[]
  count: (folder: string, worktree: Worktree | null) => Promise<ChangedLines | null>
  /** The worktree that a folder is in; null if it is in none. */
  worktreeAt: (folder: string) => Worktree | null
  /** Milliseconds since the Unix epoch, and those that have passed. */
  now: () => number
  elapsed: () => number
  after: Timers['after']
}

export type LocalSource = BoardSource & {
  /** Resolves when the conversations that were there at the start are known with their changed lines, or do not answer in time. */
  listed: Promise<void>
}

/** Milliseconds between two looks for processes, for the first list, and for an answer. */
const [LOOK, FIRST_LIST, PATIENCE] = [1000, 1000, 20_000]
/** Milliseconds for a turn to stop, and for another process to continue it. */
const MOVE_PATIENCE = 60_000
/** Processes that it connects to. */
const MOST = 500
/** Who asks, as the conversations name it. */
const DEVICE = { id: `board ${randomUUID()}`, name: 'the board' }

type LocalPlace = { link: ProcessLink; key: string; row: BoardRow }

export function createLocalSource(options: LocalSourceOptions): LocalSource {
  return new LocalConversations(options)
}

class LocalConversations implements LocalSource {
  readonly name = ''
  readonly listed: Promise<void>
  readonly #options: LocalSourceOptions
  readonly #links = new Map<string, ProcessLink>()
  readonly #lines: ChangedLinesOfFolders
  readonly #worktrees = new Map<string, Worktree | null>()
  readonly #onListed: () => void
  #places: ReadonlyMap<string, LocalPlace> | null = null
  #onChange: () => void = () => undefined
  #cancel: (() => void) | null = null
  #isClosed = false

  constructor(options: LocalSourceOptions) {
    this.#options = options
    const { elapsed, after } = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.listed = promise
    this.#onListed = resolve
    this.#lines = new ChangedLinesOfFolders({
      // Its base changes when its work is taken.
      count: async folder => options.count(folder, isAbsolute(folder) ? options.worktreeAt(folder) : null),
      elapsed,
      after,
      onChange: () => this.#changed(),
    })
  }

  start(onChange: () => void): void {
    this.#onChange = onChange
    this.#options.after(FIRST_LIST, this.#onListed)
    void this.#look().then(this.#onListed)
  }

  host(): ReturnType<BoardSource['host']> {
    return { name: '', state: 'connected', problem: '', rows: [...this.#placed().values()].map(({ row }) => row) }
  }

  async act(id: string, action: BoardAction): Promise<OutsideReply> {
    const place = this.#placed().get(id)
    if (!place) return GONE
    const { promise, resolve } = Promise.withResolvers<OutsideReply>()
    const cancel = this.#options.after(action.do === 'background' ? MOVE_PATIENCE : PATIENCE, () => resolve(SILENT))
    void this.#carryOut(place, action).then(resolve)
    const reply = await promise
    cancel()
    return reply
  }

  /** `zotui attach` opens it: whoever shows this board knows how it was started. */
  opens(): null {
    return null
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
    this.#lines.close()
    for (const link of this.#links.values()) link.close()
    this.#onListed()
  }

  /** Resolves when those that are new have said what they have, or do not answer. */
  async #look(): Promise<void> {
    if (this.#isClosed) return
    const found = new Map(this.#options.find().map(each => [each.id, each]))
    let hasChanged = false
    for (const [id, link] of this.#links) {
      if (found.has(id) || link.isConnected) continue
      link.close()
      hasChanged = this.#links.delete(id)
    }
    const tried = [...found.values()].flatMap(process => {
      const known = this.#links.get(process.id)
      if (!known && this.#links.size >= MOST) return []
      const link = known ?? new ProcessLink(process, { now: this.#options.now, onChange: () => this.#changed() })
      this.#links.set(process.id, link)
      return [link.look(process)]
    })
    if (hasChanged) this.#changed()
    this.#cancel = this.#options.after(LOOK, () => void this.#look())
    await Promise.all(tried)
    this.#placed()
    await this.#lines.idle()
  }

  #changed(): void {
    this.#places = null
    if (!this.#isClosed) this.#onChange()
  }

  #placed(): ReadonlyMap<string, LocalPlace> {
    if (this.#places) return this.#places
    const places = new Map<string, LocalPlace>()
    const facts = new Map<string, string>()
    for (const link of this.#links.values()) {
      for (const place of this.#placesOf(link)) {
        const { id, folder, state, since, costUsd } = place.row
        places.set(id, place)
        if (isAbsolute(folder)) facts.set(folder, `${facts.get(folder) ?? ''}${id} ${state} ${since} ${costUsd}\n`)
      }
    }
    this.#places = places
    for (const folder of this.#worktrees.keys()) if (!facts.has(folder)) this.#worktrees.delete(folder)
    this.#lines.see(facts)
    return places
  }

  #placesOf(link: ProcessLink): LocalPlace[] {
    const { process, rows, problem } = link
    if (rows.length > 0)
      return rows.flatMap(row => {
        const made = boundedRow(this.#rowOf(link, row))
        return made ? [{ link, key: row.key, row: made }] : []
      })
    return problem === '' ? [] : [{ link, key: '', row: this.#silentRow(process, problem) }]
  }

  #rowOf(link: ProcessLink, published: PublishedRow): BoardRow {
    const { process } = link
    const { key, session, folder, branch, agent, model, title, state, since, lastLine, costUsd, mode, stays } =
      published
    const worktree = this.#worktreeAt(folder)
    const questions = link.questions(key)
    const isBackground = process.kind === 'background'
    const can: BoardActionName[] = [
      ...(isBackground ? (['attach'] as const) : stays === '' ? (['background'] as const) : []),
      ...(questions.some(({ answers }) => answers.length > 0) ? (['answer'] as const) : []),
      ...(AT_WORK.has(state) ? (['stop'] as const) : []),
      ...(isBackground ? (['rename', 'end'] as const) : []),
      ...(isBackground && session !== null ? (['archive'] as const) : []),
      ...(isAbsolute(folder) ? (['diff'] as const) : []),
      ...(worktree ? (['merge'] as const) : []),
    ]
    return {
      id: isBackground ? process.id : `${process.id} ${key}`,
      kind: process.kind,
      pid: process.pid,
      attach: isBackground ? heldId(process) : null,
      session,
      folder,
      worktreeOf: worktree?.project ?? null,
      branch: worktree?.branch ?? branch,
      agent,
      model,
      title,
      state,
      since,
      lastLine,
      costUsd,
      mode,
      changes: this.#lines.of(folder),
      questions,
      stays,
      can,
    }
  }

  /** One that does not say what it has, such as that of another version. */
  #silentRow(process: FoundProcess, problem: string): BoardRow {
    const { id, kind, pid, folder, agent, startedAt } = process
    const isBackground = kind === 'background'
    const unknown = { session: null, worktreeOf: null, branch: null, costUsd: null, mode: null, changes: null }
    const facts = {
      ...unknown,
      id,
      kind,
      pid,
      folder,
      agent,
      model: '',
      title: '',
      since: startedAt,
      questions: [],
      stays: '',
    }
    const can: BoardRow['can'] = isBackground ? ['attach', 'end'] : []
    return { ...facts, attach: isBackground ? heldId(process) : null, state: 'idle', lastLine: problem, can }
  }

  #worktreeAt(folder: string): Worktree | null {
    if (!isAbsolute(folder)) return null
    const known = this.#worktrees.get(folder)
    if (known !== undefined) return known
    const found = this.#options.worktreeAt(folder)
    this.#worktrees.set(folder, found)
    return found
  }

  async #carryOut({ link, key, row }: LocalPlace, action: BoardAction): Promise<OutsideReply> {
    switch (action.do) {
      case 'answer': {
        const call = answerCall(row, action)
        return 'ok' in call ? call : this.#call(link, key, call)
      }
      case 'stop':
        return this.#call(link, key, { do: 'stop', id: randomUUID() })
      case 'background':
        return row.attach === null ? this.#call(link, key, { do: 'move_to_background', id: randomUUID() }) : DONE
      case 'rename':
      case 'end':
      case 'archive':
        if (row.attach === null) return forbidden('A zotui has it open: this is done there.')
        return this.#inBackground(row.attach, row.session, action)
    }
  }

  async #inBackground(
    id: string,
    session: string | null,
    action: Extract<BoardAction, { do: 'rename' | 'end' | 'archive' }>,
  ): Promise<OutsideReply> {
    const { rename, end, archive } = this.#options
    if (action.do === 'rename') return rename(id, action.title)
    const ended = await end(id)
    if (action.do === 'end' || !ended.ok) return ended
    return session === null ? forbidden('It has ended. It has no saved session.') : archive(session)
  }

  async #call(link: ProcessLink, key: string, call: OutsideCall | BoardCall): Promise<OutsideReply> {
    const reply = await link.call(key, call, DEVICE)
    // The number is ours: who is between the two terminals does not know it.
    if (!reply.ok && reply.why === 'needs_yes' && link.code !== '')
      return { ...reply, message: `${reply.message} The number there must be ${link.code}.` }
    return reply
  }
}

const DONE: OutsideReply = { ok: true, how: 'done' }

/** The states in which a turn runs, or begins. */
const AT_WORK: ReadonlySet<BoardRow['state']> = new Set(['starting', 'working', 'waiting', 'asks'])

/** The answer as a request to its process, or why it is none. */
function answerCall(row: BoardRow, answer: Extract<BoardAction, { do: 'answer' }>): OutsideCall | OutsideReply {
  const { question: id, digest, allow, words = '' } = answer
  const question = row.questions.find(each => each.id === id)
  // The process knows who answered one that is gone.
  const kind = question?.kind ?? 'call'
  const needed = allow ? 'allow' : words === '' ? 'refuse' : 'say'
  if (question && !question.answers.includes(needed))
    return forbidden(question.note === '' ? 'This question does not take that answer.' : question.note)
  if (!/^[\da-f]{64}$/.test(digest)) return { ok: false, why: 'changed', message: 'The question has changed.' }
  const asked = { id: randomUUID(), question: id, digest }
  if (kind === 'form') return { do: 'answer_form', ...asked, values: null }
  if (kind === 'plan') return { do: 'change_plan', ...asked, words }
  return { do: 'answer_call', ...asked, allow, ...(words !== '' && !allow && { words }) }
}

const heldId = ({ id }: FoundProcess): string => id.slice('held-'.length)

function forbidden(message: string): OutsideReply {
  return { ok: false, why: 'forbidden', message }
}
