/**
 * The agent's permission requests. The agent decides what it asks, and the user chooses one of its options. zotui's rules can
 * only refuse: an agent's description of a call may be incomplete, so no rule allows a call because of it.
 */
import { isObject } from '../../../text/json.ts'
import { relative, resolve, sep } from 'node:path'
import type { AgentEvent } from '../../../agent/event.ts'
import {
  requestFacts,
  type Judge,
  type PermissionOption,
  type ToolRequest,
  type Verdict,
} from '../../../agent/permission.ts'
import type { PermissionAnswer } from '../../../agent/requests.ts'
import { unifiedDiff } from '../../../local-tools/line-diff.ts'
import { MOST_OPEN, TOO_MANY } from '../../tool-host/open-calls.ts'
import { callRefused, verdictOf } from '../../tool-host/verdict.ts'
import type { RpcRequest } from '../../transport/json-rpc.ts'
import type { WirePermission } from '../frame.ts'
import type { AcpCall } from '../turn/call.ts'
import { commandIn } from '../turn/command-in.ts'
import { lookup } from '../../../text/lookup.ts'

export type AcpPermissions = {
  /** Asks about a call, of this subagent or of the agent itself. */
  ask(request: RpcRequest, wire: WirePermission, call: AcpCall | undefined, task: string | null): void
  answer(id: string, answer: Exclude<PermissionAnswer, { answer: 'stop' }>, by: 'user' | 'rule'): void
  has(id: string): boolean
  /** Whether the user is asked something. */
  readonly isAsking: boolean
  /** The subagent that asks; null for the agent itself. */
  taskOf(id: string): string | null
  /** Refuses all open requests, or those of one subagent, or with null those of the agent itself. */
  cancelAll(by: 'user' | 'end', of?: string | null): void
}

export type PermissionsOptions = {
  emit: (event: AgentEvent) => void
  now: () => number
  newId: () => string
  folder: string
  judge: () => Judge | undefined
  /** The user, or the agent's own rules, allowed the call with this id of ours. */
  onAllowed: (callId: string, task: string | null) => void
}

type PermissionAsked = { request: RpcRequest; task: string | null }
type Open = PermissionAsked & { options: readonly PermissionOption[]; callId: string | null }

export function createPermissions({ emit, now, newId, folder, judge, onAllowed }: PermissionsOptions): AcpPermissions {
  const open = new Map<string, Open>()
  /** The requests that the judge still looks at. */
  const judged = new Map<string, PermissionAsked>()

  return {
    ask(request, wire, call, task) {
      const options = wire.options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind }))
      const asked = toRequest(newId(), wire, call, folder)
      const fault = faultOf(options) ?? (open.size + judged.size >= MOST_OPEN ? TOO_MANY : null)
      if (fault !== null) {
        cancel(request)
        return emit(callRefused(asked, fault, now()))
      }
      const rules = judge()
      const verdict = rules && verdictOf(rules, asked)
      if (!(verdict instanceof Promise)) return follow({ request, task }, asked, options, verdict)
      judged.set(asked.id, { request, task })
      request.onWithdrawn(() => forget(asked.id))
      void followLater({ request, task }, asked, options, verdict)
    },
    has: id => open.has(id),
    get isAsking() {
      return open.size + judged.size > 0
    },
    taskOf: id => open.get(id)?.task ?? null,
    answer(id, answer, by) {
      const options = open.get(id)?.options
      if (!options) return
      switch (answer.answer) {
        case 'option': {
          const chosen = options.find(option => option.id === answer.option)
          return chosen && settle(id, chosen, by)
        }
        // The answer never allows more than was asked: not "always" for a yes, and nothing for a command that the agent does not
        // run.
        case 'allow':
          return settle(id, options.find(({ kind }) => kind === 'allow_once') ?? null, by)
        case 'refuse':
          return settle(id, options.find(({ kind }) => kind === 'reject_once') ?? null, by)
        case 'allow_changed':
          return settle(id, null, by)
      }
    },
    cancelAll(by, of) {
      const isMeant = ({ task }: PermissionAsked): boolean => of === undefined || task === of
      for (const [id, asked] of judged) if (isMeant(asked)) forget(id)
      for (const [id, asked] of open) if (isMeant(asked)) settle(id, null, by)
    },
  }

  async function followLater(
    by: PermissionAsked,
    asked: ToolRequest,
    options: readonly PermissionOption[],
    verdict: Promise<Verdict>,
  ): Promise<void> {
    const made = await verdict
    if (judged.delete(asked.id)) follow(by, asked, options, made)
  }

  function follow(
    { request, task }: PermissionAsked,
    asked: ToolRequest,
    options: readonly PermissionOption[],
    verdict: Verdict | undefined,
  ): void {
    if (verdict?.verdict === 'refuse') {
      const reject = options.find(({ kind }) => kind === 'reject_once')
      if (reject) request.succeed(selected(reject.id))
      else cancel(request)
      return emit(callRefused(asked, verdict.because, now()))
    }
    open.set(asked.id, { request, task, options, callId: asked.callId })
    request.onWithdrawn(() => settle(asked.id, null, 'end'))
    const facts = requestFacts({ ...asked, options })
    emit({ type: 'permission_requested', at: now(), ...facts, because: '', ...(task !== null && { task }) })
  }

  function forget(id: string): void {
    const asked = judged.get(id)
    if (judged.delete(id) && asked) cancel(asked.request)
  }

  /** Answers with an option, or with none. */
  function settle(id: string, chosen: PermissionOption | null, by: 'user' | 'rule' | 'end'): void {
    const question = open.get(id)
    if (!question) return
    open.delete(id)
    const allowed = chosen?.kind.startsWith('allow') ?? false
    emit({ type: 'permission_decided', at: now(), id, allowed, by, ...(chosen && { option: chosen.name }) })
    if (allowed && question.callId !== null) onAllowed(question.callId, question.task)
    if (chosen) question.request.succeed(selected(chosen.id))
    else cancel(question.request)
  }
}

