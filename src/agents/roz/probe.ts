/** Checks, without a session, whether a server is a roz that zotui supports. */
import { withTimeout } from '../transport/with-timeout.ts'
import { explainStreamEnd, OLDER, type RozTrouble } from './explain.ts'
import { createRozStreams, type RozServer } from './stream.ts'
import { isOlder } from './wire/messages.ts'

/** Resolves with null if it answers within `timeout` milliseconds and takes the key, or else with the reason. */
export async function probeRoz(server: RozServer, timeout: number): Promise<RozTrouble | null> {
  const { target } = server.address
  const { promise: greeted, resolve } = Promise.withResolvers<RozTrouble | null>()
  const stream = createRozStreams(server).openSession(message => resolve(isOlder(message) ? OLDER : null))
  stream.send({ ping: {} })
  void stream.ended.then(end => resolve(explainStreamEnd(end, target)))
  const answer = await withTimeout(timeout, greeted)
  stream.cancel()
  if (answer !== 'timed out') return answer
  const reason = `roz at ${target} did not answer within ${Math.round(timeout / 1000)} seconds`
  return { reason, hint: 'check the address', isFinal: false }
}
