/** Requests of the agent to its client. */
import { rpcCodes, type RpcRequest } from '../transport/json-rpc.ts'
import { readElicitation, readPermission } from './frame.ts'
import type { AcpPermissions } from './session/permissions.ts'
import type { Forms } from './session/questions.ts'
import type { AcpSessions } from './sessions.ts'

export type ServingOptions = {
  sessions: AcpSessions
  permissions: AcpPermissions
  forms: Forms
  now: () => number
  debug: (message: string) => void
}

/** Answers a request, or passes it on for the user's decision. */
export function serve(request: RpcRequest, { sessions, permissions, forms, now, debug }: ServingOptions): void {
  switch (request.method) {
    case 'session/request_permission': {
      const wire = readPermission(request.params)
      const session = sessions.current
      // A request of another session, or during a replay, cannot be decided here.
      if (!wire || wire.sessionId !== session?.id || sessions.isOpening)
        return request.succeed({ outcome: { outcome: 'cancelled' } })
      sessions.tell(session.translation.asked(wire.toolCall, now()))
      return permissions.ask(request, wire, session.translation.calls.get(wire.toolCall.toolCallId))
    }
    case 'elicitation/create': {
      const wire = readElicitation(request.params)
      if (!wire) return request.fail({ code: -32602, message: 'Invalid params' })
      // A session that is still opening may fail, so the user cannot answer its form.
      if (sessions.isOpening) return request.succeed({ action: 'cancel' })
      return forms.ask(request, wire)
    }
    default:
      debug(`unsupported request: ${request.method}`)
      request.fail({ code: rpcCodes.unknownMethod, message: `Method not found: ${request.method}` })
  }
}
