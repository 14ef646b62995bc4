/** How the board reaches the processes, the folders and the sessions of this machine. */
import type { Reply } from '../../agent/backend.ts'
import type { createBackground } from '../../background/list.ts'
import { isOwnSocket, liveRecords, type BackgroundRecord } from '../../background/record.ts'
import { openRepository, type Repository } from '../../changes/repository.ts'
import { messageOf } from '../../platform/errors.ts'
import { isOfThisMachine } from '../../platform/owner.ts'
import type { Timers } from '../../platform/timers.ts'
import type { OutsideReply } from '../../published/outside-call.ts'
import { connectToPublisher } from '../../published/socket/connection.ts'
import { connectInProcess } from '../../published/socket/in-process.ts'
import type { PublishedSource } from '../../published/socket/served.ts'
import { archiveSession } from '../../storage/sessions/archive.ts'
import { sentence } from '../../text/sentence.ts'
import { parseJson } from '../../text/json.ts'
import { worktreeAt, type Worktree } from '../../worktrees/record.ts'
import type { ChangedLines } from './changed-lines.ts'
import type { LocalSourceOptions } from './local-source.ts'
import type { FoundProcess } from './process-link.ts'

export type LocalWaysOptions = {
  stateFolder: string
  home: string
  env: NodeJS.ProcessEnv
  now: () => number
  elapsed: () => number
  after: Timers['after']
  /** The conversations of this very process; null for none. */
  own: PublishedSource | null
}

export function createLocalWays(options: LocalWaysOptions): LocalSourceOptions {
  const { stateFolder, home, env, now, elapsed, after, own } = options
  /** Its code comes with the first request: the first rows do not wait for it. */
  const inBackground = async (request: (ways: ReturnType<typeof createBackground>) => Promise<Reply>) => {
    try {
      const { createBackground: create } = await import('../../background/list.ts')
      return ofReply(await request(create(stateFolder, home)))
    } catch (error) {
      return failed(sentence(messageOf(error)))
    }
  }
  return {
    now,
    elapsed,
    after,
    find: () => [...(own ? [ownProcess(own)] : []), ...othersIn(stateFolder, own !== null)],
    count: async (folder, worktree) => countChanges(folder, worktree, env),
    worktreeAt: folder => worktreeAt(stateFolder, folder),
    rename: async (id, title) => inBackground(async ({ rename }) => rename(id, title)),
    end: async id => inBackground(async ({ end }) => end(id)),
    async archive(session) {
      try {
        const problem = archiveSession(stateFolder, session, now())
        return problem === null ? done : failed(problem)
      } catch (error) {
        return failed(sentence(`Its session stays where it is: ${messageOf(error)}`))
      }
    },
  }

  /** It is not reached over its socket: whoever looks at this board sits at its terminal. */
  function ownProcess(source: PublishedSource): FoundProcess {
    const { pid } = process
    return {
      id: 'own',
      kind: 'ui',
      pid,
      folder: '',
      agent: '',
      startedAt: now(),
      connect: async onLine => ({
        ok: true,
        connection: connectInProcess({ source, parse: parseJson, after, elapsed }, onLine),
      }),
    }
  }
}

/** The processes with a socket of this person's own. */
function othersIn(stateFolder: string, isOwnKnown: boolean): FoundProcess[] {
  return (['held', 'open'] as const).flatMap(kind =>
    liveRecords(stateFolder, kind)
      .filter(({ socket }) => isOwnSocket(socket))
      .map(record => foundProcess(kind, record))
      .filter(({ pid }) => !(isOwnKnown && kind === 'open' && pid === process.pid)),
  )
}

function foundProcess(kind: 'held' | 'open', record: BackgroundRecord): FoundProcess {
  const { id, owner, socket, folder, agent, startedAt } = record
  return {
    id: `${kind}-${id}`,
    kind: kind === 'held' ? 'background' : 'ui',
    pid: pidOf(owner),
    folder,
    agent,
    startedAt,
    connect: async onLine => connectToPublisher({ path: socket, purpose: 'board', secret: '', onLine }),
  }
}

/** The process in a name that `platform/owner.ts` makes. */
function pidOf(owner: string): number | null {
  const pid = Number(owner.split('-')[1])
  return isOfThisMachine(owner) && Number.isInteger(pid) && pid > 0 ? pid : null
}

/** Milliseconds of one question to git. */
const GIT_LIMIT = 10_000

/** The lines that differ from the last commit, or from the base of a worktree. Untracked files are counted without their lines. */
async function countChanges(
  folder: string,
  worktree: Worktree | null,
  env: NodeJS.ProcessEnv,
): Promise<ChangedLines | null> {
  const opened = await openRepository({ folder, env, limit: GIT_LIMIT })
  if (!opened.ok) return null
  const repository = opened.value
  const since = worktree ? worktree.base : await headOf(repository)
  if (since === undefined) return null
  const [changed, untracked] = [await repository.changedSince(since), await repository.untracked()]
  if (!changed.ok || !untracked.ok) return null
  const sum = (side: 'added' | 'removed'): number => changed.value.reduce((all, file) => all + (file[side] ?? 0), 0)
  return { files: changed.value.length + untracked.value.length, added: sum('added'), removed: sum('removed') }
}

/** Null before the first commit; undefined if git does not answer. */
async function headOf(repository: Repository): Promise<string | null | undefined> {
  const head = await repository.head()
  return head.ok ? head.value : undefined
}

const done: OutsideReply = { ok: true, how: 'done' }

function ofReply(reply: Reply): OutsideReply {
  return reply.ok ? done : failed(sentence(reply.message))
}

function failed(message: string): OutsideReply {
  return { ok: false, why: 'failed', message }
}
