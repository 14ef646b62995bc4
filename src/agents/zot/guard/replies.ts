/** The answers to zot's calls: allowed, refused, or the result of a tool that zotui ran. */
import type { ToolRequest } from '../../../agent/permission.ts'
import type { ToolOutcome } from '../../../local-tools/tool.ts'
import { tooLongAnswer } from '../../calls/model-messages.ts'
import type { GuardFrame, WireBlock } from './link/frames.ts'
import type { GuardLink } from './link/guard-link.ts'
import { commandArguments, type CallArguments } from './requests.ts'
import type { RunningCommands } from './running-commands.ts'

export type Intercept = Extract<GuardFrame, { type: 'event_intercept' }>

/** zot cannot read a line of 4 MiB from an extension. In bytes. */
const LONGEST_ANSWER = 4_000_000

export type Replies = {
  /** Lets a call run, with other arguments if given. `line` stands before a command. */
  pass: (frame: Intercept, args?: CallArguments, line?: string) => void
  /** Refuses a call; the model reads the reason. */
  block: (frame: Intercept, reason: string) => void
  /** The result of a tool that ran here. */
  reply: (id: string, outcome: ToolOutcome) => void
}

/** `mark` stands before every command of zot's shell. */
export function createReplies(
  link: Pick<GuardLink, 'send'>,
  running: Pick<RunningCommands, 'began'>,
  mark: () => string,
): Replies {
  return {
    pass({ id, tool_id: callId }, args, line = '') {
      const command = args?.['command']
      if (typeof command !== 'string')
        return link.send({ type: 'event_intercept_response', id, ...(args && { modified_args: args }) })
      running.began(callId, command, mark() + line)
      const marked = { ...args, command: mark() + line + command }
      link.send({ type: 'event_intercept_response', id, modified_args: marked })
    },
    block({ id }, reason) {
      link.send({ type: 'event_intercept_response', id, block: true, reason })
    },
    reply(id, outcome) {
      const bytes = Buffer.byteLength(JSON.stringify(outcome.content))
      const content: WireBlock[] =
        bytes > LONGEST_ANSWER ? [{ type: 'text', text: tooLongAnswer(bytes) }] : toBlocks(outcome)
      link.send({ type: 'tool_result', id, content, is_error: outcome.isError })
    },
  }
}

/** The outcome of a tool that ran here, in zot's words. */
function toBlocks({ content }: ToolOutcome): WireBlock[] {
  return content.map(part =>
    part.type === 'text' ? part : { type: 'image', mime_type: part.mimeType, data: part.data },
  )
}

/** The arguments that zot runs: for a command exactly what was asked about, and nothing that only zot would read. */
export function passedArguments({ command, arguments: args }: ToolRequest): CallArguments | undefined {
  if (command === undefined) return undefined
  return commandArguments(command, (args as CallArguments)['timeout'])
}
