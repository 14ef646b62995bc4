/** The calls that run here while zot waits for them, so that an abort loses nothing of what the user has seen. */
import { took } from '../../../text/format.ts'
import type { ZotEvent } from '../frame.ts'

type ToolResult = Extract<ZotEvent, { type: 'tool_result' }>

export type RunningCall = {
  /** Aborted with its turn, and when zot does not wait for the call any more. */
  readonly signal: AbortSignal
  /** A further piece of its output. */
  onProgress(text: string): void
  end(): void
}

export type RunningCalls = {
  begin(callId: string | null, command: string, turn: AbortSignal): RunningCall
  /** A result of zot. If the call still runs, zot has given up on it: it is ended, and its output stands for zot's own words. */
  givenUp(result: ToolResult): ToolResult
}

type OutputOfCall = { command: string; since: number; output: string; controller: AbortController }

/** Characters of the output that stay, as of any result. */
const MOST = 50 * 1024

export function createRunningCalls(now: () => number): RunningCalls {
  const running = new Map<string, OutputOfCall>()

  return {
    begin(callId, command, turn) {
      const call: OutputOfCall = { command, since: now(), output: '', controller: new AbortController() }
      const id = callId ?? ''
      if (id !== '') running.set(id, call)
      // `AbortSignal.any` takes longer than reading a file.
      const stop = (): void => call.controller.abort()
      turn.addEventListener('abort', stop)
      if (turn.aborted) stop()
      return {
        signal: call.controller.signal,
        onProgress: text => void (call.output = (call.output + text).slice(0, MOST)),
        end() {
          turn.removeEventListener('abort', stop)
          if (running.get(id) === call) running.delete(id)
        },
      }
    },
    givenUp(result) {
      const call = running.get(result.id)
      if (!call) return result
      running.delete(result.id)
      call.controller.abort()
      const { command, output, since } = call
      if (command === '') return result
      const text = `$ ${command}\n\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}\n[exit -1]  Took ${took(now() - since)}`
      return { ...result, is_error: true, content: [{ type: 'text', text }] }
    },
  }
}
