/** The boxes of one conversation, and what the user has granted the commands in them. */
import { lstatSync } from 'node:fs'
import { namesIn } from '../platform/folders.ts'
import { setTimeout as pause } from 'node:timers/promises'
import envPaths from 'env-paths'
import { messageOf } from '../platform/errors.ts'
import { runShell } from '../platform/shell/run.ts'
import { hostWithPort } from '../text/host.ts'
import type { CommandSandbox, SandboxedCommand } from './command-sandbox.ts'
import { hostRules } from './network/hosts.ts'
import { createBoxNetwork, type ConversationNetwork, type CommandNetwork } from './network/network.ts'
import { heldPlaces, type UnseenCommand, type HeldPlace } from '../platform/held-places.ts'
import { realPath } from '../platform/real-path.ts'
import { watchProtected, type Appeared, type ProtectedWatch } from './appeared.ts'
import { watchHome } from './own-home.ts'
import { reportOf } from './report.ts'
import { writeBox } from './write-box.ts'

/** From the loosest to the strictest. `closed`: without a network. */
export type SandboxLevel = 'off' | 'on' | 'closed'

/** What the settings say. All paths are absolute. */
export type SandboxRules = {
  level: SandboxLevel
  /** Files and folders that may also be written. */
  write: readonly string[]
  /** Such as `*.github.com:443`. */
  hosts: readonly string[]
  /** Files and folders that must not be seen. */
  hide: readonly string[]
}

export type SandboxOptions = {
  level: () => SandboxLevel
  /** Read for each command in this folder: a change holds at once. */
  rules: (folder: string) => SandboxRules
  /** The folder for what the commands of a project keep between them. */
  cachesOf: (folder: string) => string
}

/** `open` rejects with an error of one line: the reason, and what to do. After `close` it makes anew what it needs; what was granted stays. */
export type CommandBoxes = Pick<CommandSandbox, 'open' | 'allowWriting' | 'answerLeft' | 'close'>

export function createCommandBoxes(options: SandboxOptions): CommandBoxes {
  const writable = new Set<string>()
  /** Hosts with their ports. They are no rules, which would open a private network, too. */
  const granted = new Set<string>()
  /** By the folder: an agent may move to another one. */
  const networks = new Map<string, ConversationNetwork>()

  const watches = new Map<string, ProtectedWatch>()
  /** Each resolves when a command has ended, and what it has left is held. */
  const running = new Set<Promise<void>>()

  const watchOf = (folder: string): ProtectedWatch => {
    const watch = watches.get(folder) ?? watchProtected(folder, undefined, foldersOfOurs())
    watches.set(folder, watch)
    return watch
  }

  const rulesOf = (folder: string): SandboxRules => {
    const rules = options.rules(folder)
    return { ...rules, write: [...rules.write, ...writable] }
  }

  function networkOf({ folder, env }: SandboxedCommand): ConversationNetwork {
    const known = networks.get(folder)
    if (known) return known
    const made = createBoxNetwork({
      folder,
      env,
      policy() {
        const rules = options.rules(folder)
        return { isClosed: rules.level === 'closed', rules: hostRules(rules.hosts) }
      },
    })
    networks.set(folder, made)
    return made
  }

  async function openNetwork(command: SandboxedCommand): Promise<CommandNetwork> {
    return networkOf(command).open(async ({ host, port, signal }) => {
      const name = hostWithPort({ host, port })
      if (granted.has(name)) return 'allow'
      const answer = await command.ask({ kind: 'host', host, port }, signal)
      if (answer === 'session') granted.add(name)
      return answer === 'no' ? 'refuse' : 'allow'
    })
  }

  return {
    async open(command) {
      const { folder, env } = command
      const rules = rulesOf(folder)
      const network = rules.level === 'closed' ? null : await openNetwork(command)
      const { promise, resolve } = Promise.withResolvers<void>()
      let begun: UnseenCommand | undefined
      try {
        const places = heldPlaces(folder)
        const waiting = places.list()
        begun = places.begin()
        const look = await watchOf(folder).begin()
        const place = placeOf(options, rules, { folder, env })
        const box = await writeBox(place, network)
        const home = watchHome(place.caches)
        const { end, lose } = begun
        running.add(promise)
        return {
          box,
          async close(ended) {
            const hosts = network?.refused() ?? []
            network?.close()
            // Before anything is made of its output.
            const left = holdAppeared(folder, await look.after(), { waiting, end, lose })
            running.delete(promise)
            resolve()
            const facts = { folder, env, writable: rules.write, hasNetwork: network !== null }
            const report = reportOf(ended, { ...facts, hosts, leftAtHome: home.left() })
            return left.length === 0 ? report : { ...report, left: { folder, places: left } }
          },
        }
      } catch (error) {
        begun?.end()
        network?.close()
        throw error
      }
    },
    async answerLeft(left, answer) {
      const { answer: decide } = heldPlaces(left.folder)
      const problems: string[] = []
      for (const { path } of left.places) problems.push(...[(await decide(path, answer)) ?? []].flat())
      return problems
    },
    allowWriting: path => void writable.add(path),
    async close() {
      await Promise.race([Promise.all(running), pause(LAST_LOOK, undefined, { ref: false })])
      const open = [...networks.values()]
      networks.clear()
      await Promise.all(open.map(network => network.close()))
    },
  }
}

