/**
 * Checks the order of the frames of a prompt. It holds for any agent that speaks zot's protocol, so it is run over the
 * recordings as well as over the demo. Responses and events of extensions may come anywhere.
 */
import { isDeepStrictEqual } from 'node:util'
import type { WireFrame } from './wire-frame.ts'

type Call = { id: string; name: string; args: unknown }

type State =
  | { at: 'idle' }
  /** The response to a prompt was given: its echo is next. */
  | { at: 'started' }
  | { at: 'between'; step: number }
  | { at: 'asking'; step: number }
  | { at: 'streaming'; step: number; text: string; drafts: Map<string, 'open' | 'closed'> }
  | { at: 'closing'; step: number; text: string; drafts: number; said: boolean; calls: Call[]; told: Call[] }
  | { at: 'failed'; step: number; error: string }
  | { at: 'running'; step: number; waiting: Call[]; inner: Set<string> }
  | { at: 'ending' }
  | { at: 'last' }

/** Lists the errors in the order of these frames. */
export function grammarErrors(frames: readonly WireFrame[], options: { cutOff?: boolean } = {}): string[] {
  const errors: string[] = []
  let state: State = { at: 'idle' }
  let compacting = false
  for (const [at, frame] of frames.entries()) {
    if (frame.type === 'response') {
      if (frame.command === 'prompt' && frame.success) {
        if (state.at !== 'idle') errors.push(`${at}: a prompt started within another`)
        state = { at: 'started' }
      }
      if (frame.command === 'compact') compacting = true
      if (frame.command === 'abort') compacting = false
      continue
    }
    if (frame.type.startsWith('ext_')) continue
    if (compacting && state.at === 'idle' && ['compact_done', 'error'].includes(frame.type)) {
      compacting = false
      continue
    }
    const next = follow(state, frame)
    if (typeof next === 'string') errors.push(`${at}: ${frame.type} ${state.at}: ${next}`)
    else state = next
  }
  if (state.at !== 'idle' && !options.cutOff) errors.push(`ended while ${state.at}`)
  return errors
}

/** The state after a frame, or why it cannot come here. */
function follow(state: State, frame: WireFrame): State | string {
  switch (state.at) {
    case 'idle':
      return 'outside of a prompt'
    case 'started':
      return frame.type === 'user_message' ? { at: 'between', step: 0 } : 'before the echo of the prompt'
    case 'between':
      return between(state.step, frame)
    case 'asking':
      return attempt(state.step, frame) ?? 'before the answer began'
    case 'streaming':
      return stream(state, frame)
    case 'closing':
      return close(state, frame)
    case 'failed':
      if (frame.type === 'error')
        return frame.message === state.error ? { at: 'last' } : 'another error than the turn had'
      return attempt(state.step, frame) ?? ended(frame)
    case 'running':
      return runTools(state, frame)
    case 'ending':
      return ended(frame)
    case 'last':
      return ended(frame)
  }
}

function ended(frame: WireFrame): State | string {
  return frame.type === 'done' ? { at: 'idle' } : 'where only done can follow'
}

function between(step: number, frame: WireFrame): State | string {
  if (frame.type === 'turn_start') {
    return frame.step === step + 1 ? { at: 'asking', step: step + 1 } : `step ${frame.step} after ${step}`
  }
  // More steps than allowed.
  if (frame.type === 'error' && step > 0) return { at: 'last' }
  // Stopped between two steps.
  return step > 0 ? ended(frame) : 'before the first step'
}

function attempt(step: number, frame: WireFrame): State | undefined {
  if (frame.type === 'assistant_start') return { at: 'streaming', step, text: '', drafts: new Map() }
  if (frame.type === 'turn_end' && frame.stop === 'error') return { at: 'failed', step, error: frame.error ?? '' }
  return undefined
}

function stream(state: Extract<State, { at: 'streaming' }>, frame: WireFrame): State | string {
  const { drafts } = state
  const id = frame.id ?? ''
  switch (frame.type) {
    case 'text_delta':
      return { ...state, text: state.text + (frame.delta ?? '') }
    case 'tool_use_start':
      if (drafts.has(id)) return `${id} began twice`
      return { ...state, drafts: new Map([...drafts, [id, 'open']]) }
    case 'tool_use_args':
    case 'tool_use_end':
      if (drafts.get(id) !== 'open') return `${id} is not being composed`
      return frame.type === 'tool_use_args' ? state : { ...state, drafts: new Map([...drafts, [id, 'closed']]) }
    case 'usage':
      if (frame.auxiliary) return 'auxiliary outside of a tool'
      return {
        at: 'closing',
        step: state.step,
        text: state.text,
        drafts: drafts.size,
        said: false,
        calls: [],
        told: [],
      }
    default:
      return 'within an answer'
  }
}

function close(state: Extract<State, { at: 'closing' }>, frame: WireFrame): State | string {
  switch (frame.type) {
    case 'assistant_message':
      return said(state, frame)
    case 'tool_call': {
      const [expected, ...calls] = state.calls
      const { id, name, args } = frame
      if (!expected || !isDeepStrictEqual(expected, { id, name, args })) return 'not the next call of the message'
      return { ...state, calls, told: [...state.told, expected] }
    }
    case 'turn_end':
      return turnEnd(state, frame)
    default:
      return 'while an answer is closed'
  }
}

function said(state: Extract<State, { at: 'closing' }>, frame: WireFrame): State | string {
  if (state.said) return 'twice'
  const content = frame.content ?? []
  const text = content.map(block => block.text ?? '').join('')
  if (text !== state.text) return 'not what was streamed'
  const calls = content
    .filter(block => block.type === 'tool_call')
    .map(({ id = '', name = '', args }) => ({ id, name, args }))
  return { ...state, said: true, calls }
}

function turnEnd(state: Extract<State, { at: 'closing' }>, frame: WireFrame): State | string {
  if (state.calls.length > 0) return 'before all calls were told'
  const { step } = state
  switch (frame.stop ?? '') {
    case 'end':
    case 'length':
      return state.said || state.text === '' ? { at: 'ending' } : 'without a message'
    case 'aborted':
      if (state.said === (state.drafts > 0 || state.text === ''))
        return 'a message is due exactly where there is text and no tool was begun'
      return { at: 'ending' }
    case 'error':
      return { at: 'failed', step, error: frame.error ?? '' }
    case 'tool_use':
      return state.told.length > 0 ? { at: 'running', step, waiting: state.told, inner: new Set() } : 'without a tool'
    default:
      return `stop ${frame.stop}`
  }
}

function runTools(state: Extract<State, { at: 'running' }>, frame: WireFrame): State | string {
  const { waiting, inner, step } = state
  const id = frame.id ?? ''
  const current = waiting[0]?.id
  const isInner = current !== undefined && id.startsWith(`${current}/`)
  switch (frame.type) {
    case 'usage':
      return frame.auxiliary ? state : 'of the conversation while a tool runs'
    case 'tool_progress':
      return id === current || inner.has(id) ? state : `${id} does not run`
    case 'tool_call':
      if (!isInner || inner.has(id)) return `${id} is no new call of ${current}`
      return { ...state, inner: new Set([...inner, id]) }
    case 'tool_result':
      if (inner.has(id)) return { ...state, inner: new Set([...inner].filter(other => other !== id)) }
      if (id !== current) return `${id} is not the one that runs`
      if (inner.size > 0) return `before the calls in it`
      return waiting.length > 1 ? { ...state, waiting: waiting.slice(1) } : { at: 'between', step }
    default:
      return 'while tools run'
  }
}
