/** `--on job:TEMPLATE`: a Job of Kubernetes, and a shell in its pod. */
import { createHash, randomBytes } from 'node:crypto'
import { UserError } from '../../platform/errors.ts'
import { BOOT } from '../../platform/remote/quoting.ts'
import type { Target } from '../../platform/remote/target.ts'
import { sentence } from '../../text/sentence.ts'
import { keepVisiting } from '../keep-alive.ts'
import { askAndLeave } from '../run-engine.ts'
import type { OpenStartedPlace, PlaceStart, StartedPlace } from '../started-place.ts'
import { readTemplate, type Template } from '../template.ts'
import { admit, tooMany } from './admit.ts'
import { clusterError, findCluster, type Cluster } from './cluster.ts'
import { createJob, listJobs, lookAtJob, removeJob, removing } from './jobs.ts'
import { containerOf, folderOf, LABELS, makeJob } from './make-job.ts'
import { isLive, type ClusterJob } from './objects.ts'
import { personLabel } from './person.ts'
import { jobTemplates, jobTemplateSchema, type JobTemplate } from './template.ts'
import { usualTimes, waitForPod, type WaitedPod, type WaitTimes } from './wait-for-pod.ts'

const HOW = 'Use job:TEMPLATE[:DIR], or job:TEMPLATE/JOB[:DIR] to come back to one.'

type WantedJob = { template: string; job: string | null; folder: string | null }

/** What is known of a place before its pod is there. */
type JobOpening = {
  template: Template<JobTemplate>
  cluster: Cluster
  job: string
  folder: string | null
  start: PlaceStart
  times: WaitTimes
}

export function createOpenJob(times: WaitTimes): OpenStartedPlace {
  return async (words, start) => {
    const wanted = readWords(words)
    const template = await readTemplate(start.configFolder, jobTemplates, wanted.template, jobTemplateSchema)
    const cluster = findCluster(template.values, start)
    const person = personLabel(start.stateFolder)
    const folder = wanted.folder ?? folderOf(template.values)
    const known = { template, cluster, folder, start, times }
    if (wanted.job !== null) return comeBackTo({ ...known, job: await findJob(cluster, wanted.job, template, person) })
    return beginNew({ ...known, job: `zotui-${template.name}-${randomBytes(3).toString('hex')}` }, person)
  }
}

export const openJobPlace: OpenStartedPlace = createOpenJob(usualTimes)

function readWords(words: string): WantedJob {
  const [, template, job = null, folder = null] =
    /^job:([a-z0-9-]+)(?:\/([a-z0-9][-.a-z0-9]*))?(?::([^\0]*))?$/.exec(words) ?? []
  if (template === undefined) throw new UserError(`--on does not understand "${words}".`, HOW, 2)
  return { template, job, folder: folder === '' ? null : folder }
}

async function beginNew(opening: JobOpening, person: string): Promise<StartedPlace> {
  const { template, cluster, job, start } = opening
  const { signal, progress } = start
  const most = template.values.jobsAtOnce
  const before = await listJobs(cluster, { person, template: template.name }, 'jobs', signal)
  if (!before.ok) throw clusterError(before.trouble)
  const begun = before.jobs.filter(each => isLive(each) && !each.spec.suspend)
  if (begun.length >= most) throw tooMany(template.name, most, begun.map(nameOf))
  progress(`asks ${cluster.name} for the Job ${job}`)
  try {
    const folder = createHash('sha256').update(start.folder).digest('hex').slice(0, 16)
    const made = makeJob(template.values, { job, template: template.name, person, folder })
    const refused = await createJob(cluster, made, signal)
    if (refused) throw refused
    await admit(cluster, { person, template: template.name, job, most, signal, progress })
    return await reach(opening, template.values.startMinutes * 60_000)
  } catch (error) {
    // Also where kubectl was stopped in the middle: the cluster may have made it.
    const left = await removeJob(cluster, job)
    if (!signal.aborted && left === null) throw error
    const what = left === null ? `The Job ${job} was removed.` : leftWords(opening, left)
    if (signal.aborted) throw new UserError(`Stopped. ${what}`, '', 2)
    const { message, hint } = error instanceof UserError ? error : { message: String(error), hint: '' }
    throw new UserError(message, [hint, what].filter(each => each !== '').join(' '), 2)
  }
}

