/** The Jobs of a template on the board, also those whose zotui has ended: nothing runs in a cluster unseen. */
import { messageOf } from '../../platform/errors.ts'
import { quietTimers, type Timers } from '../../platform/timers.ts'
import { ownJobs, ownTemplates, removeOwn, stateWords, type OwnJob, type OwnJobsOf } from '../../places/job/own-jobs.ts'
import type { BoardRow } from '../board-row.ts'
import type { BoardSource } from '../board-source.ts'
import { noConversation, pollHost } from './polled-host.ts'

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

function createJobsSource(template: string, { of, zotui, now, timers = quietTimers }: JobsSourceOptions): BoardSource {
  const name = `job:${template}`
  let jobs: readonly OwnJob[] = []

  async function rows(signal: AbortSignal): Promise<readonly BoardRow[]> {
    jobs = await ownJobs(template, of, signal)
    return jobs.map(job => rowOf(job, now()))
  }

  const polled = pollHost(name, rows, timers)
  return {
    ...polled,
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
      polled.look()
      return { ok: true, how: 'done' }
    },
    opens(row) {
      const job = jobs.find(each => each.job === row)
      return job?.isLive ? { file: zotui.file, args: [...zotui.args, '--on', `${name}/${row}`] } : null
    },
  }
}

function rowOf({ template, job, state, isLive, since }: OwnJob, at: number): BoardRow {
  return {
    ...noConversation,
    kind: 'job',
    id: job,
    folder: '',
    title: `job:${template}/${job}`,
    state: stateOf(state),
    // The cluster's clock may be ahead.
    since: since === null ? null : Math.min(since, at),
    lastLine: stateWords(state),
    can: isLive ? ['attach', 'end'] : ['end'],
  }
}

function stateOf(state: OwnJob['state']): BoardRow['state'] {
  if (state.kind === 'ready') return 'resting'
  if (state.kind === 'ended') return state.isFailure ? 'failed' : 'done'
  return state.isStuck ? 'failed' : 'starting'
}
