/** The boxes of one conversation, and what the user has granted the commands in them. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BoxWant } from '../agent/permission.ts'
import { messageOf } from '../platform/errors.ts'
import { runShell, type CommandBox } from '../platform/shell/run.ts'
import { realPath } from '../platform/real-path.ts'
import { isWithin } from '../platform/within.ts'
import { hostRules, type HostRule } from './network/hosts.ts'
import { createBoxNetwork, type ConversationNetwork, type CommandNetwork } from './network/network.ts'
import { refusalIn, type SandboxRefusal } from './refusal.ts'
import { writeBox } from './write-box.ts'
import { isOpenable } from './write-places.ts'

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

type BoxedCommand = {
  folder: string
  env: NodeJS.ProcessEnv
  ask: (want: BoxWant, signal: AbortSignal) => Promise<'no' | 'once' | 'session'>
}

/** A box, and what to call with the end of its command. `note` is for the model, '' for nothing. */
type OpenedBox = {
  box: CommandBox
  close(result: { exitCode: number | null; output: string }): Promise<{ note: string; refused: SandboxRefusal | null }>
}

export type CommandBoxes = {
  /** @throws an error of one line with the reason and what to do, where there can be no box. */
  open(command: BoxedCommand): Promise<OpenedBox>
  /** Lets later commands write this file or folder. */
  allowWriting(path: string): void
  /** Ends what was started for them. None can be opened any more. */
  close(): Promise<void>
}

export function createCommandBoxes(options: SandboxOptions): CommandBoxes {
  const writable = new Set<string>()
  const hosts: HostRule[] = []
  /** By the folder: an agent may move to another one. */
  const networks = new Map<string, ConversationNetwork>()

  const rulesOf = (folder: string): SandboxRules => {
    const rules = options.rules(folder)
    return { ...rules, write: [...rules.write, ...writable] }
  }

  function networkOf({ folder, env }: BoxedCommand): ConversationNetwork {
    const known = networks.get(folder)
    if (known) return known
    const made = createBoxNetwork({
      folder,
      env,
      policy() {
        const rules = options.rules(folder)
        return { isClosed: rules.level === 'closed', rules: [...hostRules(rules.hosts), ...hosts] }
      },
    })
    networks.set(folder, made)
    return made
  }

  async function openNetwork(command: BoxedCommand): Promise<CommandNetwork> {
    return networkOf(command).open(async ({ host, port, signal }) => {
      const answer = await command.ask({ kind: 'host', host, port }, signal)
      if (answer === 'session') hosts.push({ host, isForSubdomains: false, ports: [port] })
      return answer === 'no' ? 'refuse' : 'allow'
    })
  }

  return {
    async open(command) {
      const { folder, env } = command
      const rules = rulesOf(folder)
      const network = rules.level === 'closed' ? null : await openNetwork(command)
      try {
        const box = await writeBox(placeOf(options, rules, { folder, env }), network)
        return {
          box,
          async close(result) {
            const refusedHosts = network?.refused() ?? []
            network?.close()
            return reportOf(result, { folder, env, rules, refusedHosts })
          },
        }
      } catch (error) {
        network?.close()
        throw error
      }
    },
    allowWriting: path => void writable.add(path),
    async close() {
      const open = [...networks.values()]
      networks.clear()
      await Promise.all(open.map(network => network.close()))
    },
  }
}

function placeOf(
  { cachesOf }: SandboxOptions,
  { write, hide }: SandboxRules,
  place: Pick<BoxedCommand, 'folder' | 'env'>,
) {
  return { ...place, write, hide, caches: cachesOf(place.folder) }
}

/** Folders of the system of which a box has its own. */
const OWN = ['/tmp', '/var/tmp', '/dev', '/run']

function reportOf(
  { exitCode, output }: { exitCode: number | null; output: string },
  {
    folder,
    env,
    rules: { level, write },
    refusedHosts,
  }: {
    folder: string
    env: NodeJS.ProcessEnv
    rules: SandboxRules
    refusedHosts: ReturnType<CommandNetwork['refused']>
  },
): { note: string; refused: SandboxRefusal | null } {
  const hosts = refusedHosts.map(({ host, port }) => `[sandbox] The connection to ${host}:${port} was refused.`)
  if (exitCode === 0 || exitCode === null) return { note: hosts.join('\n'), refused: null }
  const isWritable = (path: string): boolean => [folder, ...OWN, ...write].some(place => isWithin(place, path))
  const refused = refusalIn(output, { folder, isWritable, exists: existsSync })
  const network = level === 'closed' ? 'It has no network.' : 'It reaches only hosts that the user allows.'
  const limits = `[sandbox] This command ran in a sandbox, where it can write only in ${[folder, ...write].join(', ')}. ${network}`
  // A host that was refused was asked about, and without a network there is none to ask for.
  const isAnswered = refused?.path === null && (level === 'closed' || refusedHosts.length > 0)
  const path = refused && refused.path !== null ? folderToOpen(refused.path, folder, env) : null
  return { note: [...hosts, limits].join('\n'), refused: refused && !isAnswered ? { ...refused, path } : null }
}

/** The folder in which a write was refused, if commands may be allowed to write there; null for one of the system's, or a held part of the project. */
function folderToOpen(path: string, project: string, env: NodeJS.ProcessEnv): string | null {
  let folder = path
  while (!statSync(folder, { throwIfNoEntry: false })?.isDirectory() && dirname(folder) !== folder)
    folder = dirname(folder)
  const real = realPath(folder)
  return isWithin(project, path) || isWithin(real, project) || !isOpenable(real, env) ? null : real
}

/** Why the commands of a folder cannot be held, and what to do; null if they can: a box was made and tried. Never rejects. */
export async function sandboxProblem(
  options: SandboxOptions,
  { folder, env }: Pick<BoxedCommand, 'folder' | 'env'>,
): Promise<string | null> {
  const boxes = createCommandBoxes(options)
  try {
    const opened = await boxes.open({ folder, env, ask: async () => 'no' })
    const { box } = opened
    const run = runShell({ command: 'true', cwd: folder, env, shell: '/bin/sh', box, limitBytes: 4096, onOutput() {} })
    const timer = setTimeout(() => run.stop(), PATIENCE)
    const { exitCode, problem, output } = await run.done
    clearTimeout(timer)
    await opened.close({ exitCode, output })
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