/** The reason why these options cannot be shown; null if they can. */
function faultOf(options: readonly PermissionOption[]): string | null {
  if (options.length === 0) return 'the agent asked without offering an answer'
  if (new Set(options.map(({ id }) => id)).size < options.length)
    return 'the agent offered two answers with the same name'
  return null
}

function selected(optionId: string): object {
  return { outcome: { outcome: 'selected', optionId } }
}

function cancel(request: RpcRequest): void {
  request.succeed({ outcome: { outcome: 'cancelled' } })
}

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path']

function toRequest(id: string, { toolCall }: WirePermission, call: AcpCall | undefined, folder: string): ToolRequest {
  const {
    kind = 'other',
    title = toolCall.title ?? '',
    name = toolCall.kind ?? 'tool',
    diffs = [],
    shown = [],
    switchesMode = false,
  } = call ?? {}
  const input = isObject(call?.arguments) ? call.arguments : {}
  const named = [
    ...(call?.locations.map(({ path }) => path) ?? []),
    ...diffs.map(({ path }) => path),
    ...PATHS.map(field => lookup(input, field)).filter(value => typeof value === 'string'),
  ]
  const paths = [...new Set(named.map(path => resolve(folder, path)))]
  const shownText = shown.flatMap(content => (content.type === 'text' ? [content.text] : [])).join('\n')
  // Some agents send no arguments: the text of the call is then the only basis for a decision.
  const args = Object.keys(input).length > 0 || shownText === '' ? input : { content: shownText }
  const command = kind === 'command' ? (commandIn(input) ?? title) : undefined
  return {
    id,
    callId: call?.id ?? null,
    tool: name,
    kind,
    arguments: args,
    folder,
    ...(title !== '' && { title }),
    ...(command !== undefined && { command }),
    ...((switchesMode || toolCall.kind === 'switch_mode') && { switchesMode: true }),
    ...(paths.length > 0 && { paths }),
    ...(diffs.length > 0 && {
      diff: diffs.map(({ path, before, after }) => patch(shownPath(folder, path), before, after)).join(''),
    }),
  }
}

/** A path inside the folder is shown from there on. */
function shownPath(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path))
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside.replaceAll(sep, '/')
}

function patch(path: string, before: string | null, after: string): string {
  return unifiedDiff(path, before === null ? null : Buffer.from(before), Buffer.from(after))
}
