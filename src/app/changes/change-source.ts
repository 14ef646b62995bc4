/** Finds out what this session changed, by recording the state of the files when it begins. */
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { takeBaseline, withSnapshots, type Baseline } from '../../changes/baseline.ts'
import { touchedFiles, type TouchedFile } from '../../changes/by-commands.ts'
import { callsByFile, placeOf } from '../../changes/calls-by-file.ts'
import { collectChanges, type CollectedChanges, type ChangeSources } from '../../changes/collect.ts'
import type { FileContent } from '../../changes/file-content.ts'
import { createPreEditSnapshots, type PreEditSnapshots } from '../../changes/pre-edit-snapshot.ts'
import { reasonOf } from '../../changes/git-part.ts'
import { openRepository, type GitQuestion, type Repository } from '../../changes/repository.ts'
import { pathShower } from '../../changes/shown-path.ts'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import { isWithin } from '../../platform/within.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'
import type { OwnWriteKind, StandingKind } from '../../storage/journal/own-writes.ts'
import { counted } from '../../text/counted.ts'
import type { AppState } from '../../state/state.ts'
import { fullTranscript } from '../context/full-transcript.ts'

/** The time limits for a question to git: in the background, and while the user waits. */
const BACKGROUND_LIMIT = 30_000
const LIMIT = 10_000
/** The limits for the line at a turn's end: a later answer is useless, and more bytes take too long to read. */
const SOON = { limit: 3_000, most: 1024 * 1024 }

type Begun = GitQuestion<{ repository: Repository; baseline: Baseline }>

export class ChangeSource {
  readonly #context: AppContext
  readonly #host: Host
  readonly #folder: string
  readonly #files: ProjectFiles
  readonly #place: Pick<Host, 'folder' | 'env'> & { remote: Host['remote'] }
  readonly #snapshots: PreEditSnapshots
  #stopping = new AbortController()
  #startedAt: number
  /** The same by the clock of the file system; unknown on another machine. */
  #since: number
  /** The conversation whose changes are recorded. */
  #conversation: string
  #begun: Promise<Begun> | null = null
  /** The state of opened folders when they were opened. */
  readonly #others = new Map<string, Promise<Begun>>()

  constructor(context: AppContext, host: Host) {
    this.#context = context
    this.#host = host
    const { state, now } = this.#context
    const { remote } = this.#host
    this.#folder = resolve(this.#host.folder)
    this.#files = remote?.files ?? here
    this.#place = { folder: this.#folder, env: this.#host.env, remote }
    this.#snapshots = createPreEditSnapshots(this.#folder)
    this.#startedAt = now()
    this.#since = remote ? Infinity : Date.now()
    this.#conversation = conversationOf(state())
  }

  /** Records the state of the files when a session begins, in the background. */
  begin(): void {
    const { state, now } = this.#context
    const { remote } = this.#host
    this.#stopping.abort()
    this.#stopping = new AbortController()
    this.#startedAt = now()
    this.#since = remote ? Infinity : Date.now()
    this.#conversation = conversationOf(state())
    this.#snapshots.forget()
    this.#others.clear()
    this.#lookInto(state().chat.folders)
    this.#begun = state().startup.demo ? Promise.resolve(noGit) : this.#look('found')
  }

