import { isObject } from '../../text/json.ts'
import type { ToolRequest } from '../../agent/permission.ts'

/** The skill that a call loads; null for other calls, and for one that says more than a plain name. */
export function loadedSkill(request: Pick<ToolRequest, 'kind' | 'tool' | 'arguments'>): string | null {
  const { kind, tool, arguments: args } = request
  if (kind !== 'read' || tool !== 'skill' || !isObject(args)) return null
  const [[key, name] = [], ...others] = Object.entries(args)
  const isPlain = key === 'name' && typeof name === 'string' && /^[\p{L}\p{N}_.:-]{1,40}$/u.test(name)
  return isPlain && others.length === 0 ? name : null
}