/** What may go on there, and for how long. */
function leftWords({ job, cluster, template: { name, values } }: JobOpening, why: string): string {
  return sentence(
    `the Job ${job} could not be removed (${why}); it ends itself after ${values.idleMinutes} minutes without zotui, or: ` +
      `kubectl ${cluster.where.join(' ')} delete job ${job}; zotui --on job:${name}/${job} comes back`,
  )
}

/** The Job of this name, or of the pod of this name. */
async function findJob(
  cluster: Cluster,
  word: string,
  template: Template<JobTemplate>,
  person: string,
): Promise<string> {
  for (const job of new Set([word, word.replace(/-[a-z0-9]{5}$/, '')])) {
    const found = await lookAtJob(cluster, job)
    if (!found.ok) throw clusterError(found.trouble)
    const [first] = found.jobs
    if (first === undefined) continue
    const { labels } = first.metadata
    if (labels[LABELS.template] !== template.name || labels[LABELS.person] !== person)
      throw new UserError(`The Job ${job} belongs to another template or person.`, HOW, 2)
    if (first.spec.suspend)
      throw new UserError(`The Job ${job} has never begun.`, `Remove it: zotui kubernetes remove ${job}`, 2)
    return job
  }
  throw new UserError(
    `There is no Job ${word} of zotui in ${cluster.name}: it was removed, or its time to live has passed.`,
    `\`zotui --on job:${template.name}\` begins another one.`,
    2,
  )
}

async function comeBackTo(opening: JobOpening): Promise<StartedPlace> {
  return reach(opening, opening.template.values.startMinutes * 60_000)
}

/** Waits for the pod, and begins to visit it. */
async function reach(opening: JobOpening, limit: number): Promise<StartedPlace> {
  const { template, cluster, job, start, times } = opening
  const { values } = template
  const name = `job:${template.name}/${job}`
  const container = containerOf(values)
  let current = targetOf(opening, '')
  const visits = keepVisiting(() => current, cluster.engine.env)

  const tries = (pod: string): Promise<string | null> => {
    current = targetOf(opening, pod)
    return visits.visit()
  }
  const wait = (signal: AbortSignal): Promise<WaitedPod> =>
    waitForPod(cluster, { job, container, limit, signal, progress: start.progress, tries }, times)

  start.progress('waits for the pod')
  const first = await wait(start.signal)
  if (!first.ok) {
    visits.stop()
    throw new UserError(sentence(`${name}: ${first.why}`), sentence(first.hint), 2)
  }
  start.progress(`the pod ${first.pod} runs on ${first.node}`)

  return {
    name,
    target: () => current,
    again: name,
    async comeBack(signal) {
      const waited = await wait(signal)
      return waited.ok ? null : sentence(`${name}: ${waited.why}`)
    },
    async end() {
      visits.stop()
      if (values.afterwards === 'keep')
        return `The Job ${job} goes on for ${values.idleMinutes} minutes: zotui --on ${name}`
      const left = await removeJob(cluster, job)
      return left === null ? null : leftWords(opening, left)
    },
    leave() {
      visits.stop()
      if (values.afterwards === 'remove') askAndLeave(cluster.engine, [...cluster.where, ...removing(job)])
    },
  }
}

function targetOf({ template, cluster, job, folder }: JobOpening, pod: string): Target {
  const container = containerOf(template.values)
  return {
    name: `job:${template.name}/${job}`,
    identity: cluster.where.join(' '),
    file: 'kubectl',
    args: [...cluster.where, 'exec', '-i', pod, '-c', container, '--', 'sh', '-c', BOOT],
    folder,
  }
}

const nameOf = ({ metadata }: ClusterJob): string => metadata.name
