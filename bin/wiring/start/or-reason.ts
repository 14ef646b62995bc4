import type { Reply } from '../../../src/agent/backend.ts'
import { UserError } from '../../../src/platform/errors.ts'

/** Turns what the user can mend into a reply with the reason. */
export async function orReason<R extends Reply<unknown>>(
  act: () => Promise<R>,
): Promise<R | Extract<Reply, { ok: false }>> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof UserError) return { ok: false, message: [error.message, error.hint].join(' ').trim() }
    throw error
  }
}
