/** Finds out what this session changed, by recording the state of the files when it begins. */
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { takeBaseline, withSnapshots, type Baseline } from '../../changes/baseline.ts'
import { touchedFiles, type TouchedFile } from '../../changes/by-commands.ts'
import { callsByFile, placeOf } from '../../changes/calls-by-file.ts'
import { collectChanges, type CollectedChanges, type ChangeSources } from '../../changes/collect.ts'
import type { FileContent } from '../../changes/file-content.ts'
import { createPreEditSnapshots } from '../../changes/pre-edit-snapshot.ts'
import { reasonOf } from '../../changes/git-part.ts'
import { openRepository, type GitQuestion, type Repository } from '../../changes/repository.ts'
import { pathShower } from '../../changes/shown-path.ts'
import { here } from '../../platform/project-files.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'
import type { OwnWriteKind, StandingKind } from '../../storage/journal/own-writes.ts'
import { counted } from '../../text/counted.ts'
import type { AppState } from '../../state/state.ts'
import { fullTranscript } from '../context/full-transcript.ts'

export type ChangeSource = {
  /** Records the state of the files when a session begins, in the background. */
  begin: () => void
  /** Called with each event, before anything else handles it. */
  onEvent: (event: AgentEvent) => void
  /** The changes known from the agent's own calls, without asking git. */
  fromCalls: () => Promise<CollectedChanges>
  /** The files that git says were touched since a moment; null if git takes too long. Never rejects. */
  touchedSince: (since: number) => Promise<TouchedFile[] | null>
  /** All changes. Never rejects. */
  collect: () => Promise<CollectedChanges>
  stop: () => void
}

/** The time limits for a question to git: in the background, and while the user waits. */
const BACKGROUND_LIMIT = 30_000
const LIMIT = 10_000
/** The limits for the line at a turn's end: a later answer is useless, and more bytes take too long to read. */
const SOON = { limit: 3_000, most: 1024 * 1024 }

type Begun = GitQuestion<{ repository: Repository; baseline: Baseline }>

export function createChangeSource(context: AppContext, host: Host): ChangeSource {
  const { state, now } = context
  const folder = resolve(host.folder)
  const { remote } = host
  const files = remote?.files ?? here
  const place = { folder, env: host.env, remote }
  const snapshots = createPreEditSnapshots(folder)
  let stopping = new AbortController()
  let startedAt = now()
  /** The same by the clock of the file system; unknown on another machine. */
  let since = remote ? Infinity : Date.now()
  /** The conversation whose changes are recorded. */
  let conversation = conversationOf(state())
  let begun: Promise<Begun> | null = null

  return {
    begin,
    onEvent(event) {
      // A snapshot from another machine would come too late.
      if (!remote) snapshots.take(event)
      // A new conversation starts with its first prompt.
      if (event.type === 'prompt_sent' && begun !== null && conversationOf(state()) !== conversation) begin()
    },
    fromCalls: () => collected(null, []),
    async touchedSince(since) {
      // Another machine has another clock.
      if (remote) return null
      const answer = await known()
      if (answer?.ok === false && answer.why === 'none') return []
      if (!answer?.ok) return null
      const { repository, baseline } = answer.value
      const fresh = await openRepository({ ...place, signal: stopping.signal, ...SOON })
      if (!fresh.ok || fresh.value.top !== repository.top) return null
      const show = pathShower(await files.realPath(folder).catch(() => folder), repository.top)
      const touched = await touchedFiles(fresh.value, baseline, since, show)
      if (!touched.ok) return null
      const own = standing(touched.value, since)
      return touched.value.filter(({ file }) => !own.has(file))
    },
    async collect() {
      if (begun === null || conversationOf(state()) !== conversation) begin()
      const answer = await known()
      // The demo only pretends to change files.
      if (state().startup.demo) return collected(null, ['This is the demo: no file was really changed.'])
      if (!answer?.ok) return collected(null, answer ? [reasonOf(answer)] : [])
      const { repository, baseline } = answer.value
      const fresh = await openRepository({ ...place, signal: stopping.signal, limit: LIMIT })
      if (!fresh.ok) return collected(null, [reasonOf(fresh)])
      // The folder may be in another repository now.
      const isSame = fresh.value.top === repository.top
      return collected(isSame ? { repository: fresh.value, baseline } : null, isSame ? [] : [ANOTHER])
    },
    stop: () => stopping.abort(),
  }

  /** The files that zotui itself wrote, in this program or another, and that are as they were then. */
  function standing(files: readonly { file: string }[], from: number): ReadonlyMap<string, StandingKind> {
    const none: ReadonlyMap<string, StandingKind> = new Map()
    if (remote || files.length === 0) return none
    return (
      context.ownWrites?.standing(
        files.map(({ file }) => file),
        from,
      ) ?? none
    )
  }

  function begin(): void {
    stopping.abort()
    stopping = new AbortController()
    startedAt = now()
    since = remote ? Infinity : Date.now()
    conversation = conversationOf(state())
    snapshots.forget()
    begun = state().startup.demo ? Promise.resolve(noGit) : look('found')
  }

  /** The state at the beginning. If there was no repository then, looks for one that was created since. */
  async function known(): Promise<Begun | null> {
    const asked = begun
    const answer = await asked
    if (asked !== begun || answer?.ok !== false || answer.why !== 'none') return begun
    return (begun = look('made'))
  }

  /** Everything written since the beginning and committed to a repository that was created later is new. */
  async function look(how: 'found' | 'made'): Promise<Begun> {
    const repository = await openRepository({ ...place, signal: stopping.signal, limit: BACKGROUND_LIMIT })
    if (!repository.ok) return repository
    const { value } = repository
    const baseline = await takeBaseline(how === 'found' ? value : { ...value, head: noCommit }, since)
    return baseline.ok ? { ok: true, value: { repository: value, baseline: baseline.value } } : baseline
  }

  async function collected(git: ChangeSources['git'], notes: readonly string[]): Promise<CollectedChanges> {
    const { chat } = fullTranscript(context)
    const befores = new Map<string, FileContent>()
    for (const [file, content] of snapshots.befores()) befores.set(await placeOf(file), content)
    const found = await collectChanges({
      folder: await files.realPath(folder).catch(() => folder),
      files,
      git: git && { ...git, baseline: withSnapshots(git.baseline, befores) },
      called: await callsByFile(chat, folder, files),
      befores: state().startup.demo ? new Map() : befores,
      startedAt,
    })
    const { session } = found.list
    const own = standing(
      session.filter(({ calls }) => calls === 0),
      startedAt,
    )
    return {
      ...found,
      list: {
        ...found.list,
        session: session.filter(({ file }) => !own.has(file)),
        notes: [...notes, ...ownNotes([...own.values()]), ...found.list.notes],
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
}

/** A key that changes when the conversation becomes another session: see `AppState.restored`. */
function conversationOf({ restored, chat }: AppState): string {
  return `${restored.times} ${chat.entries.findLastIndex(entry => entry.kind === 'cleared')}`
}

const noCommit: Repository['head'] = async () => ({ ok: true, value: null })
const noGit: Begun = { ok: false, why: 'stopped', words: '' }
const ANOTHER = 'This folder is in another git repository now: changes made by commands are not listed.'
