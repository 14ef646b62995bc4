/** Docker or podman: finds the one that a template means, and says in one line why it does not work. */
import { UserError } from '../../platform/errors.ts'
import { onlyInProject, searchProgram } from '../../platform/programs.ts'
import type { ProgramResult } from '../../platform/shell/run-program.ts'
import { sentence } from '../../text/sentence.ts'
import { findEngine, runEngine, type EngineRun, type PlaceEngine } from '../run-engine.ts'
import { containerEngines, type ContainerEngineName } from './template.ts'

export type ContainerEngine = {
  name: ContainerEngineName
  /** Whether root in a container is the person outside of it. */
  isRootless: boolean
  hasSelinux: boolean
  run: (run: EngineRun) => Promise<ProgramResult>
  program: PlaceEngine
}

/** Podman first: it needs no service of the system, and no rights. */
const ORDER: readonly ContainerEngineName[] = ['podman', 'docker']

/** An engine that does not answer must not hold up the start. */
const FACTS_LIMIT = 15_000

/** The programs of the engines that are here, outside of the project. */
export function containerPrograms(env: NodeJS.ProcessEnv, folder: string): PlaceEngine[] {
  return ORDER.flatMap(name => findEngine(name, env, folder) ?? [])
}

/** @throws UserError with exit code 2 where there is none, or none that works. */
export async function findContainerEngine(
  wanted: ContainerEngineName | undefined,
  { env, folder, signal }: { env: NodeJS.ProcessEnv; folder: string; signal?: AbortSignal },
): Promise<ContainerEngine> {
  const programs = containerPrograms(env, folder).filter(({ name }) => wanted === undefined || name === wanted)
  if (programs.length === 0) throw missing(wanted, env, folder)
  let first: EngineTrouble | null = null
  for (const program of programs) {
    const found = await engineOf(program, signal)
    if (!(found instanceof EngineTrouble)) return found
    first ??= found
  }
  throw first ?? missing(wanted, env, folder)
}

function missing(wanted: ContainerEngineName | undefined, env: NodeJS.ProcessEnv, folder: string): UserError {
  const names = wanted === undefined ? ORDER : [wanted]
  const ofProject = names.flatMap(name => searchProgram(name, env, folder).ofProject ?? [])
  const [first] = ofProject
  const what = wanted ?? 'docker and no podman'
  return new UserError(
    `There is no ${what} here.`,
    first === undefined ? `Install ${wanted ?? 'one of them'}.` : sentence(onlyInProject(first)),
    2,
  )
}

const FACTS: Readonly<Record<ContainerEngineName, string>> = {
  podman: '{{.Host.Security.Rootless}} {{.Host.Security.SELinuxEnabled}}',
  docker: '{{json .SecurityOptions}}',
}

export function engineName({ name }: PlaceEngine): ContainerEngineName {
  return containerEngines.find(each => each === name) ?? 'docker'
}

async function engineOf(program: PlaceEngine, signal?: AbortSignal): Promise<ContainerEngine | EngineTrouble> {
  const name = engineName(program)
  const run = (each: EngineRun): Promise<ProgramResult> => runEngine(program, each)
  const facts = await run({ args: ['info', '--format', FACTS[name]], limit: FACTS_LIMIT, ...(signal && { signal }) })
  if (facts.how !== 'exited' || facts.exitCode !== 0) return engineTrouble(name, facts)
  const [rootless = '', selinux = ''] = facts.output.trim().split(' ')
  const isPodman = name === 'podman'
  return {
    name,
    isRootless: isPodman ? rootless === 'true' : facts.output.includes('name=rootless'),
    hasSelinux: isPodman ? selinux === 'true' : facts.output.includes('name=selinux'),
    run,
    program,
  }
}

/** Why an engine did not do something. `isUnreachable`: there is only its client, or it is just starting. */
export class EngineTrouble extends UserError {
  readonly isUnreachable: boolean

  constructor(message: string, hint = '', isUnreachable = false) {
    super(message, hint, 2)
    this.isUnreachable = isUnreachable
  }
}

type EngineFault = {
  pattern: RegExp
  reason: (engine: ContainerEngineName) => string
  hint: string
  isUnreachable?: true
}

const KNOWN: readonly EngineFault[] = [
  {
    pattern: /Cannot connect to the Docker daemon|docker daemon is not running|error during connect/iu,
    reason: () => 'the Docker daemon is not running or cannot be reached',
    hint: 'Start it, or set DOCKER_HOST.',
    isUnreachable: true,
  },
  {
    pattern: /permission denied.*docker.*sock/isu,
    reason: () => 'you may not use the Docker daemon',
    hint: 'Use podman, rootless Docker, or a group that may: whoever may use it is root on this machine.',
  },
  {
    pattern: /Cannot connect to Podman|unable to connect to Podman/iu,
    reason: () => 'podman cannot be reached',
    hint: 'Start its machine: podman machine start',
    isUnreachable: true,
  },
  {
    pattern: /no space left on device/iu,
    reason: engine => `the disk of ${engine} is full`,
    hint: 'Its prune command frees room: system prune',
  },
]

/** The last words of the engine, in one line. */
function lastWords({ errors, output }: Pick<ProgramResult, 'errors' | 'output'>): string {
  const lines = `${output}\n${errors}`.split('\n').flatMap(line => line.trim() || [])
  const told = lines.findLast(line => /^error/i.test(line)) ?? lines.at(-1) ?? ''
  return told
    .replace(/^Error(?: response from daemon)?: (?:error: )?/i, '')
    .replace(/^time="[^"]*" level=\w+ msg="(.*)"$/, '$1')
    .slice(0, 400)
}

/** Why the engine could not do something; `did` completes "docker did not ...". */
export function engineTrouble(name: ContainerEngineName, result: ProgramResult, did = 'answer'): EngineTrouble {
  if (result.how === 'timeout') return new EngineTrouble(`${name} did not ${did} in time.`, 'Is its service busy?')
  if (result.how === 'aborted') return new EngineTrouble('Stopped.')
  const known = KNOWN.find(({ pattern }) => pattern.test(result.errors) || pattern.test(result.output))
  if (known) return new EngineTrouble(sentence(known.reason(name)), known.hint, known.isUnreachable)
  const words = lastWords(result) || (result.exitCode === null ? 'it could not be run' : `exit code ${result.exitCode}`)
  return new EngineTrouble(sentence(`${name} did not ${did}: ${words}`))
}
