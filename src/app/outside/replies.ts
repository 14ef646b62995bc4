/** The replies to devices. */
import type { OutsideReply } from '../../published/outside-call.ts'

export const done = (how: Extract<OutsideReply, { ok: true }>['how']): OutsideReply => ({ ok: true, how })

export const refused = (why: Extract<OutsideReply, { ok: false }>['why'], message: string): OutsideReply => ({
  ok: false,
  why,
  message,
})
