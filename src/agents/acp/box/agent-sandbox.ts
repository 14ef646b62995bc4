/** The sandbox of an agent that runs its commands itself: it holds the whole process of the agent. */
import { hostWithPort } from '../../../text/host.ts'
import { basename, join } from 'node:path'
import process from 'node:process'
import { CannotStart } from '../../host/driver.ts'
import type { LeftPlace } from '../../../agent/permission.ts'
import { messageOf } from '../../../platform/errors.ts'
import { heldPlaces, type UnseenCommand } from '../../../platform/held-places.ts'
import type { CommandBox } from '../../../platform/shell/run.ts'
import { watchProtected } from '../../../sandbox/appeared.ts'
import { holdAppeared, type SandboxOptions } from '../../../sandbox/command-boxes.ts'
import { hostRules, isListed, type HostRule } from '../../../sandbox/network/hosts.ts'
import { createBoxNetwork } from '../../../sandbox/network/network.ts'
import { writeBox } from '../../../sandbox/write-box.ts'
import type { AsksForMore } from '../../../sandbox/command-sandbox.ts'
import type { AgentProgram } from '../find-agent.ts'
import { knownAgents } from '../known-agents.ts'
import { boxNeeds } from './needs.ts'
import { agentPlaces } from './places.ts'

export type HeldAgent = {
  box: CommandBox
  /** What has appeared in the folder since the last look, and can decide what runs later: it is held from now on. Never rejects. */
  left(): Promise<readonly LeftPlace[]>
  /** The user's answer about these. Resolves to what failed, a sentence each. Never rejects. */
  answerLeft(places: readonly LeftPlace[], answer: 'keep' | 'remove'): Promise<readonly string[]>
  /** The agent has ended: its connections are closed, and its questions withdrawn. */
  close(): void
}

type HeldStart = {
  /** The environment that the agent would have outside. */
  env: NodeJS.ProcessEnv
  ask: AsksForMore
}

export type AgentSandbox = {
  /**
   * Makes the box for one start; null, and no promise, if the sandbox is off. Rejects with a `CannotStart` if it cannot be made: then the agent must not be started.
   */
  hold: (start: HeldStart) => Promise<HeldAgent | null> | null
}

export type AgentSandboxOptions = { program: AgentProgram; folder: string; sandbox: SandboxOptions }

/** The agent's name in the table, also for a command line that runs its program; null for another program. */
export function knownName({ known, file }: AgentProgram): string | null {
  return known?.name ?? knownAgents.find(({ command }) => command === basename(file))?.name ?? null
}

export function createAgentSandbox({ program, folder, sandbox }: AgentSandboxOptions): AgentSandbox {
  /** Hosts with their ports that the user has allowed for the rest of the conversation. No rule: it would open a private network, too. */
  const granted = new Set<string>()

  async function hold({ env, ask }: HeldStart): Promise<HeldAgent> {
    const { name, file } = program
    const { write, hide } = sandbox.rules(folder)
    const caches = sandbox.cachesOf(folder)
    const needs = boxNeeds(knownName(program))
    let own: readonly HostRule[] = []
    const refused = hostRules(needs.refused)
    const first = new Set(needs.refusedFirst)
    const network = createBoxNetwork({
      folder,
      env,
      policy: () => {
        const { level, hosts: listed } = sandbox.rules(folder)
        return { isClosed: level === 'closed', rules: [...own, ...hostRules(listed)] }
      },
    })
    // If zotui is killed, nobody looks at what the agent has left.
    let unseen: UnseenCommand | null = null
    try {
      const way = await network.open(async ({ host, port, signal }) => {
        if (isListed(refused, host, port)) return 'refuse'
        if (first.delete(host)) return 'refuse_now'
        const name = hostWithPort({ host, port })
        if (granted.has(name)) return 'allow'
        const answer = await ask({ kind: 'host', host, port }, signal)
        if (answer === 'session') granted.add(name)
        return answer === 'no' ? 'refuse' : 'allow'
      })
      // Nothing is made in the agent's folders where there can be no box.
      const { places, hosts } = agentPlaces({ name, needs, file, env, folder, apart: join(caches, 'agents') })
      own = hostRules(hosts)
      const watch = watchProtected(folder)
      unseen = heldPlaces(folder).begin()
      let look = await watch.begin()
      const box = await writeBox({ folder, env, write, hide, caches, agent: places }, way)
      return {
        box,
        async left() {
          const seen = unseen
          const places = holdAppeared(folder, await look.after(), seen ?? {})
          unseen = heldPlaces(folder).begin()
          look = await watch.begin()
          return places
        },
        async answerLeft(places, answer) {
          const { answer: decide } = heldPlaces(folder)
          const problems = await Promise.all(places.map(async ({ path }) => decide(path, answer)))
          return problems.filter(problem => problem !== null)
        },
        close() {
          unseen?.end()
          way.close()
          void network.close()
        },
      }
    } catch (error) {
      unseen?.end()
      void network.close()
      throw error
    }
  }

  async function holdOrSay(start: HeldStart): Promise<HeldAgent> {
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
