/**
 * `--on container:TEMPLATE`: a container that zotui starts for the folder, and ends. What is the person's is outside of it: the folder or its
 * clone, and its home folder. So a container that was killed is replaced by another one of its name, in which the session goes on.
 */
import { lookup } from '../../text/lookup.ts'
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, UserError } from '../../platform/errors.ts'
import { makeFolder } from '../../platform/folders.ts'
import { heldPlaces, type UnseenCommand } from '../../platform/held-places.ts'
import { isThere, realPath } from '../../platform/real-path.ts'
import { createMachine, type RemoteMachine } from '../../platform/remote/machine.ts'
import { BOOT } from '../../platform/remote/quoting.ts'
import type { Target } from '../../platform/remote/target.ts'
import { watchProtected } from '../../sandbox/appeared.ts'
import { holdAppeared } from '../../sandbox/command-boxes.ts'
import { nothing } from '../../sandbox/repositories.ts'
import { partsHeld } from '../../sandbox/write-places.ts'
import { counted } from '../../text/counted.ts'
import { sentence } from '../../text/sentence.ts'
import { keepVisiting, type Visits } from '../keep-alive.ts'
import { askAndLeave } from '../run-engine.ts'
import type { OpenStartedPlace, PlaceStart, StartedPlace } from '../started-place.ts'
import { readTemplate, type Template } from '../template.ts'
import { clonedFolder, containerClone, emptyPlaces, type ContainerClone } from './clone.ts'
import { inspectContainers } from './containers.ts'
import { engineTrouble, findContainerEngine, type ContainerEngine } from './engine.ts'
import { holdsEngineSocket, personsMounts } from './persons-mounts.ts'
import { runArguments, whyUnmountable, type ContainerRun } from './run-arguments.ts'
import { containerTemplates, containerTemplateSchema, type ContainerTemplate } from './template.ts'
import { containerUses, type ContainerUses } from './uses.ts'

/** Milliseconds for the image, and for the start. */
const PULL_LIMIT = 30 * 60_000
const START_LIMIT = 120_000
/** Milliseconds for an engine to come back after it was restarted, and between two looks. */
const BACK_LIMIT = 60_000
const BACK_PACE = 1000

/** A container, and all that belongs to it. */
type ContainerInUse = {
  name: string
  /** The person's folder, without links. */
  folder: string
  template: Template<ContainerTemplate>
  engine: ContainerEngine
  uses: ContainerUses
  clone: ContainerClone | null
  start: PlaceStart
}

export const openContainerPlace: OpenStartedPlace = async (words, start) => {
  const [, templateName = '', again] = /^container:([^/]*)(?:\/(.*))?$/s.exec(words) ?? []
  if (templateName === '' || again === '')
    throw new UserError(`"${words}" names no container.`, 'Use container:TEMPLATE.', 2)
  const template = await readTemplate(start.configFolder, containerTemplates, templateName, containerTemplateSchema)
  const folder = realPath(start.folder)
  const { env, signal, stateFolder } = start
  const engine = await findContainerEngine(template.values.engine, { env, folder, signal })
  const found = again === undefined ? null : await former(engine, again, templateName, start)
  const name = again ?? `zotui-${templateName}-${randomBytes(4).toString('hex')}`
  const place = { name, folder: found?.folder ?? folder, template, engine, start }
  const isCloned = template.values.folder === 'cloned'
  const clone = isCloned ? containerClone({ container: name, folder: place.folder, stateFolder, env }) : null
  const open: ContainerInUse = { ...place, uses: containerUses(stateFolder, name), clone }
  return begin(open)
}

/** The container of before. @throws UserError where there is nothing of it. */
async function former(
  { program, name: engine }: ContainerEngine,
  name: string,
  template: string,
  { signal, stateFolder }: PlaceStart,
): Promise<{ folder: string }> {
  if (!/^zotui-[a-z0-9-]{1,80}$/.test(name)) throw new UserError(`"${name}" is no container of zotui.`, '', 2)
  const [found] = await inspectContainers([name], program, signal)
  if (found) {
    if (found.template === template) return { folder: found.folder }
    throw new UserError(`${name} is not of the template ${template}.`, `Its template is ${found.template}.`, 2)
  }
  const cloned = clonedFolder(stateFolder, name)
  if (cloned !== null) return { folder: cloned }
  throw new UserError(
    `The container ${name} of ${engine} is gone.`,
    `--on container:${template} starts another one.`,
    2,
  )
}

