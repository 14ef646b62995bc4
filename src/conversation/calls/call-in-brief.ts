import type { ToolRequest } from '../../agent/permission.ts'
import { hostWithPort } from '../../text/host.ts'
import { loadedSkill } from '../queries/loaded-skill.ts'

/** The facts of a request that name its call. */
type NamedCall = Pick<
  ToolRequest,
  'kind' | 'tool' | 'arguments' | 'title' | 'command' | 'paths' | 'folder' | 'wants' | 'outside'
>

/**
 * A call that asks, in a few words: its title, or its tool and its command, files or skill. The same wherever it has one line: in
 * lists, notifications, messages and the line of a refusal. Unsanitised.
 */
export function callInBrief(call: NamedCall): string {
  const { wants, outside } = call
  if (!wants) return outside ? `a run outside the sandbox of ${callAlone(call)}` : callAlone(call)
  switch (wants.kind) {
    case 'host':
      return `a connection to ${hostWithPort(wants)}${call.command === undefined ? '' : ` by ${callAlone(call)}`}`
    case 'outside':
      return `another run, outside the sandbox, of ${callAlone(call)}`
    case 'left':
      return `what is left by ${callAlone(call)}`
  }
}

function callAlone(call: NamedCall): string {
  const { tool, title, command, paths = [], folder } = call
  if (title !== undefined) return title
  const files = paths.map(path => pathFrom(path, folder)).join(', ')
  const subject = command ?? (files || (loadedSkill(call) ?? ''))
  return `${tool} ${subject}`.trim()
}

/** A path of an agent without its folder, if it is in that: a worktree is far from the root. */
export function pathFrom(path: string, folder: string | undefined): string {
  if (folder === undefined || !path.startsWith(folder)) return path
  const rest = path.slice(folder.length)
  return /^[/\\]./.test(rest) ? rest.slice(1) : path
}
