/**
 * A real podman with a storage of its own, and an image that is made from programs of this machine: nothing is asked of a registry.
 *
 * A machine may be a container itself, or have control groups that podman's runtime does not take. Then podman runs without them, or in a
 * namespace of mounts with others.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { findProgram } from '../../src/platform/programs.ts'

export const IMAGE = 'localhost/zotui-test:1'

export type RealPodman = {
  /** The variables by which podman and zotui find it. */
  env: Record<string, string>
  /** How it runs here, for the report. */
  how: string
  /** Its output; throws where it fails. */
  podman: (...args: readonly string[]) => string
  remove: () => void
}

const system = findProgram('podman', process.env, '/nonexistent')

let lastWords = ''

/** Why there are none, for the report. */
export const whyNoContainers = (): string =>
  system === null
    ? 'No container runs here: there is no podman (Debian: podman).'
    : `No container runs here: ${lastWords || 'podman does not start one'}`

const LIMITS = 'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]'

/** The ways to run it, in order: the plain one first. */
const WAYS = [
  { how: 'as it is', settings: '', wraps: false },
  { how: 'with lower limits', settings: LIMITS, wraps: false },
  { how: 'without control groups', settings: `${LIMITS}\ncgroups = "disabled"`, wraps: false },
  { how: 'without control groups, in a namespace of mounts', settings: `${LIMITS}\ncgroups = "disabled"`, wraps: true },
]

/** Null where containers cannot run here; `whyNoContainers` says why. */
export function startPodman(): RealPodman | null {
  if (system === null) return null
  // The paths of sockets in it must be short.
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zc-')))
  const root = mkdtempSync('/var/tmp/zotui-podman-')
  const bin = join(top, 'bin')
  mkdirSync(bin)
  const storage = join(top, 'storage.conf')
  writeFileSync(storage, `[storage]\ndriver = "overlay"\ngraphroot = "${root}/graph"\nrunroot = "${root}/run"\n`)
  const settings = join(top, 'containers.conf')
  const env = {
    PATH: `${bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    CONTAINERS_STORAGE_CONF: storage,
    CONTAINERS_CONF: settings,
  }
  const run = (...args: readonly string[]) =>
    spawnSync(join(bin, 'podman'), args, { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 60_000 })
  const remove = (): void => {
    if (existsSync(join(bin, 'podman'))) run('rm', '--all', '--force')
    // Storage on a disk is mounted over itself.
    spawnSync('umount', ['-l', join(root, 'graph/overlay')])
    for (const folder of [top, root]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const { how, settings: lines, wraps } of WAYS) {
    writeFileSync(settings, `[containers]\n${lines}\n`)
    writeFileSync(join(bin, 'podman'), wraps ? WRAPPED : `#!/bin/sh\nexec ${system} "$@"\n`)
    chmodSync(join(bin, 'podman'), 0o755)
    if (!hasImage(run)) importImage(top, join(bin, 'podman'), { ...process.env, ...env })
    const tried = run('run', '--rm', '--pull=never', '--network=none', IMAGE, 'sh', '-c', 'echo runs')
    if (tried.stdout.trim() !== 'runs') {
      lastWords = tried.stderr.trim().split('\n').at(-1) ?? ''
      continue
    }
    const podman = (...args: readonly string[]): string => {
      const { status, stdout, stderr } = run(...args)
      if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`)
      return stdout
    }
    return { env, how, podman, remove }
  }
  remove()
  return null
}

const WRAPPED = `#!/bin/sh
exec unshare -m sh -c 'umount -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec ${system} "$@"' podman "$@"
`

function hasImage(run: (...args: readonly string[]) => { status: number | null }): boolean {
  return run('image', 'inspect', IMAGE).status === 0
}

const PROGRAMS =
  'sh bash base64 head readlink stat cat ls mkdir rm cp mv ln chmod find cmp grep sed sleep touch env id uname tr ps mkfifo tail wc sort date git mktemp dirname basename rmdir'

/** Copies programs of this machine with their libraries. Node is the one that runs the tests. */
function importImage(top: string, podman: string, env: NodeJS.ProcessEnv): void {
  const root = join(top, 'root')
  for (const folder of ['usr/bin', 'etc', 'tmp', 'var/tmp', 'root', 'home', 'proc', 'sys', 'dev', 'run'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['tmp', 'var/tmp', 'home']) chmodSync(join(root, folder), 0o1777)
  symlinkSync('usr/bin', join(root, 'bin'))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000:me:/home:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nme:x:1000:\n')
  const found = PROGRAMS.split(' ').map(name => [name, findProgram(name, { PATH: '/usr/bin:/bin' }, '/nonexistent')])
  for (const [name, path] of [...found, ['node', process.execPath]]) if (name && path) addProgram(root, name, path)
  const tar = join(top, 'root.tar')
  execFileSync('tar', ['-C', root, '-cf', tar, '.'])
  execFileSync(podman, ['import', tar, IMAGE], { env, stdio: 'ignore' })
  rmSync(tar)
  rmSync(root, { recursive: true, force: true })
}

function addProgram(root: string, name: string, path: string): void {
  const file = realpathSync(path)
  copyFileSync(file, join(root, 'usr/bin', name))
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' })
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    const to = join(root, library)
    if (existsSync(to)) continue
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(realpathSync(library), to)
  }
}