async function begin(open: ContainerInUse): Promise<StartedPlace> {
  const { name, template, engine, folder, uses, clone, start } = open
  const target: Target = {
    name: `container:${template.name}`,
    identity: '',
    file: engine.name,
    args: ['exec', '-i', '-w', '/', name, 'sh', '-c', BOOT],
    folder,
  }
  // What is made in a folder that is mounted can run something here later.
  const looked = clone === null ? await lookBefore(folder) : null
  let visits: Visits | null = null
  let isOver = false
  let ending: Promise<string | null> | null = null
  uses.begin()
  try {
    await ensureRunning(open, start.signal)
    const machine = machineOf(target, start.env)
    if (clone) {
      start.progress('cloning the folder')
      await clone.fill(machine, start.signal).finally(() => machine.close())
    }
    visits = keepVisiting(() => target, start.env)
    const problem = await visits.visit()
    if (problem !== null) throw new UserError(sentence(`the container does not answer: ${problem}`), '', 2)
  } catch (error) {
    visits?.stop()
    looked?.drop()
    await remove(open)
    throw error
  }

  async function end(): Promise<string | null> {
    isOver = true
    visits?.stop()
    const told: string[] = []
    if (clone) {
      const machine = machineOf(target, start.env)
      const problem = await ensureRunning(open, AbortSignal.timeout(BACK_LIMIT)).then(() => null, messageOf)
      const back = problem === null ? await clone.bringBack(machine) : null
      machine.close()
      told.push(back?.words ?? sentence(`what is new stays in ${clone.folder}: ${problem ?? ''}`))
    }
    told.push((await remove(open)) ?? '')
    if (looked) told.push(await looked.after())
    return told.filter(each => each !== '').join(' ') || null
  }

  return {
    name: `container:${template.name}/${name}`,
    target: () => target,
    again: `container:${template.name}/${name}`,
    async comeBack(signal) {
      try {
        await ensureRunning(open, AbortSignal.any([signal, AbortSignal.timeout(BACK_LIMIT)]))
        const problem = (await visits?.visit()) ?? null
        return problem === null ? null : sentence(`the container ${name} does not answer: ${problem}`)
      } catch (error) {
        return messageOf(error)
      }
    },
    end: () => (ending ??= end().catch(error => sentence(messageOf(error)))),
    leave() {
      if (isOver) return
      isOver = true
      visits?.stop()
      // A clone is there that has not come back: the container ends itself, and the clone stays.
      if (!uses.end() && clone === null) askAndLeave(engine.program, ['rm', '--force', name])
    },
  }
}

function machineOf(target: Target, env: NodeJS.ProcessEnv): RemoteMachine {
  return createMachine(target, env)
}

/** Removes it if no other zotui uses it. Resolves to what was left, as a sentence. */
async function remove({ name, engine, uses }: ContainerInUse): Promise<string | null> {
  if (uses.end()) return null
  const result = await engine.run({ args: ['rm', '--force', name] })
  const isGone = (result.how === 'exited' && result.exitCode === 0) || /no such container/i.test(result.errors)
  return isGone ? null : engineTrouble(engine.name, result, `remove ${name}`).message
}

/** Starts it where it does not run. @throws UserError */
async function ensureRunning(open: ContainerInUse, signal: AbortSignal): Promise<void> {
  const { name, engine } = open
  for (;;) {
    const [found] = await inspectContainers([name], engine.program, signal)
    if (found?.isRunning === true) return
    // Engines remove what has ended by and by, and a paused one would answer nothing.
    if (found) await engine.run({ args: ['rm', '--force', name], signal })
    const problem = await startContainer(open, signal)
    if (problem === null) return
    if (!problem.isPassing || signal.aborted) throw problem.error
    await pause(BACK_PACE, undefined, { signal }).catch(() => {})
  }
}

type StartProblem = { error: UserError; /** The engine may just be starting again. */ isPassing: boolean }

