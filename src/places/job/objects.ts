/** The parts of Kubernetes' objects that zotui reads, as kubectl prints them. All texts are unsanitised. */
import { z } from 'zod'
import { parseJson } from '../../text/json.ts'

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().catch(''),
  message: z.string().catch(''),
})
const conditions = z.array(condition).catch([])

/** Names go into arguments: the cluster allows no others, and a proxy may not be the cluster. */
const name = z.string().regex(/^[a-z0-9][-.a-z0-9]*$/)

const metadata = z.object({
  name,
  labels: z.record(z.string(), z.string()).catch({}),
  creationTimestamp: z.string().catch(''),
  deletionTimestamp: z.string().nullable().catch(null),
})

const jobSchema = z.object({
  kind: z.literal('Job'),
  metadata,
  spec: z.object({ suspend: z.boolean().catch(false) }),
  status: z
    .object({ conditions, startTime: z.string().nullable().catch(null) })
    .catch({ conditions: [], startTime: null }),
})

const saying = z.object({ reason: z.string().catch(''), message: z.string().catch('') })
const containerState = z.object({
  name: z.string(),
  state: z
    .object({
      waiting: saying.nullable().catch(null),
      running: z.object({}).nullable().catch(null),
      terminated: saying.extend({ exitCode: z.int() }).nullable().catch(null),
    })
    .catch({ waiting: null, running: null, terminated: null }),
})
const containerStates = z.array(containerState).catch([])

const podSchema = z.object({
  kind: z.literal('Pod'),
  metadata,
  spec: z.object({ nodeName: z.string().catch('') }),
  status: z.object({
    phase: z.string().catch(''),
    reason: z.string().catch(''),
    message: z.string().catch(''),
    conditions,
    containerStatuses: containerStates,
    initContainerStatuses: containerStates,
  }),
})

const eventSchema = z.object({
  kind: z.literal('Event'),
  type: z.string().catch(''),
  reason: z.string().catch(''),
  message: z.string().catch(''),
  lastTimestamp: z.string().nullable().catch(null),
})

export type ClusterJob = z.output<typeof jobSchema>
export type ClusterPod = z.output<typeof podSchema>
export type ClusterEvent = z.output<typeof eventSchema>
export type ClusterObjects = { jobs: ClusterJob[]; pods: ClusterPod[]; events: ClusterEvent[] }

const listSchema = z.object({ items: z.array(z.unknown()) })

/** Reads a list, or one object. Objects that cannot be read are left out; null for what is no answer of kubectl. */
export function readObjects(text: string): ClusterObjects | null {
  const value = parseJson(text)
  const list = listSchema.safeParse(value)
  const single = jobSchema.safeParse(value)
  if (!list.success && !single.success) return null
  const found: ClusterObjects = { jobs: [], pods: [], events: [] }
  for (const item of list.data?.items ?? [value]) {
    const [job, pod, event] = [jobSchema, podSchema, eventSchema].map(schema => schema.safeParse(item).data)
    if (job?.kind === 'Job') found.jobs.push(job)
    else if (pod?.kind === 'Pod') found.pods.push(pod)
    else if (event?.kind === 'Event') found.events.push(event)
  }
  return found
}

/** Whether the Job holds a pod, or may still do so. */
export function isLive({ metadata: { deletionTimestamp }, status }: ClusterJob): boolean {
  return deletionTimestamp === null && !['Complete', 'Failed'].some(type => isTrue(status.conditions, type))
}

export function isTrue(of: ClusterJob['status']['conditions'], type: string): boolean {
  return of.some(each => each.type === type && each.status === 'True')
}
