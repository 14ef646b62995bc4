/** The gates in use, by call, and the text that must be hidden from the user. */
import type { GitSetting } from '../../../agent/permission.ts'
import type { ZotEvent } from '../frame.ts'
import type { Gate, Gates } from './gates.ts'
import type { CallDecision } from '../../calls/questions.ts'

export type GatesInUse = {
  /** A command runs without a gate, with this line before it. */
  begin(callId: string, line: string, command: string): void
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

/** `line` stands before the command. */
type Used = { gate: Gate | null; line: string; command: string; isWaiting: boolean; changed?: string }

/** `mark` stands before every command. `lineOf` writes the line that gives settings to git. */
export function createGatesInUse(
  gates: Gates | null,
  mark: string,
  lineOf: (settings: readonly GitSetting[]) => string,
): GatesInUse {
  const used = new Map<string, Used>()
  const shared = new Set<string>()

  function release(callId: string): void {
    // Two commands at one pipe would take each other's answer, and one of them would wait for ever.
    if (!shared.has(callId)) used.get(callId)?.gate?.release()
    used.delete(callId)
  }

  return {
    begin(callId, line, command) {
      release(callId)
      used.set(callId, { gate: null, line, command, isWaiting: false })
    },
    async take(callId, command) {
      const gate = gates && (await gates.take())
      // A call without a result has ended when its id is used again.
      release(callId)
      if (gate) used.set(callId, { gate, line: gate.line, command, isWaiting: true })
      return gate
    },
    decide(callId, decision) {
      const call = used.get(callId)
      if (!call?.gate) return
      call.isWaiting = false
      if (!decision.allowed) return call.gate.refuse(decision.words)
      if (decision.git) return call.gate.openWith(lineOf(decision.git), call.command)
      if (decision.command === undefined || decision.command === call.command) return call.gate.open()
      call.changed = decision.command
      call.gate.replace(decision.command)
    },
    share: callId => void shared.add(callId),
    isWaiting: callId => used.get(callId)?.isWaiting === true,
    strip(event) {
      if (event.type !== 'tool_result') return event
      const { line = '', command = '', changed = command } = used.get(event.id) ?? {}
      release(event.id)
      const seen = `$ ${mark}${line + command}`
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
