/** What `/sandbox` shows of the machine. */
import { join } from 'node:path'
import { knownAgents } from '../../../src/agents/acp/known-agents.ts'
import { boxNeeds } from '../../../src/agents/acp/box/needs.ts'
import { ownFacts } from '../../../src/agents/acp/box/places.ts'
import { MEERKAT } from '../../../src/agents/meerkat/program.ts'
import { ROZ } from '../../../src/agents/roz/name.ts'
import type { SandboxReport } from '../../../src/app/context/host.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { heldPlaces } from '../../../src/platform/held-places.ts'
import { messageOf } from '../../../src/platform/errors.ts'
import { sandboxProblem } from '../../../src/sandbox/command-boxes.ts'
import { sandboxFacts } from '../../../src/sandbox/facts.ts'
import { sandboxOptions, sandboxSource } from '../start/sandbox.ts'

type ReportedPlace = { folder: string; env: NodeJS.ProcessEnv; home: string }

const nothing = {
  waiting: [],
  writable: [],
  held: [],
  hidden: { secrets: 0, sockets: 0 },
  home: null,
  hosts: [],
  problems: [],
  agent: null,
}

/** Agents whose commands run here. Others are held as a whole. */
const heldByCommand: ReadonlySet<string> = new Set(['zot', 'demo', MEERKAT.name, ROZ.name])

/** The name in the table of agents, also for one that was started by its command. */
function nameOf(agent: string): string | null {
  return knownAgents.find(({ name, command }) => name === agent || command === agent)?.name ?? null
}

/** `agent` is the name of the agent. Never rejects. */
export async function sandboxReport(
  settings: SettingsStore,
  place: ReportedPlace,
  agent: string,
): Promise<SandboxReport> {
  const options = sandboxOptions(settings)
  const state = { level: options.level(), setBy: sandboxSource(settings) }
  const problem = await sandboxProblem(options, place)
  if (problem !== null) return { ...state, ...nothing, problem }
  try {
    const { writable, held, hidden, sockets, home, hosts, problems } = sandboxFacts(options, place)
    const isWhole = !heldByCommand.has(agent)
    return {
      ...state,
      problem: null,
      writable,
      held,
      hidden: { secrets: hidden.length, sockets },
      home: home === null ? null : join(home, '..'),
      hosts,
      problems,
      waiting: heldPlaces(place.folder)
        .list()
        .map(({ path }) => path),
      agent: isWhole ? ownFacts(boxNeeds(nameOf(agent)), place.env) : null,
    }
  } catch (error) {
    return { ...state, ...nothing, problem: messageOf(error) }
  }
}

/** Never rejects. */
export function answerLeft(folder: string, path: string, answer: 'keep' | 'remove'): Promise<string | null> {
  return heldPlaces(folder).answer(path, answer)
}
