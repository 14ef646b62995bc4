/** The Job that a template stands for. Pure. */
import { keepAliveScript } from '../keep-alive.ts'
import type { JobTemplate } from './template.ts'

/** The labels of zotui. `zotui/job` is also on the pods. */
export const LABELS = {
  managed: 'app.kubernetes.io/managed-by',
  template: 'zotui/template',
  person: 'zotui/person',
  folder: 'zotui/folder',
  job: 'zotui/job',
} as const

export type JobNames = {
  job: string
  template: string
  person: string
  /** A digest of the person's folder. */
  folder: string
}

const CONTAINER = 'agent'
/** How often the cluster may replace a pod that failed. Evictions do not count. */
const RETRIES = 3
/** Seconds for a pod to end. */
const GRACE = 10

/** The container in which the agent works. */
export function containerOf({ container, job }: JobTemplate): string {
  return container ?? job?.spec.template.spec.containers[0]?.name ?? CONTAINER
}

/** The folder to work in; null for the one in which the image begins. */
export function folderOf({ folder, volume }: JobTemplate): string | null {
  return folder ?? volume?.at ?? null
}

/**
 * The Job as it is created: suspended, so that no pod is made before it is known that there are not too many. The cluster replaces pods
 * that it evicts, and those that fail for some other reason a few times. A pod that ends by itself has done its work.
 */
export function makeJob(values: JobTemplate, names: JobNames): object {
  const labels = {
    [LABELS.managed]: 'zotui',
    [LABELS.template]: names.template,
    [LABELS.person]: names.person,
    [LABELS.folder]: names.folder,
    [LABELS.job]: names.job,
  }
  const whole = values.job ?? simpleJob(values)
  const { spec } = whole
  const pod = spec.template
  return {
    ...whole,
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...whole.metadata,
      name: names.job,
      namespace: values.namespace,
      labels: { ...whole.metadata?.labels, ...labels },
    },
    spec: {
      backoffLimit: RETRIES,
      podReplacementPolicy: 'Failed',
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      activeDeadlineSeconds: Math.ceil(values.deadlineMinutes * 60),
      ttlSecondsAfterFinished: Math.ceil(values.ttlMinutes * 60),
      ...spec,
      suspend: true,
      template: {
        ...pod,
        metadata: { ...pod.metadata, labels: { ...pod.metadata?.labels, ...labels } },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: GRACE,
          ...pod.spec,
          containers: pod.spec.containers.map(each =>
            each.name === containerOf(values) ? living(each, values) : each,
          ),
        },
      },
    },
  }
}

/** The container with the command that ends it when nobody is there. */
function living(container: object, values: JobTemplate): object {
  return { ...container, command: ['/bin/sh', '-c', lifeOf(values)] }
}

function lifeOf(values: JobTemplate): string {
  const { idleMinutes, job } = values
  const folder = folderOf(values)
  const folders = [...(job === undefined ? [homeOf(values)] : []), ...(folder === null ? [] : [folder])]
  return keepAliveScript({ minutes: idleMinutes, folders })
}

/** The user of the template may have no home folder in the image. */
function homeOf({ home, volume }: JobTemplate): string {
  return home ?? (volume === undefined ? '/tmp/home' : `${volume.at}/home`)
}

type WholeJob = NonNullable<JobTemplate['job']>

function simpleJob(values: JobTemplate): WholeJob {
  const { image, serviceAccount, volume, resources, user = 1000 } = values
  return {
    spec: {
      template: {
        spec: {
          ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            fsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [
            {
              name: CONTAINER,
              image,
              env: [{ name: 'HOME', value: homeOf(values) }],
              ...(resources && { resources }),
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              ...(volume && { volumeMounts: [{ name: 'work', mountPath: volume.at }] }),
            },
          ],
          ...(volume && { volumes: [{ name: 'work', persistentVolumeClaim: { claimName: volume.claim } }] }),
        },
      },
    },
  }
}