  /** Called with each event, before anything else handles it. */
  onEvent(event: AgentEvent): void {
    const { state } = this.#context
    const { remote } = this.#host
    if (event.type === 'folders_changed') this.#lookInto(event.folders)
    // A snapshot from another machine would come too late.
    if (!remote) this.#snapshots.take(event)
    // A new conversation starts with its first turn.
    const begins = event.type === 'prompt_sent' || event.type === 'turn_begun'
    if (begins && this.#begun !== null && conversationOf(state()) !== this.#conversation) this.begin()
  }

  /** The changes known from the agent's own calls, without asking git. */
  fromCalls(): Promise<CollectedChanges> {
    return this.#collected(null, [], false)
  }

  /** The files that git says were touched since a moment; null if git takes too long. Never rejects. */
  async touchedSince(since: number): Promise<TouchedFile[] | null> {
    const { remote } = this.#host
    // Another machine has another clock.
    if (remote) return null
    const mine = await this.#touchedHere(since)
    if (mine === null) return null
    const touched = new Map(mine.map(each => [each.file, each]))
    for (const { within, repository, baseline } of await this.#othersNow(SOON)) {
      const there = await touchedFiles(repository, baseline, since, file => file)
      if (!there.ok) continue
      for (const each of there.value)
        if (isWithin(within, each.file) && !touched.has(each.file)) touched.set(each.file, each)
    }
    const all = [...touched.values()]
    const own = this.#standing(all, since)
    return all.filter(({ file }) => !own.has(file))
  }

  async #touchedHere(since: number): Promise<TouchedFile[] | null> {
    const answer = await this.#known()
    if (answer?.ok === false && answer.why === 'none') return []
    if (!answer?.ok) return null
    const { repository, baseline } = answer.value
    const fresh = await openRepository({ ...this.#place, signal: this.#stopping.signal, ...SOON })
    if (!fresh.ok || fresh.value.top !== repository.top) return null
    const show = pathShower(await this.#files.realPath(this.#folder).catch(() => this.#folder), repository.top)
    const touched = await touchedFiles(fresh.value, baseline, since, show)
    return touched.ok ? touched.value : null
  }

  /** All changes. Never rejects. */
  async collect(): Promise<CollectedChanges> {
    const { state } = this.#context
    if (this.#begun === null || conversationOf(state()) !== this.#conversation) this.begin()
    const answer = await this.#known()
    // The demo only pretends to change files.
    if (state().startup.demo) return this.#collected(null, ['This is the demo: no file was really changed.'])
    if (!answer?.ok) return this.#collected(null, answer ? [reasonOf(answer)] : [])
    const { repository, baseline } = answer.value
    const fresh = await openRepository({ ...this.#place, signal: this.#stopping.signal, limit: LIMIT })
    if (!fresh.ok) return this.#collected(null, [reasonOf(fresh)])
    // The folder may be in another repository now.
    const isSame = fresh.value.top === repository.top
    return this.#collected(isSame ? { repository: fresh.value, baseline } : null, isSame ? [] : [ANOTHER])
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** The files that zotui itself wrote, in this program or another, and that are as they were then. */
  #standing(files: readonly { file: string }[], from: number): ReadonlyMap<string, StandingKind> {
    const { remote } = this.#host
    const none: ReadonlyMap<string, StandingKind> = new Map()
    if (remote || files.length === 0) return none
    return (
      this.#context.ownWrites?.standing(
        files.map(({ file }) => file),
        from,
      ) ?? none
    )
  }

  /** Records the state of folders that have just been opened; a closed one is forgotten. Folders are opened on this machine only. */
  #lookInto(folders: readonly string[]): void {
    if (this.#host.remote || this.#context.state().startup.demo) return
    for (const folder of this.#others.keys()) if (!folders.includes(folder)) this.#others.delete(folder)
    for (const folder of folders) if (!this.#others.has(folder)) this.#others.set(folder, this.#begunIn(folder))
  }

  async #begunIn(folder: string): Promise<Begun> {
    const since = Date.now()
    const place = { ...this.#place, folder, signal: this.#stopping.signal, limit: BACKGROUND_LIMIT }
    const repository = await openRepository(place)
    if (!repository.ok) return repository
    const baseline = await takeBaseline(repository.value, since)
    return baseline.ok ? { ok: true, value: { repository: repository.value, baseline: baseline.value } } : baseline
  }

  /** The opened folders that git answers for. `miss` gets the others. */
  async #othersNow(limits: { limit: number; most?: number }, miss?: (folder: string) => void) {
    const found: NonNullable<ChangeSources['others']>[number][] = []
    for (const [folder, asked] of this.#others) {
      const begun = await asked
      const fresh = await openRepository({ ...this.#place, folder, signal: this.#stopping.signal, ...limits })
      if (begun.ok && fresh.ok && fresh.value.top === begun.value.repository.top)
        found.push({ within: folder, repository: fresh.value, baseline: begun.value.baseline })
      else miss?.(folder)
    }
    return found
  }

  /** The state at the beginning. If there was no repository then, looks for one that was created since. */
  async #known(): Promise<Begun | null> {
    const asked = this.#begun
    const answer = await asked
    if (asked !== this.#begun || answer?.ok !== false || answer.why !== 'none') return this.#begun
    return (this.#begun = this.#look('made'))
  }

  /** Everything written since the beginning and committed to a repository that was created later is new. */
  async #look(how: 'found' | 'made'): Promise<Begun> {
    const repository = await openRepository({ ...this.#place, signal: this.#stopping.signal, limit: BACKGROUND_LIMIT })
    if (!repository.ok) return repository
    const { value } = repository
    const baseline = await takeBaseline(how === 'found' ? value : { ...value, head: noCommit }, this.#since)
    return baseline.ok ? { ok: true, value: { repository: value, baseline: baseline.value } } : baseline
  }

  async #collected(git: ChangeSources['git'], notes: readonly string[], isWhole = true): Promise<CollectedChanges> {
    const { state } = this.#context
    const { chat } = fullTranscript(this.#context)
    const befores = new Map<string, FileContent>()
    for (const [file, content] of this.#snapshots.befores()) befores.set(await placeOf(file), content)
    const missed: string[] = []
    const others = isWhole ? await this.#othersNow({ limit: LIMIT }, folder => missed.push(folder)) : []
    const found = await collectChanges({
      folder: await this.#files.realPath(this.#folder).catch(() => this.#folder),
      files: this.#files,
      git: git && { ...git, baseline: withSnapshots(git.baseline, befores) },
      others,
      called: await callsByFile(chat, this.#folder, this.#files),
      befores: state().startup.demo ? new Map() : befores,
      startedAt: this.#startedAt,
    })
    const { session } = found.list
    const standing = this.#standing(
      session.filter(({ calls }) => calls === 0),
      this.#startedAt,
    )
    // What is left of a file that was reverted in part is still a change of the session.
    const own = new Map([...standing].filter(([, kind]) => kind !== 'revert'))
    return {
      ...found,
      list: {
        ...found.list,
        session: session.filter(({ file }) => !own.has(file)),
        notes: [...notes, ...missed.map(unlistedIn), ...ownNotes([...own.values()]), ...found.list.notes],
      },
    }
  }
}

/** The number of files that are not listed since zotui wrote them, by the reason; none without such files. */
function ownNotes(all: readonly StandingKind[]): string[] {
  const kinds = all.filter(kind => kind !== 'unfinished')
  const counts = [...new Set(kinds)].map(kind => {
    const count = kinds.filter(each => each === kind).length
    return `${counted(count, 'file')} ${OWN[kind]}`
  })
  return counts.length === 0 ? [] : [`Not listed: ${counts.join(', ')}.`]
}

/** The words after the files of each kind. */
const OWN: Readonly<Record<OwnWriteKind, string>> = {
  export: 'exported',
  note: 'with a note of yours',
  merge: 'merged from a worktree',
  restore: 'restored',
  revert: 'reverted in part',
}

/** A key that changes when the conversation becomes another session: see `AppState.restored`. */
function conversationOf({ restored, chat }: AppState): string {
  return `${restored.times} ${chat.entries.findLastIndex(entry => entry.kind === 'cleared')}`
}

const unlistedIn = (folder: string): string => `Changes made by commands in ${folder} are not listed.`
const noCommit: Repository['head'] = async () => ({ ok: true, value: null })
const noGit: Begun = { ok: false, why: 'stopped', words: '' }
const ANOTHER = 'This folder is in another git repository now: changes made by commands are not listed.'
