/** The other folders that a template gives to its container. The socket of an engine is none: whoever has it is root here. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { realPath } from '../../platform/real-path.ts'
import { isWithin } from '../../platform/within.ts'
import type { Template } from '../template.ts'
import { HOME, type ContainerMount } from './run-arguments.ts'
import type { ContainerTemplate } from './template.ts'

type MountPlace = { env: NodeJS.ProcessEnv; home: string }

/** @throws UserError that names the line of the template. */
export function personsMounts(template: Template<ContainerTemplate>, place: MountPlace): ContainerMount[] {
  return template.values.mounts.map(({ from, to = from, write }, at) => {
    const source = realPath(from.replace(/^~(?=\/)/, place.home))
    const stats = lstatSync(source, { throwIfNoEntry: false })
    if (!stats) throw template.fault(['mounts', at, 'from'], `${source} does not exist`)
    if (stats.isSocket() || holdsEngineSocket(source, place))
      throw template.fault(['mounts', at, 'from'], `${source} has the socket of a container engine or another program`)
    // The home folder there is another one.
    const target = to.replace(/^~(?=\/)/, to === from ? place.home : HOME)
    return { from: source, to: target, write }
  })
}

/** Whether an engine listens there, or in there. */
export function holdsEngineSocket(path: string, place: MountPlace): boolean {
  return socketsOf(place).some(socket => isWithin(path, socket))
}

/** Where engines listen. */
function socketsOf({ env, home }: MountPlace): string[] {
  const { XDG_RUNTIME_DIR: runtime = '', DOCKER_HOST: docker = '', CONTAINER_HOST: podman = '' } = env
  const named = [docker, podman].flatMap(each => /^unix:\/\/(\/.+)$/.exec(each)?.[1] ?? [])
  const ofHome = ['.docker/run/docker.sock', '.docker/desktop/docker.sock', '.colima/default/docker.sock']
  const ofRuntime = runtime === '' ? [] : ['docker.sock', 'podman/podman.sock'].map(each => join(runtime, each))
  return [...named, ...OF_SYSTEM, ...ofHome.map(each => join(home, each)), ...ofRuntime].map(path => realPath(path))
}

const OF_SYSTEM = '/run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock /run/crio/crio.sock'.split(
  ' ',
)
