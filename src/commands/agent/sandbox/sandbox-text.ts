/** The text of /sandbox: what it allows here, what it has refused in this conversation, and why. */
import { hostWithPort } from '../../../text/host.ts'
import type { AppContext } from '../../../app/context/context.ts'
import type { SandboxReport } from '../../../app/context/host.ts'
import type { BoxWant } from '../../../agent/permission.ts'
import type { ChatState } from '../../../conversation/state.ts'
import { folderLabel } from '../../../platform/project.ts'
import { counted } from '../../../text/counted.ts'
import { plainMarkdown } from '../../../text/markdown-table.ts'
import { sentence } from '../../../text/sentence.ts'

/** Paths of one kind that are named. */
const MOST_PATHS = 12

/** Returns the files that wait for an answer. */
export async function showSandbox(context: AppContext): Promise<readonly string[]> {
  const { host, state, backend, show, hint, dispatch } = context
  if (!host?.reportSandbox) return []
  hint('Looking at the sandbox…')
  const report = await host.reportSandbox(backend.name)
  dispatch({ type: 'hinted', hint: null })
  const { chat } = state()
  const label = (path: string): string => folderLabel(path, host.home)
  show(sandboxText(report, { chat, holdsCommands: backend.abilities.has('sandbox'), name: backend.name, label }))
  return report.waiting
}

export type SandboxTextFacts = {
  chat: Pick<ChatState, 'permissionMode' | 'wanted'>
  /** Whether it holds each command of the agent, and not the agent as a whole. */
  holdsCommands: boolean
  name: string
  /** A path with `~` for the home folder. */
  label: (path: string) => string
}

export function sandboxText(report: SandboxReport, facts: SandboxTextFacts): string {
  const parts = [[`**Sandbox:** ${stateOf(report, facts)}`], report.problem === null ? places(report, facts) : []]
  return [...parts, ...agentParts(report, facts), refusals(facts)]
    .filter(rows => rows.length > 0)
    .map(rows => rows.join('\n'))
    .join('\n\n')
}

/** In which of the states it is, and by whose word. */
function stateOf(report: SandboxReport, { chat: { permissionMode }, holdsCommands, name }: SandboxTextFacts): string {
  const { level, problem, setBy, agent } = report
  if (problem !== null) return plainMarkdown(`there is none here: ${sentence(problem)} Nothing runs in it.`)
  const by = plainMarkdown(setBy)
  const who = `${holdsCommands ? 'the commands of ' : ''}${plainMarkdown(name)}`
  const holds = holdsCommands || agent !== null
  if (level === 'off') {
    if (permissionMode === 'contained') return `on, since the mode is contained (the setting: off, ${by})`
    return `off (${by}).${holds ? ` \`/sandbox on\` holds ${who}.` : ''}`
  }
  const isOn = `${level}${level === 'closed' ? ', without a network' : ''} (${by}).`
  return `${isOn} It holds ${holds ? who : `nothing of ${who}, which runs its commands itself`}.`
}

function places(report: SandboxReport, { label }: SandboxTextFacts): string[] {
  const { writable, held, hidden, hosts, level, home, problems, waiting } = report
  const open = level === 'closed' ? 'none' : hosts.length === 0 ? 'each asks' : `${listed(hosts)}; others ask`
  return [
    `- can write: ${listed(writable.map(path => label(path)))}`,
    ...(held.length > 0 ? [`- held as it is: ${listed(held.map(path => label(path)))}`] : []),
    `- hidden: the home folder but for tools, ${counted(hidden.secrets, 'place')} with secrets, ${counted(hidden.sockets, 'socket')}`,
    `- hosts: ${open}`,
    ...(home === null ? [] : [`- its own home folder, with caches: ${listed([label(home)])}`]),
    ...(waiting.length > 0
      ? [`- wait for your answer, since they can run later: ${listed(waiting.map(path => label(path)))}`]
      : []),
    ...problems.map(problem => `- the setting sandboxHosts: ${plainMarkdown(problem)}`),
  ]
}

function agentParts({ agent, problem }: SandboxReport, { name, label }: SandboxTextFacts): string[][] {
  if (agent === null || problem !== null) return []
  const { folders, held, variables, hosts, notes } = agent
  return [
    [`**${plainMarkdown(name)}** is held as a whole. What it can read, its commands can read, too.`],
    [
      ...(folders.length > 0 ? [`- also writes: ${listed(folders.map(path => label(path)))}`] : []),
      ...(held.length > 0 ? [`- but not: ${listed(held.map(path => label(path)))}`] : []),
      `- its variables: ${variables.length === 0 ? 'none' : listed(variables)}`,
      `- its hosts: ${hosts.length === 0 ? 'each asks' : listed(hosts)}`,
      ...notes.map(note => `- ${plainMarkdown(note)}`),
    ],
  ]
}

/** What commands wanted in this conversation. */
function refusals({ chat: { wanted } }: SandboxTextFacts): string[] {
  if (wanted.length === 0) return ['Nothing was refused in this conversation so far.']
  const rows = wanted.map(({ want, allowed }) => {
    const what = wantWords(want)
    return `- ${allowed ? 'you allowed' : 'refused'}: ${plainMarkdown(what)}`
  })
  return ['**In this conversation:**', ...rows]
}

function wantWords(want: BoxWant): string {
  switch (want.kind) {
    case 'host':
      return `the host ${hostWithPort(want)}`
    case 'outside':
      return `to leave the sandbox: ${want.hint}`
    case 'left':
      return `to leave ${counted(want.places.length, 'file')} that can run later`
  }
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_PATHS).map(text => plainMarkdown(text))
  const more = texts.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
