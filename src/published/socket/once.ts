/** Each request of a device is carried out once, however often it comes: after a lost connection a page sends it again. */
import type { Device, OutsideCall, OutsideReply } from '../outside-call.ts'

/** The most replies that are kept. */
const MOST = 300

export class RepliesOnce {
  readonly #kept = new Map<string, Promise<OutsideReply>>()

  /** The reply to a request that came before, or to this one. */
  async once(
    device: Device,
    call: Pick<OutsideCall, 'id'>,
    carryOut: () => Promise<OutsideReply>,
  ): Promise<OutsideReply> {
    const key = JSON.stringify([device.id, call.id])
    const earlier = this.#kept.get(key)
    if (earlier) return earlier
    const reply = carryOut()
    this.#kept.set(key, reply)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break
      this.#kept.delete(oldest)
    }
    const answered = await reply
    // Nothing has happened: it is sent again after the yes.
    if (!answered.ok && answered.why === 'needs_yes') this.#kept.delete(key)
    return answered
  }
}
