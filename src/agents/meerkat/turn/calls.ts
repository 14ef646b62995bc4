/**
 * The calls of one turn. They run side by side, and all results of a step come together. Ids are the provider's and repeat between
 * steps, so a call gets an id of ours. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AgentEvent, AnswerContent } from '../../../agent/event.ts'
import type { ToolKind } from '../../../agent/permission.ts'
import type { WireMeerkatBlock } from '../frame.ts'
import { withoutWords } from '../../tool-host/steering.ts'
import { diffsOfPatch } from './patch.ts'
import { resultContent } from './result.ts'
import { lookup } from '../../../text/lookup.ts'
import { textAt } from '../../../text/member.ts'

type MeerkatCall = {
  readonly id: string
  /** The provider's id. */
  readonly wireId: string
  readonly name: string
  readonly arguments: unknown
  /** Whether its request was lost, so that its arguments are not known. */
  readonly isGuessed: boolean
  /** Whether Meerkat has asked zotui to run it. */
  isHere: boolean
  phase: 'called' | 'running'
  /** Whether it failed, as far as that is known before its result. */
  failed: boolean
  /** What the user said to the model with its result. */
  words?: string
}

export type MeerkatCalls = {
  /** The calls of this step as parts of its answer. */
  readonly content: readonly AnswerContent[]
  /** Whether a call of this turn has begun: from then on the turn is kept by the agent. */
  readonly hasBegun: boolean
  beginStep(): void
  requested(call: { id: string; name: string; args: unknown }, at: number): AgentEvent[]
  started(call: { id: string; name: string }, at: number): AgentEvent[]
  completed(wireId: string, isError: boolean): void
  finished(
    call: { id: string; name: string; blocks: readonly WireMeerkatBlock[]; isError: boolean },
    at: number,
  ): AgentEvent[]
  /**
   * The id of a call that the agent wants to be run here. Null for one that is not run: it differs from the call that was shown with this
   * id, or that one was run here or is finished.
   */
  running(call: { id: string; name: string; args: unknown }, at: number): { id: string; events: AgentEvent[] } | null
  /** The call continues in zotui and is finished for the agent, whose result only says so. */
  deferred(wireId: string): void
  /** The result that the agent gets ends with these words of the user. */
  heard(wireId: string, words: string): void
  /** The turn ends. Whether it ended well, so that calls without a result have one that was lost. */
  end(endedWell: boolean, at: number): AgentEvent[]
}

/** A call as Meerkat reports it; without arguments where its request was lost. */
type WireCall = { id: string; name: string; args?: unknown }

/** Whether what is to be run is the call that was shown. */
function isSame(shown: MeerkatCall, { name, args }: WireCall): boolean {
  return !shown.isHere && shown.name === name && (shown.isGuessed || isDeepStrictEqual(shown.arguments, args))
}

const KINDS: Readonly<Partial<Record<string, ToolKind>>> = {
  shell: 'command',
  apply_patch: 'edit',
  view_image: 'read',
}

export function createMeerkatCalls(newId: () => string): MeerkatCalls {
  let open: MeerkatCall[] = []
  let content: AnswerContent[] = []
  /** The ids of this step's finished calls. */
  let over = new Set<string>()
  let hasBegun = false

  return {
    get content() {
      return content
    },
    get hasBegun() {
      return hasBegun
    },
    beginStep() {
      content = []
      over = new Set()
    },
    requested: ({ id, name, args }, at) => add({ id, name, args: args ?? null }, at).events,
    started({ id, name }, at) {
      if (!find(id) && over.has(id)) return []
      return started({ id, name }, at).events
    },
    completed(wireId, isError) {
      const call = find(wireId)
      if (call) call.failed = isError
    },
    finished({ id: wireId, name, blocks, isError }, at) {
      if (!find(wireId) && over.has(wireId)) return []
      const { call, events } =
        isError && find(wireId) ? present({ id: wireId, name }, at) : started({ id: wireId, name }, at)
      const isCommand = lookup(KINDS, call.name) === 'command'
      const own = call.words === undefined ? null : withoutWords(blocks, call.words)
      const { content: result, exitFailed } = resultContent(own ?? blocks, { isCommand, isError })
      return [...events, ...finish(call, isError || exitFailed, result, at)]
    },
    running({ id, name, args }, at) {
      const call = { id, name, args: args ?? null }
      const shown = find(call.id)
      if (shown ? !isSame(shown, call) : over.has(call.id)) return null
      // It is shown again, with what runs.
      if (shown?.isGuessed) open = open.filter(each => each !== shown)
      const { call: found, events } = started(call, at)
      found.isHere = true
      return { id: found.id, events }
    },
    deferred(wireId) {
      open = open.filter(call => call.wireId !== wireId)
      over.add(wireId)
    },
    heard(wireId, words) {
      const call = find(wireId)
      if (call) call.words = words
    },
    end(endedWell, at) {
      const lost = endedWell ? open.filter(({ phase }) => phase === 'running') : []
      const events = lost.flatMap(call => finish(call, call.failed, [], at))
      open = []
      return events
    },
  }

  function find(wireId: string): MeerkatCall | undefined {
    return open.find(call => call.wireId === wireId)
  }

  function add({ id: wireId, name, args }: WireCall, at: number) {
    const id = newId()
    const isGuessed = args === undefined
    const known = isGuessed ? {} : args
    const call: MeerkatCall = {
      id,
      wireId,
      name,
      arguments: known,
      isGuessed,
      isHere: false,
      phase: 'called',
      failed: false,
    }
    open.push(call)
    content.push({ type: 'tool_call', id, name, arguments: call.arguments })
    const kind = lookup(KINDS, name)
    const diff = name === 'apply_patch' ? diffsOfPatch(patchIn(args)) : []
    const described: AgentEvent[] = kind
      ? [{ type: 'tool_described', at, id, kind, ...(diff.length > 0 && { diff }) }]
      : []
    const called: AgentEvent = { type: 'tool_called', at, id, name, arguments: call.arguments }
    return { call, events: [called, ...described] }
  }

  /** The call with this id. One whose request was lost begins here. */
  function present(wire: WireCall, at: number) {
    const call = find(wire.id)
    return call ? { call, events: [] } : add(wire, at)
  }

  function started(wire: WireCall, at: number) {
    const { call, events } = present(wire, at)
    if (call.phase === 'running') return { call, events }
    call.phase = 'running'
    hasBegun = true
    return { call, events: [...events, { type: 'tool_started' as const, at, id: call.id }] }
  }

  function finish(
    call: MeerkatCall,
    failed: boolean,
    result: ReturnType<typeof resultContent>['content'],
    at: number,
  ): AgentEvent[] {
    open = open.filter(each => each !== call)
    over.add(call.wireId)
    return [{ type: 'tool_finished', at, id: call.id, failed, content: result }]
  }
}

function patchIn(args: unknown): string {
  return textAt(args, 'patch') ?? ''
}