async function startContainer(open: ContainerInUse, signal: AbortSignal): Promise<StartProblem | null> {
  const { engine, template, start } = open
  await bringImage(open, signal)
  start.progress('starting the container')
  const run = describedRun(open)
  for (const hasInit of [true, false]) {
    const result = await engine.run({ args: runArguments({ ...run, hasInit }), signal, limit: START_LIMIT })
    if (result.how === 'exited' && result.exitCode === 0) return null
    // Podman leaves a container that it could not start.
    await engine.run({ args: ['rm', '--force', open.name] })
    const lacksInit = hasInit && /catatonit|container-init|docker-init/i.test(result.errors)
    if (lacksInit) continue
    const error = /name .*already in use/i.test(result.errors)
      ? null
      : engineTrouble(engine.name, result, `start ${template.values.image}`)
    if (error === null) return null
    return {
      error,
      isPassing: error.isUnreachable && start.signal !== signal,
    }
  }
  return { error: new UserError(`${engine.name} has no init program.`, '', 2), isPassing: false }
}

async function bringImage({ engine, template, start }: ContainerInUse, signal: AbortSignal): Promise<void> {
  const { image, pull } = template.values
  const found = await engine.run({ args: ['image', 'inspect', '--format', '{{.Id}}', image], signal })
  const isHere = found.how === 'exited' && found.exitCode === 0
  if (isHere && pull !== 'always') return
  if (!isHere && !/no such (?:image|object)|not known|not found/i.test(found.errors))
    throw engineTrouble(engine.name, found, `look at ${image}`)
  if (pull === 'never')
    throw template.fault(
      ['image'],
      `there is no image ${image} here, and "pull" is never: ${engine.name} pull ${image}`,
    )
  start.progress(`pulling the image ${image}`)
  const pulled = await engine.run({ args: ['pull', '--quiet', image], signal, limit: PULL_LIMIT })
  if (pulled.how !== 'exited' || pulled.exitCode !== 0) throw engineTrouble(engine.name, pulled, `pull ${image}`)
}

function describedRun(open: ContainerInUse): Omit<ContainerRun, 'hasInit'> {
  const { name, folder, template, engine, clone, start } = open
  const { env, stateFolder } = start
  const unset = template.values.env.filter(each => lookup(env, each) === undefined)
  if (unset.length > 0) start.progress(`not set here: ${unset.join(', ')}`)
  const run = {
    name,
    template: template.values,
    templateName: template.name,
    folder,
    source: clone?.folder ?? folder,
    held: clone === null ? heldParts(folder, env) : nothing,
    home: template.values.home === 'kept' ? homeOf(stateFolder, template.name, folder) : null,
    mounts: personsMounts(template, { env, home: homedir() }),
    empty: emptyPlaces(stateFolder),
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    engine,
  }
  const why = whyUnmountable({ ...run, hasInit: false })
  if (why !== null) throw new UserError(sentence(why), 'With `folder: cloned` it is not mounted.', 2)
  if (clone === null && holdsEngineSocket(folder, { env, home: homedir() }))
    throw new UserError(`${folder} has the socket of a container engine, and cannot be mounted.`, '', 2)
  for (const place of run.held.absent) makeMountPoint(place)
  if (clone) makeFolder(clone.folder)
  return run
}

/** The engine would make it, perhaps as root. What is empty decides nothing. */
function makeMountPoint({ path, isFolder }: ContainerRun['held']['absent'][number]): void {
  if (isFolder) makeFolder(path, 0o755)
  else if (!isThere(path)) writeFileSync(path, '', { flag: 'wx' })
}

function heldParts(folder: string, env: NodeJS.ProcessEnv): ContainerRun['held'] {
  try {
    return partsHeld(folder, env)
  } catch (error) {
    throw new UserError(sentence(messageOf(error)), 'Or use `folder: cloned` in the template.', 2)
  }
}

/** The home folder of the containers of one template and one folder: another project must not find what this one has left. */
function homeOf(stateFolder: string, template: string, folder: string): string {
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const home = join(stateFolder, 'places', 'homes', `${template}-${mark}`)
  makeFolder(home)
  return home
}

type LookedBefore = {
  /** Says what has appeared, as a sentence, and holds it; '' for nothing. */
  after: () => Promise<string>
  /** Nothing has run. */
  drop: () => void
}

async function lookBefore(folder: string): Promise<LookedBefore> {
  const places = heldPlaces(folder)
  const begun: UnseenCommand = places.begin()
  const look = await watchProtected(folder).begin()
  return {
    async after() {
      const waiting = places.list()
      const left = holdAppeared(folder, await look.after(), { waiting, ...begun })
      return left.length === 0
        ? ''
        : `${counted(left.length, 'place')} in ${folder} can run something later and came from the container: /sandbox lists them.`
    },
    drop: () => begun.end(),
  }
}
