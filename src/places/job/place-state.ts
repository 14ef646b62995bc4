/** What has become of a Job, for the person. Pure. */
import { isTrue, type ClusterEvent, type ClusterJob, type ClusterPod } from './objects.ts'

export type PlaceState =
  | { kind: 'ready'; pod: string; node: string }
  /** `isStuck`: it will hardly go on by itself. */
  | { kind: 'waiting'; words: string; isStuck: boolean }
  | { kind: 'ended'; isFailure: boolean; words: string }

type FoundPlace = {
  job: ClusterJob | undefined
  /** Of this Job. */
  pods: readonly ClusterPod[]
  /** Of this Job. */
  events: readonly ClusterEvent[]
  /** The container to work in; null for the first one. */
  container: string | null
}

/** The waiting states of a container that last until somebody changes the template or the cluster. */
const STUCK: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
])

export function placeState({ job, pods, events, container }: FoundPlace): PlaceState {
  if (job === undefined) return ended('the Job is gone: it was removed, or its time to live has passed')
  if (job.metadata.deletionTimestamp !== null) return ended('the Job is being removed')
  const sorted = pods.toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))
  const [latest] = sorted
  const { conditions } = job.status
  if (isTrue(conditions, 'Complete'))
    return { kind: 'ended', isFailure: false, words: 'the pod has ended itself: no zotui was there' }
  const failed = conditions.find(each => ['Failed', 'FailureTarget'].includes(each.type) && each.status === 'True')
  if (failed) return ended(failureWords(failed, latest))
  if (job.spec.suspend) return waiting('the Job has not begun')
  const current = sorted.find(({ metadata: { deletionTimestamp }, status: { phase } }) => {
    return deletionTimestamp === null && phase !== 'Failed' && phase !== 'Succeeded'
  })
  if (current) return podState(current, container)
  const refused = events.findLast(each => each.reason === 'FailedCreate')
  if (refused && latest === undefined) return waiting(refusalWords(refused.message, job.metadata.name), true)
  if (latest === undefined) return waiting('the cluster makes the pod')
  const why = lossOf(latest)
  return waiting(`the pod was lost${why === '' ? '' : ` (${why})`}; the cluster makes another one`)
}

/** The cluster tries again and again, each time with a new name for the pod: said once. */
function refusalWords(message: string, job: string): string {
  const why = message
    .split(`"${job}-`)
    .map((part, at) => (at === 0 ? part : part.replace(/^[a-z0-9]+"/, '')))
    .join(`"${job}-…"`)
  return `the cluster does not make the pod: ${why}`
}

function podState({ metadata, spec: { nodeName }, status }: ClusterPod, wanted: string | null): PlaceState {
  const own = status.containerStatuses.find(each => wanted === null || each.name === wanted)
  if (own?.state.running) return { kind: 'ready', pod: metadata.name, node: nodeName }
  const unscheduled = status.conditions.find(each => each.type === 'PodScheduled' && each.status === 'False')
  if (unscheduled) {
    const { reason, message } = unscheduled
    const why = message || reason
    return waiting(`waiting for a node${why === '' ? '' : `: ${why}`}`)
  }
  if (nodeName === '') return waiting('waiting for a node')
  for (const { name, state } of [...status.initContainerStatuses, ...status.containerStatuses]) {
    const { waiting: wait } = state
    if (wait && STUCK.has(wait.reason)) {
      const words = [wait.reason, wait.message].filter(each => each !== '').join(': ')
      return waiting(`the container ${name} does not start: ${words}`, true)
    }
  }
  const first = status.initContainerStatuses.find(each => each.state.terminated === null)
  if (first?.state.running) return waiting(`the first container ${first.name} runs on ${nodeName}`)
  return waiting(`${nodeName} pulls the image and makes the container`)
}

function failureWords({ reason, message }: { reason: string; message: string }, pod: ClusterPod | undefined): string {
  if (reason === 'DeadlineExceeded') return 'the deadline of the Job has passed'
  const why = pod === undefined ? '' : lossOf(pod)
  return `the Job has failed: ${[message || reason, ...(why === '' ? [] : [why])].join('; ')}`
}

/** Why a pod is no longer there, in a few words; '' if nothing is known. */
function lossOf({ status, metadata }: ClusterPod): string {
  const disruption = status.conditions.find(each => each.type === 'DisruptionTarget' && each.status === 'True')
  if (disruption) return disruption.message || disruption.reason
  if (status.reason !== '' || status.message !== '') return status.message || status.reason
  const over = status.containerStatuses.find(each => each.state.terminated !== null)?.state.terminated
  if (over) return `${over.reason || 'it ended'}, exit code ${over.exitCode}`
  return metadata.deletionTimestamp === null ? '' : 'it is being removed'
}

const ended = (words: string): PlaceState => ({ kind: 'ended', isFailure: true, words })
const waiting = (words: string, isStuck = false): PlaceState => ({ kind: 'waiting', words, isStuck })
