import type { Reply } from '../../../src/agent/backend.ts'
import { UserError } from '../../../src/platform/errors.ts'

/** Turns a UserError into a reply with its message and hint. */
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
