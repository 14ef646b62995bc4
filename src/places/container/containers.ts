/** The containers that zotui has started, as the engine lists them. */
import { z } from 'zod'
import { parseJson } from '../../text/json.ts'
import { runEngine, type PlaceEngine } from '../run-engine.ts'
import { engineName, engineTrouble, type EngineTrouble } from './engine.ts'
import { FOLDER, PLACE, TEMPLATE } from './run-arguments.ts'
import type { ContainerEngineName } from './template.ts'

export type StartedContainer = {
  engine: ContainerEngineName
  name: string
  template: string
  /** The person's folder. */
  folder: string
  image: string
  isRunning: boolean
  /** As the engine says: `running`, `exited`, `paused`. */
  state: string
  /** In milliseconds since the Unix epoch; null if it has not started. */
  since: number | null
}

/** All texts come from the engine, and are not sanitised. */
const inspected = z.array(
  z.object({
    Name: z.string(),
    State: z.object({ Status: z.string(), Running: z.boolean(), StartedAt: z.string().optional() }),
    Config: z.object({
      Image: z.string().nullish(),
      Labels: z.record(z.string(), z.string()).nullish(),
    }),
  }),
)

/** A name of a container is an argument of the engine. */
const NAME = /^zotui-[a-z0-9-]+$/
const MOST = 200

export async function startedContainers(
  program: PlaceEngine,
  signal?: AbortSignal,
): Promise<readonly StartedContainer[] | EngineTrouble> {
  const args = ['ps', '--all', '--no-trunc', '--filter', `label=${PLACE}=container`, '--format', '{{.Names}}']
  const listed = await runEngine(program, { args, ...(signal && { signal }) })
  if (listed.how !== 'exited' || listed.exitCode !== 0)
    return engineTrouble(engineName(program), listed, 'list its containers')
  const names = listed.output.split('\n').filter(name => NAME.test(name))
  if (names.length === 0) return []
  return inspectContainers(names.slice(0, MOST), program, signal)
}

/** Those that are there of these. One that is gone meanwhile is left out. */
export async function inspectContainers(
  names: readonly string[],
  program: PlaceEngine,
  signal?: AbortSignal,
): Promise<readonly StartedContainer[]> {
  const args = ['inspect', '--type', 'container', ...names]
  const { output } = await runEngine(program, { args, ...(signal && { signal }) })
  const read = inspected.safeParse(parseJson(output))
  if (!read.success) return []
  return read.data.flatMap(({ Name, State, Config }) => {
    const labels = new Map(Object.entries(Config.Labels ?? {}))
    if (labels.get(PLACE) !== 'container') return []
    const since = Date.parse(State.StartedAt ?? '')
    return {
      engine: engineName(program),
      name: Name.replace(/^\//, ''),
      template: labels.get(TEMPLATE) ?? '',
      folder: labels.get(FOLDER) ?? '',
      image: Config.Image ?? '',
      isRunning: State.Running && State.Status !== 'paused',
      state: State.Status,
      // One that never started has the year 1.
      since: since > 0 ? since : null,
    }
  })
}
