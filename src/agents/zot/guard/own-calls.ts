/** Keeps the calls of zotui's own tools while zot passes on a mark instead of their arguments. */
import { randomBytes } from 'node:crypto'
import { readArguments, type CallArguments } from './requests.ts'

export type OwnCall = { callId: string | null; tool: string; args: CallArguments }

export type OwnCalls = {
  /** Returns the arguments that make zot pass on the mark. A zot tool of the same name does nothing with them. */
  put: (call: OwnCall) => CallArguments
  /** Takes the call with this mark; it can be taken once. */
  take: (args: unknown) => OwnCall | undefined
  /** zot made a call of this tool without its mark, because it did not wait for it: the mark will not come. */
  forget: (tool: string) => void
  /** Whether a call with this id was put and its result has not come yet. */
  isOpen: (callId: string) => boolean
  /** The result of the call with this id has come. Returns whether the call was never taken. */
  end: (callId: string) => boolean
  clear: () => void
}

export function createOwnCalls(): OwnCalls {
  /** By their marks. */
  const waiting = new Map<string, OwnCall>()
  const open = new Set<string>()
  return {
    put(call) {
      const mark = randomBytes(8).toString('hex')
      waiting.set(mark, call)
      if (call.callId !== null) open.add(call.callId)
      return { zotui_call: mark }
    },
    take(args) {
      const mark = readArguments(args)?.['zotui_call']
      if (typeof mark !== 'string') return undefined
      const call = waiting.get(mark)
      waiting.delete(mark)
      return call
    },
    forget(tool) {
      for (const [mark, call] of waiting) if (call.tool === tool) waiting.delete(mark)
    },
    isOpen: callId => open.has(callId),
    end(callId) {
      open.delete(callId)
      const left = [...waiting].filter(([, call]) => call.callId === callId)
      for (const [mark] of left) waiting.delete(mark)
      return left.length > 0
    },
    clear() {
      waiting.clear()
      open.clear()
    },
  }
}
