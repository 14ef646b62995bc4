/** The template of a container, as the person writes it in `containers/NAME.yaml`. Pure. */
import { z } from 'zod'
import type { TemplateKind } from '../template.ts'

export const containerTemplates: TemplateKind = { folder: 'containers', writer: 'zotui container template' }

export const containerEngines = ['docker', 'podman'] as const
export type ContainerEngineName = (typeof containerEngines)[number]

/** What can be added to the command line of the engine. Nothing of it gives the container rights over this machine. */
const MORE = ['add-host', 'dns', 'dns-search', 'hostname', 'platform', 'shm-size', 'stop-signal', 'tmpfs', 'ulimit']
/** Without its value a flag would take the next argument, which is ours, for it. */
const more = new RegExp(`^--(?:read-only|(?:${MORE.join('|')})=\\S.*)$`)

const absolute = z
  .string()
  .refine(path => /^(?:\/|~\/)/.test(path), 'is no absolute path')
  .refine(path => !/[:\p{Cc}]/u.test(path), 'a path with a colon cannot be mounted')

export const containerTemplateSchema = z.strictObject({
  engine: z.enum(containerEngines).optional(),
  image: z
    .string()
    .regex(/^[a-z0-9][\w./:@-]*$/i, 'is no name of an image')
    .max(512),
  pull: z.enum(['never', 'missing', 'always']).default('missing'),
  folder: z.enum(['mounted', 'cloned']).default('mounted'),
  user: z
    .union([z.int().nonnegative(), z.string().regex(/^[\w.-]+(?::[\w.-]+)?$/, 'is no user')])
    .transform(String)
    .optional(),
  home: z.enum(['kept', 'image']).default('kept'),
  network: z
    .string()
    .regex(/^[a-z0-9][\w.-]*$/i, 'is none, host, default, or the name of a network')
    .default('default'),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'is no name of a variable: values are taken from the environment here'))
    .max(200)
    .default([]),
  mounts: z
    .array(z.strictObject({ from: absolute, to: absolute.optional(), write: z.boolean().default(false) }))
    .max(50)
    .default([]),
  memory: z
    .string()
    .regex(/^[1-9]\d*[kmg]$/i, 'is no size such as 4g')
    .optional(),
  cpus: z.number().positive().max(1024).optional(),
  processes: z.int().min(20).max(1_000_000).optional(),
  arguments: z
    .array(
      z
        .string()
        .regex(more, `is none of those that can be added: --read-only, --${MORE.join(', --')} (as --name=value)`),
    )
    .max(50)
    .default([]),
  idleMinutes: z
    .number()
    .min(1)
    .max(24 * 60)
    .default(30),
})
export type ContainerTemplate = z.output<typeof containerTemplateSchema>

/** A template to begin with. */
export const containerExample = `# A container to work in: zotui --on container:NAME
# Only the image is needed. It must have sh, Node 18 or newer, git and the agent.
image: docker.io/library/node:24

# docker or podman. Without it: podman if it is there, else docker.
# engine: podman

# never, missing (if it is not here yet) or always.
pull: missing

# mounted: your folder, at the same path. What can run something later (.git/hooks, .git/config, .vscode, .envrc, ...) is read-only.
# cloned: the commits of the folder. What is new comes back as a branch at the end.
folder: mounted

# The user in the container: NAME or UID[:GID]. Without it: you, so that files belong to you.
# user: "1000:1000"

# kept: a home folder of its own, kept for this template and folder (logins, caches). image: that of the image.
home: kept

# default (what the engine gives it), none, host, or the name of a network.
network: default

# The names of variables that it gets from your environment. Values are not written here.
env: []

# Other folders or files, at the same path or at "to". Read-only unless "write: true".
mounts: []
#  - from: ~/.cargo/registry
#    to: /home/zotui/.cargo/registry
#    write: true

# memory: 8g
# cpus: 4
# processes: 4096

# It ends itself after so many minutes without zotui.
idleMinutes: 30
`