/** Milliseconds that the end waits for commands that end with it, to look at what they have left. */
const LAST_LOOK = 3000

/** An empty file or folder in a repository decides nothing. A box makes some, where it holds what is not there. */
function saysNothing({ path, kind, isNew }: HeldPlace): boolean {
  const stats =
    isNew && kind === 'protected' && path.includes('/.git/') ? lstatSync(path, { throwIfNoEntry: false }) : undefined
  if (stats?.isDirectory()) return isEmpty(path)
  return stats?.isFile() === true && stats.size === 0
}

function isEmpty(folder: string): boolean {
  try {
    return namesIn(folder).length === 0
  } catch {
    // It may not be looked at, so anything may be in it.
    return false
  }
}

/** zotui itself writes there, and no command: they are closed, also where the project is around them. */
function foldersOfOurs(): string[] {
  const { config, data, log } = envPaths('zotui', { suffix: '' })
  return [config, data, log]
}

type HeldBefore = UnseenCommand & {
  /** What waited for an answer when the command began. */
  waiting: readonly HeldPlace[]
}

/**
 * Holds what a command has left. Returns what is new, and what has waited since before the command: each command is another occasion to answer.
 * What cannot be held makes the whole folder unknown.
 */
export function holdAppeared(
  folder: string,
  appeared: Appeared,
  { waiting = [], end, lose }: Partial<HeldBefore> = {},
): readonly HeldPlace[] {
  const unknown = { path: realPath(folder), kind: 'unknown', isNew: false } as const
  const telling = appeared.places.filter(place => !saysNothing(place))
  const all = appeared.isComplete ? telling : [...telling, unknown]
  try {
    const { list, hold } = heldPlaces(folder)
    const before = new Set([...list(), ...waiting].map(({ path }) => path))
    hold(all)
    end?.()
    const again = new Set(waiting.map(({ path }) => path))
    return [...all.filter(({ path }) => !before.has(path)), ...list().filter(({ path }) => again.has(path))]
  } catch {
    lose?.()
    return [...all, unknown]
  }
}

function placeOf(
  { cachesOf }: SandboxOptions,
  { write, hide }: SandboxRules,
  place: Pick<SandboxedCommand, 'folder' | 'env'>,
) {
  return { ...place, write, hide, caches: cachesOf(place.folder) }
}

/** Why the commands of a folder cannot be held, and what to do; null if they can: a box was made and tried. Never rejects. */
export async function sandboxProblem(
  options: SandboxOptions,
  { folder, env }: Pick<SandboxedCommand, 'folder' | 'env'>,
): Promise<string | null> {
  const boxes = createCommandBoxes(options)
  try {
    const opened = await boxes.open({ folder, env, ask: async () => 'no' })
    const { box } = opened
    const run = runShell({ command: 'true', cwd: folder, env, shell: '/bin/sh', box, limitBytes: 4096, onOutput() {} })
    const timer = setTimeout(() => run.stop(), PATIENCE)
    const { exitCode, problem, output } = await run.done
    clearTimeout(timer)
    await opened.close({ exitCode, output, endedOthers: false })
    const [words = ''] = (problem ?? output).trim().split('\n')
    return exitCode === 0 ? null : words || 'a box does not end in time'
  } catch (error) {
    return messageOf(error)
  } finally {
    await boxes.close()
  }
}

/** Milliseconds for a box that does nothing. */
const PATIENCE = 5000
