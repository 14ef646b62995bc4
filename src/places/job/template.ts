/** The person's template of a Job: `jobs/NAME.yaml` in the folder of their settings. */
import { z } from 'zod'
import type { TemplateKind } from '../template.ts'

export const jobTemplates: TemplateKind = { folder: 'jobs', writer: 'zotui kubernetes template' }

/** As Kubernetes names its objects. */
const label = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a name has small letters, digits and dashes')
  .max(63)
const name = z
  .string()
  .regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/, 'a name has small letters, digits, dashes and full stops')
  .max(253)
const absolute = z.string().regex(/^\/[^\0]*$/, 'an absolute path is needed')
const minutes = (most: number): z.ZodNumber => z.number().min(1).max(most)
/** `2`, `500m`, `4Gi`. The cluster checks the rest. */
const quantity = z.union([z.number(), z.string().regex(/^[\d.]+[a-zA-Z]*$/, 'an amount is needed, such as 4Gi')])
const amounts = z.record(z.string(), quantity.transform(String))

const container = z.looseObject({
  name: label,
  command: z.undefined({ error: 'zotui sets the command of its container' }).optional(),
  args: z.undefined({ error: 'zotui sets the command of its container' }).optional(),
})

/** A whole Job. What zotui decides may not be in it. */
const wholeJob = z.looseObject({
  apiVersion: z.literal('batch/v1').optional(),
  kind: z.literal('Job').optional(),
  metadata: z
    .looseObject({
      name: z.undefined({ error: 'zotui names its Jobs' }).optional(),
      generateName: z.undefined({ error: 'zotui names its Jobs' }).optional(),
      namespace: z.undefined({ error: 'the namespace stands at the top of the template' }).optional(),
      labels: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  spec: z.looseObject({
    suspend: z.undefined({ error: 'zotui begins its Jobs' }).optional(),
    parallelism: z.literal(1).optional(),
    completions: z.literal(1).optional(),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()).optional() }).optional(),
      spec: z.looseObject({
        containers: z.array(z.looseObject({ name: label })).min(1, 'a container is needed'),
      }),
    }),
  }),
})

export const jobTemplateSchema = z
  .strictObject({
    /** Without it, the Job would begin wherever kubectl was last used. */
    context: z.string().min(1),
    namespace: label,
    image: z.string().min(1).optional(),
    serviceAccount: name.optional(),
    user: z.int().min(1, 'root is refused by runAsNonRoot').optional(),
    volume: z.strictObject({ claim: name, at: absolute }).optional(),
    folder: absolute.optional(),
    home: absolute.optional(),
    resources: z.strictObject({ requests: amounts.optional(), limits: amounts.optional() }).optional(),
    jobsAtOnce: z.int().min(1).max(100).default(2),
    startMinutes: minutes(24 * 60).default(10),
    idleMinutes: minutes(24 * 60).default(30),
    deadlineMinutes: minutes(30 * 24 * 60).default(8 * 60),
    ttlMinutes: minutes(30 * 24 * 60).default(60),
    /** What becomes of the Job when zotui ends. */
    afterwards: z.enum(['keep', 'remove']).default('keep'),
    /** The container of `job` in which the agent works; without it the first one. */
    container: label.optional(),
    job: wholeJob.optional(),
  })
  .superRefine(({ image, job, ...others }, context) => {
    if ((image === undefined) === (job === undefined))
      context.addIssue({ code: 'custom', path: [], message: 'either `image` or a whole Job in `job` is needed' })
    if (job === undefined) {
      if (others.container !== undefined)
        context.addIssue({ code: 'custom', path: ['container'], message: 'it names a container of `job`' })
      return
    }
    for (const key of ['serviceAccount', 'user', 'volume', 'resources', 'home'] as const)
      if (others[key] !== undefined)
        context.addIssue({ code: 'custom', path: [key], message: 'with `job`, it is written there' })
    const { containers } = job.spec.template.spec
    const at = others.container === undefined ? 0 : containers.findIndex(each => each.name === others.container)
    if (at < 0)
      context.addIssue({ code: 'custom', path: ['container'], message: '`job` has no container of this name' })
    for (const issue of container.safeParse(containers[at]).error?.issues ?? [])
      context.addIssue({
        code: 'custom',
        path: ['job', 'spec', 'template', 'spec', 'containers', Math.max(at, 0), ...issue.path],
        message: issue.message,
      })
  })

export type JobTemplate = z.output<typeof jobTemplateSchema>
