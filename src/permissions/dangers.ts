/** Points out dangerous shapes in a call. Hints: a call without one is not safe. */
import type { ToolRequest } from '../agent/permission.ts'
import type { Place } from './policy.ts'

/** One sentence for each danger, without a full stop, the gravest first: `deletes folders (rm -r)`. Unsanitised. */
export function dangersOf(_request: ToolRequest, _place: Place): readonly string[] {
  return []
}
