/** The sandbox of an agent that runs its commands itself: it holds the whole process of the agent. */
import { basename, join } from 'node:path'
import process from 'node:process'
import { CannotStart } from '../../host/driver.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { CommandBox } from '../../../platform/shell/run.ts'
import type { SandboxOptions } from '../../../sandbox/command-boxes.ts'
import { isListed, parseHostRule, type HostRule } from '../../../sandbox/network/hosts.ts'
import { createBoxNetwork } from '../../../sandbox/network/network.ts'
import { writeBox } from '../../../sandbox/write-box.ts'
import type { AsksForMore } from '../../../local-tools/sandbox.ts'
import type { AgentProgram } from '../find-agent.ts'
import { knownAgents } from '../known-agents.ts'
import { boxNeeds } from './needs.ts'
import { agentPlaces } from './places.ts'

export type HeldAgent = {
  box: CommandBox
  /** The agent has ended: its connections are closed, and its questions withdrawn. */
  close(): void
}

type AgentStart = {
  /** The environment that the agent would have outside. */
  env: NodeJS.ProcessEnv
  ask: AsksForMore
}

export type AgentSandbox = {
  /**
   * Makes the box for one start; null, and no promise, if the sandbox is off. Rejects with a `CannotStart` if it cannot be made: then the agent must not be started.
   */
  hold(start: AgentStart): Promise<HeldAgent | null> | null
}

export type AgentSandboxOptions = { program: AgentProgram; folder: string; sandbox: SandboxOptions }

/** What an agent in the sandbox begins with. The name is that of the table, also for a command line that runs a program of it. */
export function knownName({ known, file }: AgentProgram): string | null {
  return known?.name ?? knownAgents.find(({ command }) => command === basename(file))?.name ?? null
}

export function createAgentSandbox({ program, folder, sandbox }: AgentSandboxOptions): AgentSandbox {
  /** What the user has allowed for the rest of the conversation: `host:port`. */
  const granted: HostRule[] = []

  async function hold({ env, ask }: AgentStart): Promise<HeldAgent> {
    const { name, file } = program
    const { write, hide } = sandbox.rules(folder)
    const caches = sandbox.cachesOf(folder)
    const needs = boxNeeds(knownName(program))
    const { places, hosts } = agentPlaces({ name, needs, file, env, folder, apart: join(caches, 'agents') })
    const own = rulesOf(hosts)
    const refused = rulesOf(needs.refused)
    const first = new Set(needs.refusedFirst)
    const network = createBoxNetwork({
      folder,
      env,
      policy: () => {
        const { level, hosts: listed } = sandbox.rules(folder)
        return { isClosed: level === 'closed', rules: [...own, ...rulesOf(listed), ...granted] }
      },
    })
    try {
      const { close, ...way } = await network.open(async ({ host, port, signal }) => {
        if (isListed(refused, host, port)) return 'refuse'
        if (first.delete(host)) return 'refuse_now'
        const answer = await ask({ kind: 'host', host, port }, signal)
        if (answer === 'session') granted.push(...rulesOf([`${host.includes(':') ? `[${host}]` : host}:${port}`]))
        return answer === 'no' ? 'refuse' : 'allow'
      })
      const box = await writeBox({ folder, env, write, hide, caches, agent: places }, way)
      return {
        box,
        close() {
          close()
          network.close()
        },
      }
    } catch (error) {
      network.close()
      throw error
    }
  }

  async function holdOrSay(start: AgentStart): Promise<HeldAgent> {
    const { name } = program
    if (sandbox.level() === 'closed')
      throw new CannotStart(
        `${name} cannot run in a sandbox without a network: it could not reach its model`,
        'set sandbox to on: it asks about each host',
      )
    if (process.platform !== 'linux')
      throw new CannotStart(`${name} cannot be held in a sandbox on this system`, 'set sandbox to off')
    try {
      return await hold(start)
    } catch (error) {
      if (error instanceof CannotStart) throw error
      throw new CannotStart(`${name} was not started, since the sandbox cannot be made: ${messageOf(error)}`, FIX)
    }
  }

  return { hold: start => (sandbox.level() === 'off' ? null : holdOrSay(start)) }
}

const FIX = '`zotui doctor` says more; --sandbox off starts it without'

/** Those that can be read: a mistake in the settings is reported where they are read. */
function rulesOf(texts: readonly string[]): HostRule[] {
  return texts.map(parseHostRule).flatMap(rule => ('problem' in rule ? [] : [rule]))
}
