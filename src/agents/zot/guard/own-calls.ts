/** The calls of zotui's own tools, and those that wait while zot passes on a mark instead of their arguments. */
import { MOST_OPEN } from '../../tool-host/open-calls.ts'
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
  /** A call that has no result yet. */
  open: (call: OwnCall) => void
  /** Keeps a call for `take`; false if too many are kept, so that it is unknown. */
  put: (mark: string, call: OwnCall) => boolean
  /** Takes the call with this mark; it can be taken once. */
  take: (args: unknown) => OwnCall | undefined
  isOpen: (callId: string) => boolean
  /** The result of the call with this id has come. */
  end: (callId: string) => void
  clear: () => void
}

export function createOwnCalls(): OwnCalls {
  /** By their marks. */
  const waiting = new Map<string, OwnCall>()
  const open = new Set<string>()
  return {
    open({ callId }) {
      if (callId !== null) open.add(callId)
    },
    put(mark, call) {
      if (waiting.size >= MOST_OPEN) return false
      waiting.set(mark, call)
      return true
    },
    take(args) {
      const mark = readArguments(args)?.['zotui_call']
      if (typeof mark !== 'string') return undefined
      const call = waiting.get(mark)
      waiting.delete(mark)
      return call
    },
    isOpen: callId => open.has(callId),
    end: callId => void open.delete(callId),
    clear() {
      waiting.clear()
      open.clear()
    },
  }
}
