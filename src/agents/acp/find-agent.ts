/** Finds an agent by the words of `--agent`: one of the table, or any command. */
import { basename, resolve } from 'node:path'
import { onlyInProject, searchProgram } from '../../platform/programs.ts'
import { splitWords } from '../../platform/shell/quoting.ts'
import { installHint, knownAgents, type KnownAgent } from './known-agents.ts'

/** The program to start. */
export type AgentProgram = {
  /** The name to show: that of the table, or of the program. */
  name: string
  file: string
  args: readonly string[]
  known: KnownAgent | null
}

export type FoundAgent = { ok: true; agent: AgentProgram } | { ok: false; reason: string; hint: string }

/**
 * Finds the program for the words of `--agent`: a known name, or a command line, which is split on spaces and quotes and never passed to
 * a shell. A name without a slash is looked up in `PATH`, outside of the project in `folder`; a path is relative to `from`. `others` are
 * names of agents that have no row here.
 */
export function findAgent(
  words: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  { from = folder, others = [] }: { from?: string; others?: readonly string[] } = {},
): FoundAgent {
  const known = knownAgents.find(({ name }) => name === words.trim())
  if (known) {
    const { path: file, ofProject } = searchProgram(known.command, env, folder)
    if (file !== null) return { ok: true, agent: { name: known.name, file, args: known.args, known } }
    const hint = ofProject === null ? installHint(known) : onlyInProject(ofProject)
    return { ok: false, reason: `${known.command} was not found`, hint }
  }
  const [command, ...args] = splitWords(words, process.platform === 'win32') ?? []
  if (command === undefined)
    return { ok: false, reason: `the agent "${words}" is not a command`, hint: 'check its quotes' }
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'))
  const { path: file, ofProject } = searchProgram(isPath ? resolve(from, command) : command, env, folder)
  if (file !== null) {
    const name = basename(command).replace(/\.(?:exe|cmd|js|ts|mjs)$/i, '')
    return { ok: true, agent: { name, file, args, known: null } }
  }
  const names = [...knownAgents.map(({ name }) => name), ...others].join(', ')
  return {
    ok: false,
    reason: `${command} was not found`,
    hint: ofProject === null ? `known agents are ${names}; for another, pass its command` : onlyInProject(ofProject),
  }
}
