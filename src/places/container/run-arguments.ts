/** The command line that starts a container. Pure. */
import type { RepositoryPlaces } from '../../sandbox/repositories.ts'
import { keepAliveScript } from '../keep-alive.ts'
import type { ContainerEngine } from './engine.ts'
import type { ContainerTemplate } from './template.ts'

/** The labels of containers that zotui has started. */
export const PLACE = 'zotui.place'
export const TEMPLATE = 'zotui.template'
export const FOLDER = 'zotui.folder'

/** The home folder in it, if it has one of its own. */
export const HOME = '/home/zotui'

/** Held parts that are mounted at most: each is an argument. */
const MOST_HELD = 400

export type ContainerMount = { from: string; to: string; write: boolean }

export type ContainerRun = {
  name: string
  template: ContainerTemplate
  templateName: string
  /** The person's folder. The container has it, or its clone, at this path. */
  folder: string
  /** The folder outside: the same one, or the clone. */
  source: string
  /** Parts of the folder that stay as they are. */
  held: RepositoryPlaces
  /** The person's folder that is its home folder; null for the image's. */
  home: string | null
  mounts: readonly ContainerMount[]
  /** An empty file and an empty folder, for held parts that are not there. */
  empty: { file: string; folder: string }
  /** The person, on this machine. */
  user: { uid: number; gid: number }
  engine: Pick<ContainerEngine, 'name' | 'isRootless' | 'hasSelinux'>
  hasInit: boolean
}

/** The arguments of the engine. */
export function runArguments(run: ContainerRun): string[] {
  const { name, template, templateName, folder, engine, hasInit } = run
  const labels = [`${PLACE}=container`, `${TEMPLATE}=${templateName}`, `${FOLDER}=${folder}`]
  const { network, memory, cpus, processes } = template
  return [
    // The runtime gives standard input to the user of the container. Without a pipe of the engine's own that may be this machine's /dev/null.
    ['run', '--detach', '--interactive', '--rm', '--pull=never', '--name', name],
    hasInit ? ['--init'] : [],
    labels.flatMap(label => ['--label', label]),
    ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // A label for the container would have to be given to the person's own files, which stay as they are.
    engine.hasSelinux ? ['--security-opt', 'label=disable'] : [],
    userArguments(run),
    network === 'default' ? [] : [`--network=${network}`],
    template.env.flatMap(each => ['--env', each]),
    run.home === null ? [] : ['--env', `HOME=${HOME}`],
    mountsOf(run).flatMap(({ from, to, write }) => ['--volume', `${from}:${to}:${write ? 'rw' : 'ro'}`]),
    ['--workdir', folder],
    memory === undefined ? [] : [`--memory=${memory}`],
    cpus === undefined ? [] : [`--cpus=${cpus}`],
    processes === undefined ? [] : [`--pids-limit=${processes}`],
    template.arguments,
    ['--entrypoint', 'sh', template.image, '-c', keepAliveScript({ minutes: template.idleMinutes, folders: [] })],
  ].flat()
}

/** The user in the container is the person outside, so that files belong to the person. */
function userArguments({ engine, user: { uid, gid }, template }: ContainerRun): string[] {
  const isKept = engine.name === 'podman' && engine.isRootless
  const own = engine.isRootless && !isKept ? '0:0' : `${uid}:${gid}`
  return [...(isKept ? ['--userns=keep-id'] : []), '--user', template.user ?? own]
}

/** What lies in a folder comes after it. */
export function mountsOf({ folder, source, held, home, mounts, empty }: ContainerRun): ContainerMount[] {
  const all: ContainerMount[] = [
    ...same(held.seen, false),
    ...same(held.writable, true),
    { from: source, to: folder, write: true },
    ...(home === null ? [] : [{ from: home, to: HOME, write: true }]),
    ...mounts,
    ...same(held.held, false),
    ...held.absent.map(({ path, isFolder }) => ({
      from: isFolder ? empty.folder : empty.file,
      to: path,
      write: false,
    })),
  ]
  // Of two for one path the last one counts, and engines refuse both.
  const byPath = new Map(all.map(mount => [mount.to, mount]))
  return [...byPath.values()].toSorted((one, other) => depth(one.to) - depth(other.to))
}

function same(paths: readonly string[], write: boolean): ContainerMount[] {
  return paths.map(path => ({ from: path, to: path, write }))
}

const depth = (path: string): number => path.split('/').length

/** Why they cannot be mounted, as a sentence without its full stop; null if they can. */
export function whyUnmountable(run: ContainerRun): string | null {
  const { held, folder, source, mounts } = run
  const strange = mountsOf(run).find(({ from, to }) => /[:\p{Cc}]/u.test(from + to))
  if (strange) return `${strange.to} has a colon or a control character in its path, and cannot be mounted`
  const count = held.held.length
  if (count > MOST_HELD) return `there are ${count} protected files, more than can be mounted`
  const kept = [...held.held, ...held.absent.map(({ path }) => path)]
  const inKept = mounts.find(({ to }) => kept.some(path => isIn(path, to)))
  if (inKept) return `the template mounts something into ${inKept.to}, which stays as it is`
  // At another path nothing of it would be held.
  const own = [source, folder, ...held.writable]
  const again = mounts.find(({ from, write }) => write && own.some(path => isIn(from, path) || isIn(path, from)))
  return again ? `the template mounts ${again.from} writable, which has the folder or is in it` : null
}

const isIn = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || folder === '/'
