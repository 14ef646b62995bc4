/** A prompt and the result of a call in roz's form. Pure. */
import type { Prompt } from '../../agent/backend.ts'
import { toText } from '../tool-host/outcomes.ts'
import type { HostedResult } from '../tool-host/tool-host.ts'
import type { SessionRequestMessage } from './wire/messages.ts'

/** The texts that come before a prompt and are not the user's words. */
export function promptContext({ memory, before = [] }: Prompt, note: string): string[] {
  return [...(memory ? [memory.text] : []), note, ...before].filter(text => text !== '')
}

/** Images are not here: roz leaves them out of a prompt, and takes them with the conversation that a session begins with. */
export function userMessage(text: string, context: readonly string[], id: string) {
  const blocks = context.map(each => ({ label: 'Context', text: each }))
  return { user_message: { content: text, context: blocks, message_id: id } }
}

export function toolResult(
  callId: string,
  result: HostedResult,
): Extract<SessionRequestMessage, { tool_result: unknown }> {
  const { isError, exitCode, isCut = false, ranMs = 0 } = result
  return {
    tool_result: {
      tool_call_id: callId,
      success: !isError,
      result: toText(result),
      // The exit code must agree with the success.
      ...(exitCode !== undefined && (exitCode === 0) === !isError && { exit_code: exitCode }),
      truncated: isCut,
      duration_ms: Math.round(ranMs),
    },
  }
}
