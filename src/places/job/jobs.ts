/** The Jobs of a template in a cluster: listed, made, begun and removed. */
import type { UserError } from '../../platform/errors.ts'
import { askCluster, clusterError, type Cluster, type ClusterAnswer, type ClusterTrouble } from './cluster.ts'
import { LABELS } from './make-job.ts'
import { readObjects, type ClusterObjects } from './objects.ts'

/** Milliseconds for removing: the person waits for it at the end. */
const REMOVE_LIMIT = 15_000

export type FoundObjects = ({ ok: true } & ClusterObjects) | { ok: false; trouble: ClusterTrouble }

/** The Jobs of a person and a template, with their pods where `kinds` says so. */
export async function listJobs(
  cluster: Cluster,
  { person, template }: { person: string; template: string },
  kinds: 'jobs' | 'jobs,pods',
  signal?: AbortSignal,
): Promise<FoundObjects> {
  const labels = [`${LABELS.managed}=zotui`, `${LABELS.person}=${person}`, `${LABELS.template}=${template}`]
  return objectsOf(
    await askCluster(cluster, ['get', kinds, `--selector=${labels.join(',')}`, '--output=json'], { signal }),
  )
}

/** A Job and its pods, with what the cluster says about the Job where it has no pod. */
export async function lookAtJob(cluster: Cluster, job: string, signal?: AbortSignal): Promise<FoundObjects> {
  const args = ['get', 'jobs,pods', `--selector=${LABELS.managed}=zotui,${LABELS.job}=${job}`, '--output=json']
  const found = objectsOf(await askCluster(cluster, args, { signal }))
  if (!found.ok || found.pods.length > 0 || found.jobs.length === 0) return found
  const about = `--field-selector=involvedObject.kind=Job,involvedObject.name=${job}`
  const said = objectsOf(await askCluster(cluster, ['get', 'events', about, '--output=json'], { signal }))
  // Events are a help. Not everybody may read them.
  return said.ok ? { ...found, events: said.events } : found
}

export async function createJob(cluster: Cluster, job: object, signal: AbortSignal): Promise<UserError | null> {
  const made = await askCluster(cluster, ['create', '--filename=-'], { input: JSON.stringify(job), signal })
  return made.ok ? null : clusterError(made.trouble)
}

/** Lets the cluster make the pod. */
export async function beginJob(cluster: Cluster, job: string, signal: AbortSignal): Promise<ClusterTrouble | null> {
  const patch = JSON.stringify({ spec: { suspend: false } })
  const done = await askCluster(cluster, ['patch', 'job', job, '--type=merge', `--patch=${patch}`], { signal })
  return done.ok ? null : done.trouble
}

/** Removes a Job and its pods. Resolves to why that failed, without a full stop; null if it is gone. */
export async function removeJob(cluster: Cluster, job: string): Promise<string | null> {
  const removed = await askCluster(cluster, removing(job), { limit: REMOVE_LIMIT })
  return removed.ok ? null : removed.trouble.reason
}

/** The arguments that remove a Job: the cluster does the rest, and nothing waits for it. */
export function removing(job: string): string[] {
  return ['delete', 'job', job, '--cascade=background', '--ignore-not-found', '--wait=false']
}

function objectsOf(answer: ClusterAnswer): FoundObjects {
  if (!answer.ok) return answer
  const objects = readObjects(answer.output)
  if (objects) return { ok: true, ...objects }
  return { ok: false, trouble: { kind: 'other', reason: 'kubectl does not answer as expected', hint: '' } }
}
