/** The gates in use, by call, and the text that must be hidden from the user. */
import type { ZotEvent } from '../frame.ts'
import type { Gate, Gates } from './gates.ts'
import type { CallDecision } from '../../calls/questions.ts'

export type GatesInUse = {
  /** Null if the call must be held in another way. */
  take(callId: string, command: string): Promise<Gate | null>
  decide(callId: string, decision: CallDecision): void
  /** Another call with this id was refused: its result does not say that the command of this one has read its pipe. */
  share(callId: string): void
  /** Whether the call waits at its gate. */
  isWaiting(callId: string): boolean
  /** Returns the event without the gate's line. A result also releases the gate. */
  strip(event: ZotEvent): ZotEvent
  /** No call uses a gate any more. */
  clear(): void
}

type Used = { gate: Gate; command: string; isWaiting: boolean; changed?: string }

/** `mark` stands before every command. */
export function createGatesInUse(gates: Gates | null, mark: string): GatesInUse {
  const used = new Map<string, Used>()
  const shared = new Set<string>()

  function release(callId: string): void {
    // Two commands at one pipe would take each other's answer, and one of them would wait for ever.
    if (!shared.has(callId)) used.get(callId)?.gate.release()
    used.delete(callId)
  }

  return {
    async take(callId, command) {
      const gate = gates && (await gates.take())
      // A call without a result has ended when its id is used again.
      release(callId)
      if (gate) used.set(callId, { gate, command, isWaiting: true })
      return gate
    },
    decide(callId, decision) {
      const call = used.get(callId)
      if (!call) return
      call.isWaiting = false
      if (!decision.allowed) return call.gate.refuse(decision.words)
      if (decision.command === undefined || decision.command === call.command) return call.gate.open()
      call.changed = decision.command
      call.gate.replace(decision.command)
    },
    share: callId => void shared.add(callId),
    isWaiting: callId => used.get(callId)?.isWaiting === true,
    strip(event) {
      if (event.type !== 'tool_result') return event
      const { gate, command = '', changed = command } = used.get(event.id) ?? {}
      release(event.id)
      const seen = `$ ${mark}${gate ? gate.line + command : ''}`
      if (seen === '$ ') return event
      const content = event.content.map(part =>
        part.type === 'text' && part.text.startsWith(seen)
          ? { ...part, text: `$ ${changed}${part.text.slice(seen.length)}` }
          : part,
      )
      return { ...event, content }
    },
    clear() {
      shared.clear()
      for (const callId of used.keys()) release(callId)
    },
  }
}
