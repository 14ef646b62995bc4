/** The shapes of frames: their fields and types. */

/**
 * The shapes of all objects in a value, each under the path that leads to it: `{"type":"a","x":1}` at `p` is
 * `p: type:string x:number`. Lists do not lengthen a path, and blocks of content stand under their type.
 */
export function shapes(path: string, value: unknown): [path: string, shape: string][] {
  if (Array.isArray(value)) return value.flatMap(item => shapes(`${path}[${kindOf(item)}]`, item))
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const own = entries.map(([key, field]) => `${key}:${typeOf(key, field)}`).join(' ')
  // The arguments of a tool are the tool's own.
  const inner = entries.filter(([key]) => key !== 'args').flatMap(([key, field]) => shapes(`${path}.${key}`, field))
  return [[path, own], ...inner]
}

function kindOf(item: unknown): string {
  return typeof item === 'object' && item !== null && 'type' in item ? String(item.type) : ''
}

function typeOf(key: string, value: unknown): string {
  if (key === 'args' || Array.isArray(value)) return key
  return value === null ? 'null' : typeof value
}

/** The shapes of a frame under a path: successes by command, all failures together, events by type. */
export function frameShapes(frame: { type: string; command?: string | undefined; success?: boolean | undefined }) {
  const path =
    frame.type === 'response' ? (frame.success === true ? `response ${frame.command}` : 'refusal') : frame.type
  return shapes(path, frame)
}
