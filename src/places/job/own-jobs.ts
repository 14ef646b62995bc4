/** The Jobs that this person has started from a template, as they are now: also those that no zotui knows any more. */
import { isTemplateName, readTemplate, templateNames } from '../template.ts'
import { clusterError, findCluster, type Cluster } from './cluster.ts'
import { listJobs, removeJob } from './jobs.ts'
import { containerOf, LABELS } from './make-job.ts'
import { isLive, type ClusterJob } from './objects.ts'
import { personLabel } from './person.ts'
import { placeState, type PlaceState } from './place-state.ts'
import { jobTemplates, jobTemplateSchema } from './template.ts'

export type OwnJob = {
  template: string
  job: string
  state: PlaceState
  /** True until the Job has ended: a pod of it may run, or begin. */
  isLive: boolean
  /** Milliseconds since the Unix epoch, by the clock of the cluster. */
  since: number | null
}

/** Where the templates and the person's label are, and how kubectl is found. */
export type OwnJobsOf = { configFolder: string; stateFolder: string; env: NodeJS.ProcessEnv; folder: string }

export function ownTemplates(configFolder: string): string[] {
  return templateNames(configFolder, jobTemplates)
}

/** @throws UserError for a template, a program or a cluster that does not answer. */
export async function ownJobs(template: string, of: OwnJobsOf, signal?: AbortSignal): Promise<OwnJob[]> {
  const { values } = await readTemplate(of.configFolder, jobTemplates, template, jobTemplateSchema)
  const found = await listJobs(
    findCluster(values, of),
    { person: personLabel(of.stateFolder), template },
    'jobs,pods',
    signal,
  )
  if (!found.ok) throw clusterError(found.trouble)
  const container = containerOf(values)
  return found.jobs.map(job => {
    const pods = found.pods.filter(({ metadata }) => metadata.labels[LABELS.job] === job.metadata.name)
    const state = placeState({ job, pods, events: [], container })
    return { template, job: job.metadata.name, state, isLive: isLive(job), since: sinceOf(job) }
  })
}

/** Removes one of them. Resolves to why that failed, without a full stop; null if it is gone. @throws UserError as `ownJobs` does. */
export async function removeOwn(job: OwnJob, of: OwnJobsOf): Promise<string | null> {
  return removeJob(await clusterOf(job.template, of), job.job)
}

async function clusterOf(template: string, of: OwnJobsOf): Promise<Cluster> {
  const { values } = await readTemplate(of.configFolder, jobTemplates, template, jobTemplateSchema)
  return findCluster(values, of)
}

/** The template in the name of a Job, for those that are there. */
export function templateOfJob(job: string): string | null {
  const template = /^zotui-(.+)-[\da-f]{6}$/.exec(job)?.[1]
  return template !== undefined && isTemplateName(template) ? template : null
}

function sinceOf({ metadata, status }: ClusterJob): number | null {
  const at = Date.parse(status.startTime ?? metadata.creationTimestamp)
  return Number.isNaN(at) ? null : at
}

/** The state in one line. Not sanitised. */
export function stateWords(state: PlaceState): string {
  return state.kind === 'ready' ? `the pod ${state.pod} runs on ${state.node}` : state.words
}
