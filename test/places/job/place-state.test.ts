import { expect, test } from 'vitest'
import { placeState } from '../../../src/places/job/place-state.ts'
import { aJob, aPod, running } from './job-stage.ts'

const look = (
  pods: ReturnType<typeof aPod>[],
  job = aJob('j'),
  events: { reason: string; message: string }[] = [],
): ReturnType<typeof placeState> =>
  placeState({
    job,
    pods,
    events: events.map(each => ({ kind: 'Event' as const, type: 'Warning', lastTimestamp: null, ...each })),
    container: 'agent',
  })

const waits = (name: string, reason: string, message = '') => ({
  name,
  state: { waiting: { reason, message }, running: null, terminated: null },
})
const over = (name: string, exitCode: number, reason = '') => ({
  name,
  state: { waiting: null, running: null, terminated: { reason, message: '', exitCode } },
})

test('the container of the agent counts, not one beside it', () => {
  const beside = { name: 'beside', state: { waiting: null, running: {}, terminated: null } }
  expect(look([aPod('p', { containerStatuses: [beside, waits('agent', 'ContainerCreating')] })])).toEqual({
    kind: 'waiting',
    words: 'n1 pulls the image and makes the container',
    isStuck: false,
  })
  expect(look([aPod('p', { containerStatuses: [beside, ...running] })])).toEqual({
    kind: 'ready',
    pod: 'p',
    node: 'n1',
  })
})

test('a pod that no node takes says what the scheduler says, and may still go on', () => {
  const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
  expect(look([aPod('p', { conditions: [unscheduled] }, '')])).toEqual({
    kind: 'waiting',
    words: 'waiting for a node: 0/3 nodes',
    isStuck: false,
  })
})

test.each(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'CreateContainerConfigError'])(
  'a container that waits in %s will hardly go on',
  reason => {
    expect(look([aPod('p', { containerStatuses: [waits('agent', reason, 'why')] })])).toEqual({
      kind: 'waiting',
      words: `the container agent does not start: ${reason}: why`,
      isStuck: true,
    })
  },
)

test('a first container is named while it runs, and when it does not start', () => {
  const first = { name: 'clone', state: { waiting: null, running: {}, terminated: null } }
  const pending = { containerStatuses: [waits('agent', 'PodInitializing')] }
  expect(look([aPod('p', { ...pending, initContainerStatuses: [first] })])).toMatchObject({
    words: 'the first container clone runs on n1',
  })
  const broken = { ...pending, initContainerStatuses: [waits('clone', 'CrashLoopBackOff', 'back-off')] }
  expect(look([aPod('p', broken)])).toMatchObject({
    words: 'the container clone does not start: CrashLoopBackOff: back-off',
    isStuck: true,
  })
})

test('a pod that is evicted is not used any more, and the reason is shown until there is another one', () => {
  const evicted = aPod('old', {
    phase: 'Failed',
    conditions: [
      { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'node drained' },
    ],
  })
  expect(look([evicted])).toMatchObject({ words: 'the pod was lost (node drained); the cluster makes another one' })
  const leaving = aPod('old', { phase: 'Running', containerStatuses: running })
  leaving.metadata.deletionTimestamp = '2026-01-01T00:00:09Z'
  expect(look([leaving])).toMatchObject({
    words: 'the pod was lost (it is being removed); the cluster makes another one',
  })
  const fresh = aPod('new', { phase: 'Running', containerStatuses: running })
  fresh.metadata.creationTimestamp = '2026-01-01T00:00:10Z'
  expect(look([leaving, fresh])).toMatchObject({ kind: 'ready', pod: 'new' })
})

test('what the cluster refuses before there is a pod is shown', () => {
  expect(look([], aJob('j'), [{ reason: 'FailedCreate', message: 'exceeded quota' }])).toEqual({
    kind: 'waiting',
    words: 'the cluster does not make the pod: exceeded quota',
    isStuck: true,
  })
})

const tried = (pod: string): ReturnType<typeof placeState> =>
  look([], aJob('zotui-poor-2e2449'), [
    { reason: 'FailedCreate', message: `pods "zotui-poor-2e2449-${pod}" is forbidden: exceeded quota: none` },
  ])

test('each try of the cluster has a new name for the pod, and is the same news', () => {
  expect(tried('52prd')).toEqual(tried('7plgp'))
  expect(tried('52prd')).toMatchObject({
    words: 'the cluster does not make the pod: pods "zotui-poor-2e2449-…" is forbidden: exceeded quota: none',
  })
})

const ended = (
  condition: { type: string; reason?: string; message?: string },
  pods: ReturnType<typeof aPod>[] = [],
): ReturnType<typeof placeState> => look(pods, aJob('j', { conditions: [condition] }))

test('each end of a Job is told', () => {
  const failed = aPod('p', { phase: 'Failed', containerStatuses: [over('agent', 137, 'OOMKilled')] })
  expect(ended({ type: 'Complete' })).toEqual({
    kind: 'ended',
    isFailure: false,
    words: 'the pod has ended itself: no zotui was there',
  })
  expect(ended({ type: 'Failed', reason: 'DeadlineExceeded', message: 'x' })).toMatchObject({
    isFailure: true,
    words: 'the deadline of the Job has passed',
  })
  expect(ended({ type: 'Failed', message: 'backoff limit' }, [failed])).toMatchObject({
    words: 'the Job has failed: backoff limit; OOMKilled, exit code 137',
  })
  expect(placeState({ job: undefined, pods: [], events: [], container: null })).toMatchObject({
    words: 'the Job is gone: it was removed, or its time to live has passed',
  })
})
