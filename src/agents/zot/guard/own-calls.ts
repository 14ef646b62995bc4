/** Keeps the calls of zotui's own tools while zot passes on a mark instead of their arguments. */
import { randomBytes } from 'node:crypto'
import { readArguments, type CallArguments } from './requests.ts'

export type OwnCall = { callId: string | null; tool: string; args: CallArguments }

export type OwnCalls = {
  /** Returns the arguments that make zot pass on the mark. A zot tool of the same name does nothing with them. */
  put: (call: OwnCall) => CallArguments
  /** Takes the call with this mark; it can be taken once. */
  take: (args: unknown) => OwnCall | undefined
  clear: () => void
}

export function createOwnCalls(): OwnCalls {
  const calls = new Map<string, OwnCall>()
  return {
    put(call) {
      const mark = randomBytes(8).toString('hex')
      calls.set(mark, call)
      return { zotui_call: mark }
    },
    take(args) {
      const mark = readArguments(args)?.['zotui_call']
      if (typeof mark !== 'string') return undefined
      const call = calls.get(mark)
      calls.delete(mark)
      return call
    },
    clear: () => calls.clear(),
  }
}
