/** Keeps the calls of zotui's own tools while zot passes on a mark instead of their arguments. */
import { readArguments, type CallArguments } from './requests.ts'

/** A call that zot is about to make. */
export type OwnCall = {
  callId: string | null
  tool: string
  args: CallArguments
  /** The reason why it is not carried out, for the model; null for none. */
  refusal: string | null
}

export type OwnCalls = {
  put: (mark: string, call: OwnCall) => void
  /** Takes the call with this mark; it can be taken once. */
  take: (args: unknown) => OwnCall | undefined
  /** zot made a call of this tool without its mark, because it did not wait for it: the mark will not come. */
  forget: (tool: string) => void
  /** Whether a call with this id was put and its result has not come yet. */
  isOpen: (callId: string) => boolean
  /** The result of the call with this id has come. */
  end: (callId: string) => void
  /** Forgets all. Returns whether one of them was never taken. */
  clear: () => boolean
}

export function createOwnCalls(): OwnCalls {
  /** By their marks. */
  const waiting = new Map<string, OwnCall>()
  const open = new Set<string>()
  return {
    put(mark, call) {
      waiting.set(mark, call)
      if (call.callId !== null) open.add(call.callId)
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
    end: callId => void open.delete(callId),
    clear() {
      const isLeft = waiting.size > 0
      waiting.clear()
      open.clear()
      return isLeft
    },
  }
}
