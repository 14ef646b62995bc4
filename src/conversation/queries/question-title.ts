/** The question about a call. It names the file, so that it is enough where there is room for little else. Unsanitised. */
import type { BoxWant, ToolRequest } from '../../agent/permission.ts'
import { counted } from '../../text/counted.ts'
import { hostWithPort } from '../../text/host.ts'
import { loadedSkill } from './loaded-skill.ts'

type TitledCall = Pick<ToolRequest, 'kind' | 'tool' | 'arguments' | 'diff' | 'wants' | 'outside'>

/** `paths` are those of the call as they are shown. */
export function questionTitle(call: TitledCall, [path, ...others]: readonly string[]): string {
  const { kind, tool, diff, wants, outside } = call
  if (wants) return wantTitle(wants)
  const skill = loadedSkill(call)
  if (skill !== null) return `Load skill ${skill}?`
  if (kind === 'command') return outside ? 'Run this command outside the sandbox?' : 'Run this command?'
  if (kind === 'other') return `Let the agent use ${tool}?`
  const files = `${path ?? 'this'}${others.length === 0 ? '' : ` and ${counted(others.length, 'more file')}`}`
  if (kind === 'read') return `Read ${files}?`
  if (path === undefined) return 'Make this edit?'
  return `${diff?.startsWith('--- /dev/null') === true ? 'Create' : 'Edit'} ${files}?`
}

export function wantTitle(wants: BoxWant): string {
  switch (wants.kind) {
    case 'host':
      return `Connect to ${hostWithPort(wants)}?`
    case 'outside':
      return 'Run it again outside the sandbox?'
    case 'left':
      return 'Keep what it has left?'
  }
}
