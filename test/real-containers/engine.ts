/**
 * A real engine for containers, and an image that is made from programs of this machine: nothing is asked of a registry.
 *
 * It is podman with a storage of its own, or the Docker daemon at `ZOTUI_DOCKER`, such as `unix:///run/docker.sock`. A machine may be a
 * container itself, or have control groups that podman's runtime does not take. Then podman runs without them, or, as root, in a namespace
 * of mounts with others. Who is not root gets rootless containers.
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

/** Of this process alone: a daemon may serve several. */
export const IMAGE = `localhost/zotui-test:${process.pid}`

export const isRoot = process.getuid?.() === 0

export type RealEngine = {
  name: 'podman' | 'docker'
  /** The variables by which zotui finds it. */
  env: Record<string, string>
  /** How it runs here, for the report. */
  how: string
  /** Its output; throws where it fails. */
  run: (...args: readonly string[]) => string
  remove: () => void
}

const daemon = process.env['ZOTUI_DOCKER'] ?? ''
const program = findProgram(daemon === '' ? 'podman' : 'docker', process.env, '/nonexistent')

let lastWords = ''

/** Why there are none, for the report. */
export const whyNoContainers = (): string => `No container runs here: ${lastWords}`

/** Null where containers cannot run here; `whyNoContainers` says why. */
export function startEngine(): RealEngine | null {
  lastWords = daemon === '' ? 'there is no podman (Debian: podman)' : 'there is no docker'
  if (program === null) return null
  return daemon === '' ? startPodman(program) : useDocker(program)
}

type Call = (...args: readonly string[]) => { status: number | null; stdout: string; stderr: string }

function caller(file: string, env: Record<string, string>): Call {
  return (...args) => spawnSync(file, args, { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 60_000 })
}

function checked(name: string, call: Call): RealEngine['run'] {
  return (...args) => {
    const { status, stdout, stderr } = call(...args)
    if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
}

/** Whether a container runs; notes why not. */
function canRun(call: Call): boolean {
  const tried = call('run', '--rm', '--pull=never', '--network=none', IMAGE, 'sh', '-c', 'echo runs')
  lastWords = tried.stderr.trim().split('\n').at(-1) ?? ''
  return tried.stdout.trim() === 'runs'
}

const hasImage = (call: Call): boolean => call('image', 'inspect', IMAGE).status === 0

/** The daemon and its containers are the person's: only the image is made and removed. */
function useDocker(docker: string): RealEngine | null {
  const env = { PATH: PATHS, DOCKER_HOST: daemon }
  const call = caller(docker, env)
  const top = mkdtempSync(join(tmpdir(), 'zc-'))
  if (!hasImage(call)) importImage(top, call)
  const remove = (): void => {
    call('image', 'rm', IMAGE)
    rmSync(top, { recursive: true, force: true })
  }
  if (canRun(call)) return { name: 'docker', env, how: 'as it is', run: checked('docker', call), remove }
  remove()
  return null
}

const PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const LIMITS = 'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]'

/** The ways to run it, in order: the plain one first. */
const WAYS = [
  { how: 'as it is', settings: '', wraps: false },
  { how: 'with lower limits', settings: LIMITS, wraps: false },
  { how: 'without control groups', settings: `${LIMITS}\ncgroups = "disabled"`, wraps: false },
  { how: 'without control groups, in a namespace of mounts', settings: `${LIMITS}\ncgroups = "disabled"`, wraps: true },
]

function startPodman(podman: string): RealEngine | null {
  // The paths of sockets in it must be short.
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zc-')))
  const root = mkdtempSync('/var/tmp/zotui-podman-')
  const bin = join(top, 'bin')
  const storage = join(top, 'storage.conf')
  // The process that holds the namespace of rootless containers is found through this folder: these tests have their own.
  const runtime = join(top, 'user')
  for (const folder of [bin, runtime]) mkdirSync(folder, { mode: 0o700 })
  const graph = isRoot ? 'graphroot' : 'rootless_storage_path'
  writeFileSync(storage, `[storage]\ndriver = "overlay"\n${graph} = "${root}/graph"\nrunroot = "${root}/run"\n`)
  const settings = join(top, 'containers.conf')
  const env = {
    PATH: `${bin}:${PATHS}`,
    CONTAINERS_STORAGE_CONF: storage,
    CONTAINERS_CONF: settings,
    XDG_RUNTIME_DIR: runtime,
  }
  const file = join(bin, 'podman')
  const call = caller(file, env)
  const remove = (): void => {
    call('rm', '--all', '--force')
    if (isRoot) {
      // Storage on a disk is mounted over itself.
      spawnSync('umount', ['-l', join(root, 'graph/overlay')])
    } else {
      // Files of other users of the containers can be removed only in their namespace, which ends afterwards.
      call('unshare', 'rm', '-rf', root)
      call('system', 'migrate')
    }
    for (const folder of [top, root]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const { how, settings: lines, wraps } of WAYS) {
    writeFileSync(settings, `[containers]\n${lines}\n`)
    writeFileSync(file, wraps ? wrapped(podman) : `#!/bin/sh\nexec ${podman} "$@"\n`)
    chmodSync(file, 0o755)
    if (!hasImage(call)) importImage(top, call)
    if (canRun(call)) return { name: 'podman', env, how, run: checked('podman', call), remove }
  }
  remove()
  return null
}

const wrapped = (podman: string): string => `#!/bin/sh
exec unshare -m sh -c 'umount -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec ${podman} "$@"' podman "$@"
`

const PROGRAMS =
  'sh bash base64 head readlink stat cat ls mkdir rm cp mv ln chmod find cmp grep sed sleep touch env id uname tr ps mkfifo tail wc sort date git mktemp dirname basename rmdir'

/** Copies programs of this machine with their libraries. Node is the one that runs the tests. */
function importImage(top: string, call: Call): void {
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
  call('import', tar, IMAGE)
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
