/** What the sandbox would be for the commands of a folder, for people who ask. */
import type { SandboxLevel, SandboxOptions } from './command-boxes.ts'
import { parseHostRule } from './network/hosts.ts'
import { writePolicy } from './write-places.ts'

export type SandboxFacts = {
  level: SandboxLevel
  folder: string
  /** Files and folders that commands can write, from the project on. */
  writable: readonly string[]
  /** Parts of these that stay as they are. */
  held: readonly string[]
  /** Places with secrets that are there and that commands cannot look into. */
  hidden: readonly string[]
  /** Sockets of other programs that are closed. */
  sockets: number
  /** The home folder that commands have instead, with their caches; null where the project is the home folder. */
  home: string | null
  /** The hosts that they reach without a question. */
  hosts: readonly string[]
  /** Entries of `sandboxHosts` that cannot be read: they allow nothing. */
  problems: readonly string[]
}

/** @throws an error with a line for the person where a folder is none that a box could hold. */
export function sandboxFacts(
  { rules, cachesOf }: SandboxOptions,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): SandboxFacts {
  const { level, write, hide, hosts } = rules(folder)
  const policy = writePolicy({ folder, env, write, hide, caches: cachesOf(folder) })
  const problems = hosts.flatMap(text => {
    const rule = parseHostRule(text)
    return 'problem' in rule ? [rule.problem] : []
  })
  return {
    level,
    folder: policy.folder,
    writable: policy.writable,
    held: policy.held,
    hidden: policy.closed.map(({ path }) => path),
    sockets: policy.sockets.length,
    home: policy.own.find(({ path }) => path !== '/tmp')?.from ?? null,
    hosts: hosts.filter(text => !('problem' in parseHostRule(text))),
    problems,
  }
}
