/**
 * Keeps the number of Jobs at once, also where several zotuis begin one in the same moment. Kubernetes has no such limit by itself.
 *
 * A Job is made suspended, so that it has no pod. It begins only after a list of all Jobs, made later, has shown no more than the limit,
 * itself included. Of any Jobs that begin, the one whose list came last has seen all others in it: so there are never too many. Where several
 * wait for each other, those that were made later give up, by the time and the name that the cluster has given them.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { UserError } from '../../platform/errors.ts'
import { clusterError, type Cluster } from './cluster.ts'
import { beginJob, listJobs, removeJob } from './jobs.ts'
import { isLive, type ClusterJob } from './objects.ts'

/** Milliseconds after which a zotui begins its Job no more. */
const LATEST = 60_000
/** Milliseconds by which a suspended Job is so much older than ours that its zotui has ended. */
const ABANDONED = 5 * 60_000
const PAUSE = 300

export type JobAdmission = {
  person: string
  template: string
  job: string
  most: number
  signal: AbortSignal
  progress: (words: string) => void
}

/** What is to be done with our Job. Pure. */
export type JobVerdict = { do: 'begin' } | { do: 'wait' } | { do: 'give up'; others: readonly string[] }

/** Begins our Job, or throws a UserError, and then the caller removes it. */
export async function admit(cluster: Cluster, admission: JobAdmission): Promise<void> {
  const { person, template, job, most, signal, progress } = admission
  const began = performance.now()
  for (;;) {
    const found = await listJobs(cluster, { person, template }, 'jobs', signal)
    if (!found.ok) throw clusterError(found.trouble)
    const { counted, abandoned } = countedJobs(found.jobs, job)
    const verdict = judge(counted, job, most)
    if (verdict.do === 'give up') throw tooMany(template, most, verdict.others)
    if (performance.now() - began > LATEST) throw new UserError(`The Job ${job} could not begin in time.`, '', 2)
    for (const each of abandoned) await removeJob(cluster, each)
    if (verdict.do === 'begin') {
      const trouble = await beginJob(cluster, job, signal)
      if (trouble) throw clusterError(trouble)
      return
    }
    progress('another zotui begins a Job of this template')
    await rest(PAUSE, undefined, { signal })
  }
}

/** The Jobs that count, and those that their zotui has left before they began. Pure. */
export function countedJobs(
  jobs: readonly ClusterJob[],
  own: string,
): { counted: readonly ClusterJob[]; abandoned: readonly string[] } {
  const live = jobs.filter(isLive)
  const mine = live.find(({ metadata }) => metadata.name === own)
  const isLeft = (each: ClusterJob): boolean =>
    mine !== undefined && each.spec.suspend && madeAt(mine) - madeAt(each) > ABANDONED
  return {
    counted: live.filter(each => !isLeft(each)),
    abandoned: live.filter(isLeft).map(({ metadata }) => metadata.name),
  }
}

/** Pure. */
export function judge(jobs: readonly ClusterJob[], own: string, most: number): JobVerdict {
  const names = jobs.map(({ metadata }) => metadata.name).filter(name => name !== own)
  const begun = jobs.filter(({ spec }) => !spec.suspend)
  const waiting = jobs
    .filter(({ spec }) => spec.suspend)
    .toSorted((a, b) => madeAt(a) - madeAt(b) || (a.metadata.name < b.metadata.name ? -1 : 1))
  const place = waiting.findIndex(({ metadata }) => metadata.name === own)
  // Somebody has removed it.
  if (place < 0 || begun.length + place >= most) return { do: 'give up', others: names }
  return jobs.length <= most ? { do: 'begin' } : { do: 'wait' }
}

/** Milliseconds of the cluster's clock. */
function madeAt({ metadata: { creationTimestamp } }: ClusterJob): number {
  return Date.parse(creationTimestamp) || 0
}

export function tooMany(template: string, most: number, others: readonly string[]): UserError {
  if (others.length === 0) return new UserError('The Job was removed before it began.', '', 2)
  const names = others.map(name => `job:${template}/${name}`).join(', ')
  return new UserError(
    `There ${others.length === 1 ? 'is' : 'are'} already ${others.length} of ${most} Jobs of the template ${template}.`,
    `Come back to one, or end it on the board: ${names}. \`jobsAtOnce\` in the template is the limit.`,
    2,
  )
}
