/**
 * What the person asks for. A request whose reply was lost is sent again with the same id, so it is carried out once; until there is a reply it
 * is not over.
 */
import type { OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import { RequestError, type RequestSigner } from './requests.ts'

type Without<Call> = Call extends unknown ? Omit<Call, 'id'> : never
/** A request without its id. */
export type PageCall = Without<OutsideCall>

/** Milliseconds between two attempts, and after which nothing is tried any more. */
const AGAIN = 2000
const LONGEST = 120_000

export type Calls = {
  /** Resolves once there is a reply, or none is to be expected. */
  ask: (conversation: string, call: PageCall) => Promise<OutsideReply>
}

export function createCalls(requests: Pick<RequestSigner, 'ask'>): Calls {
  return {
    async ask(conversation, asked) {
      const call = { ...asked, id: crypto.randomUUID() } as OutsideCall
      const end = Date.now() + LONGEST
      for (;;) {
        try {
          return await requests.ask('call', { conversation, call })
        } catch (error) {
          const why = error instanceof RequestError ? error.why : 'offline'
          if (why !== 'offline' && why !== 'many') return { ok: false, why: 'failed', message: wordsOf(why) }
          if (Date.now() > end)
            return {
              ok: false,
              why: 'failed',
              message: 'The server did not answer for two minutes. It is not known whether this arrived.',
            }
          await connected()
        }
      }
    },
  }
}

/** Resolves when it may be worth to try again. */
async function connected(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const timer = setTimeout(resolve, AGAIN)
  addEventListener('online', resolve, { once: true })
  await promise
  clearTimeout(timer)
  removeEventListener('online', resolve)
}

function wordsOf(why: RequestError['why']): string {
  if (why === 'role') return 'This device may not do that. Its role is set in the terminal.'
  if (why === 'admit') return 'This device waits for a yes in the terminal.'
  if (why === 'unknown') return 'This device is not paired any more.'
  if (why === 'size' || why === 'body') return 'That is too long.'
  return 'The server refused it.'
}
