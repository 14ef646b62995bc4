/** The Jobs of a template on the board, also those whose zotui has ended: nothing runs in a cluster unseen. */
import { messageOf } from '../../platform/errors.ts'
import { quietTimers, type Timers } from '../../platform/timers.ts'
import { ownJobs, ownTemplates, removeOwn, stateWords, type OwnJob, type OwnJobsOf } from '../../places/job/own-jobs.ts'
import type { BoardRow } from '../board-row.ts'
import type { BoardHost, BoardSource } from '../board-source.ts'

/** Milliseconds between two looks at the cluster, and the most while it does not answer. */
const LOOK = 5000
const SLOWEST = 60_000

export type JobsSourceOptions = {
  of: OwnJobsOf
  /** The program and the arguments that start zotui. */
  zotui: { file: string; args: readonly string[] }
  now: () => number
  timers?: Timers
}

/** A source for each template of the person. */
export function createJobsSources(options: JobsSourceOptions): BoardSource[] {
  return ownTemplates(options.of.configFolder).map(template => createJobsSource(template, options))
}

export function createJobsSource(
  template: string,
  { of, zotui, now, timers = quietTimers }: JobsSourceOptions,
): BoardSource {
  const name = `job:${template}`
  let host: BoardHost = { name, state: 'connecting', problem: '', rows: [] }
  let jobs: readonly OwnJob[] = []
  let pause = LOOK
  let cancel: (() => void) | null = null
  let onChange: (() => void) | null = null
  let looks = 0
  const closing = new AbortController()

  async function look(): Promise<void> {
    cancel?.()
    const number = (looks += 1)
    const next = await lookNow()
    // Another look has begun meanwhile, and knows more.
    if (closing.signal.aborted || number !== looks) return
    const isChanged = JSON.stringify(next) !== JSON.stringify(host)
    host = next
    pause = host.state === 'connected' ? LOOK : Math.min(pause * 2, SLOWEST)
    cancel = timers.after(pause, () => void look())
    if (isChanged) onChange?.()
  }

  async function lookNow(): Promise<BoardHost> {
    try {
      jobs = await ownJobs(template, of, closing.signal)
      return { name, state: 'connected', problem: '', rows: jobs.map(job => rowOf(job, now())) }
    } catch (error) {
      const state = host.state === 'connected' || host.state === 'lost' ? 'lost' : 'failed'
      return { ...host, state, problem: messageOf(error) }
    }
  }

  return {
    name,
    start(changed) {
      onChange = changed
      void look()
    },
    host: () => host,
    async act(row, action) {
      const job = jobs.find(each => each.job === row)
      if (!job) return { ok: false, why: 'gone', message: 'This Job is gone.' }
      if (action.do !== 'end') return { ok: false, why: 'forbidden', message: 'A Job can only be opened and removed.' }
      try {
        const left = await removeOwn(job, of)
        if (left !== null) return { ok: false, why: 'failed', message: `The Job was not removed: ${left}.` }
      } catch (error) {
        return { ok: false, why: 'failed', message: messageOf(error) }
      }
      void look()
      return { ok: true, how: 'done' }
    },
    opens(row) {
      const job = jobs.find(each => each.job === row)
      return job?.isLive ? { file: zotui.file, args: [...zotui.args, '--on', `${name}/${row}`] } : null
    },
    close() {
      cancel?.()
      closing.abort()
    },
  }
}

function rowOf({ template, job, state, isLive, since }: OwnJob, at: number): BoardRow {
  return {
    id: job,
    kind: 'job',
    pid: null,
    attach: null,
    session: null,
    folder: '',
    worktreeOf: null,
    branch: null,
    agent: '',
    model: '',
    title: `job:${template}/${job}`,
    state: stateOf(state),
    // The cluster's clock may be ahead.
    since: since === null ? null : Math.min(since, at),
    lastLine: stateWords(state),
    costUsd: null,
    mode: null,
    changes: null,
    questions: [],
    can: isLive ? ['attach', 'end'] : ['end'],
  }
}

function stateOf(state: OwnJob['state']): BoardRow['state'] {
  if (state.kind === 'ready') return 'resting'
  if (state.kind === 'ended') return state.isFailure ? 'failed' : 'done'
  return state.isStuck ? 'failed' : 'starting'
}
