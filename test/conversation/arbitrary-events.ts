/** Conversations at random, for properties: sequences that no agent would send, and such as a real one sends. */
import { permissionModes, toolKinds } from '../../src/agent/permission.ts'
import { taskKinds, taskStates } from '../../src/agent/task-events.ts'
import { turnCauses } from '../../src/agent/turn-events.ts'
import * as fc from 'fast-check'
import { inheritedNames } from '../helpers/inherited-names.ts'
import type { AnswerContent } from '../../src/agent/event.ts'
import {
  accepted,
  answered,
  answering,
  call,
  calls,
  costs,
  drafted,
  drafts,
  ended,
  fails,
  notes,
  prints,
  prompt,
  returns,
  says,
  started,
  step,
  stops,
  writes,
  type Told,
} from './events.ts'

/** Few of them, so that they meet. */
const id = fc.constantFrom('constructor', '__proto__', 'a', 'b', 'call_0', 'a/1', 'a/2', 'a/1/1', 'b/1', '')
const name = fc.constantFrom(
  'constructor',
  'toString',
  'bash',
  'read',
  'write',
  'edit',
  'glob',
  'skill',
  'models.classify',
  '',
)
/** Words, lines, wide and combining characters, and what should never reach a screen as it is. */
export const anyText = fc.oneof(
  fc.constantFrom(
    'Hello ',
    ...inheritedNames,
    'a\nb',
    '\n\n',
    '日本語',
    '👩‍👩‍👧‍👦',
    '\u001B[31mred',
    'e\u0301',
    '\r',
    '\t',
    '',
    '# Title\n',
    '- item\n',
  ),
  fc.constantFrom('```ts\nlet x = 1\n', '```\n', '| a | b |\n|---|---|\n', '**bold** and `code`', 'x'.repeat(300)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const args = fc.oneof(
  fc.constantFrom<unknown>(
    { command: 'ls -l' },
    { path: 'src/a.ts', content: 'x\ny\n' },
    { path: 'a', offset: 3, limit: 4 },
    {},
    null,
  ),
  // As a session keeps it: JSON has no negative zero.
  fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
)
const argumentsText = fc.oneof(
  fc.constantFrom('{"command":"', 'ls"}', '{"path":"a.txt","content":"one\\ntw', '\\u00', '"}', ''),
  fc.string({ maxLength: 10 }),
)
const count = fc.nat({ max: 100_000 })
const usageFields = fc.record({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  costUsd: fc.double({ min: 0, max: 5, noNaN: true }),
  reasoning: fc.option(count),
})
const resultContent = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: anyText }),
    fc.record({
      type: fc.constant('text' as const),
      text: anyText.map(out => `$ ls\n\n${out}\n\n[exit 1]  Took 1.2s`),
    }),
    fc.record({ type: fc.constant('image' as const), mimeType: fc.constantFrom('image/png', ''), bytes: count }),
  ),
  { maxLength: 2 },
)
const answerContent: fc.Arbitrary<AnswerContent[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: anyText }),
    fc.record({ type: fc.constant('image' as const), mimeType: fc.constant('image/png'), bytes: count }),
    fc.record({ type: fc.constant('tool_call' as const), id, name, arguments: args }),
  ),
  { maxLength: 3 },
)
const stop = fc.constantFrom(
  'end',
  'end_turn',
  'length',
  'tool_use',
  'error',
  'aborted',
  'a word of tomorrow',
  'constructor',
)
const model = {
  provider: fc.constantFrom('anthropic', ''),
  model: fc.constantFrom('claude', 'a-model-with-quite-a-long-name-2026-01-01', ''),
  contextWindow: fc.option(fc.constantFrom(0, 1000, 200_000)),
}
const level = fc.constantFrom('info' as const, 'success' as const, 'warn' as const, 'error' as const)
const event = <Fields>(
  type: Told['type'],
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
): fc.Arbitrary<Told> => fc.record(fields).map(values => Object.assign({ type }, values) as unknown as Told)
const bare = (...types: Told['type'][]): fc.Arbitrary<Told> =>
  fc.constantFrom(...types).map(type => ({ type }) as unknown as Told)

const images = fc.array(fc.record({ mimeType: fc.constantFrom('image/png', ''), bytes: count }), { maxLength: 2 })

const device = fc.option(anyText, { nil: undefined })

/** One event of any kind but those of a task's own conversation. */
const plainEvent: fc.Arbitrary<Told> = fc.oneof(
  bare('prompt_accepted', 'answer_started', 'abort_overdue', 'turn_ended'),
  event('abort_requested', { from: device }),
  bare('compaction_started', 'compaction_aborted', 'conversation_cleared', 'shell_stop_requested'),
  event('agent_starting', { agent: fc.constantFrom('zot', 'demo') }),
  event('agent_started', {
    agent: fc.constantFrom('zot', 'demo'),
    version: fc.constantFrom('0.3.3', ''),
    ...model,
    reasoning: fc.constantFrom('', 'high', null),
    reasoningLevels: fc.constantFrom([], ['low', 'high']),
  }),
  event('agent_ended', {
    code: fc.option(fc.nat({ max: 255 })),
    signal: fc.constantFrom('SIGKILL', null),
    reason: anyText,
    hint: anyText,
    expected: fc.boolean(),
  }),
  event('warning_raised', { message: anyText }),
  event('remark_made', { level, text: anyText, hint: fc.option(anyText), markdown: fc.boolean() }),
  event('prompt_sent', {
    text: anyText,
    typed: fc.option(anyText, { nil: undefined }),
    images,
    from: device,
  }),
  event('file_created', { id }),
  event('file_replaced', { id, added: fc.nat(), removed: fc.nat() }),
  event('prompt_refused', { message: anyText }),
  event('step_started', { step: fc.integer({ min: 1, max: 3 }) }),
  event('text_received', { text: anyText }),
  event('tool_drafted', { id, name }),
  event('tool_arguments_received', { id, text: argumentsText }),
  event('tool_arguments_finished', { id }),
  event('usage_reported', { usage: usageFields, auxiliary: fc.boolean() }),
  event('answer_finished', { content: answerContent }),
  event('tool_called', { id, name, arguments: args }),
  event('step_ended', { stop }),
  event('step_ended', { stop, error: anyText }),
  event('tool_progressed', { id, text: anyText }),
  event('tool_finished', { id, failed: fc.boolean(), content: resultContent }),
  event('commands_changed', {
    count: fc.nat(200),
    files: fc.array(fc.record({ path: fc.string(), added: fc.nat(), removed: fc.nat(), isEstimate: fc.boolean() })),
  }),
  event('edit_located', { id, lines: fc.array(fc.option(fc.nat(1000)), { maxLength: 3 }) }),
  event('image_located', { id, path: anyText, mimeType: anyText, width: fc.nat(), height: fc.nat() }),
  event('error_reported', { message: anyText }),
  event('shell_started', { command: anyText, shared: fc.boolean() }),
  event('shell_printed', { text: anyText }),
  event('shell_ended', {
    exitCode: fc.constantFrom(0, 1, null),
    stopped: fc.boolean(),
    durationMs: fc.nat(),
    output: anyText,
    omittedBytes: fc.constantFrom(undefined, 0, 12_000),
    onTerminal: fc.constantFrom(undefined, true as const),
    problem: fc.constantFrom(null, 'no'),
  }),
  event('compaction_finished', { summary: anyText }),
  event('compaction_failed', { message: anyText }),
  event('model_changed', { ...model, reasoningLevels: fc.constantFrom([], ['low', 'high']) }),
  event('reasoning_changed', { reasoning: fc.constantFrom('', 'high') }),
  event('extension_noted', { extension: fc.constantFrom('lint', 'git'), level, message: anyText }),
  event('extension_displayed', { extension: fc.constantFrom('lint', 'git'), text: anyText }),
  event('extension_notes_cleared', { extension: fc.constantFrom('lint', 'git') }),
  event('permission_mode_changed', { mode: fc.constantFrom(...permissionModes, null) }),
  event('permission_requested', {
    id,
    callId: fc.option(id, { nil: null }),
    tool: fc.constantFrom('bash', 'edit'),
    kind: fc.constantFrom(...toolKinds),
    arguments: args,
    folder: anyText,
    because: anyText,
    switchesMode: fc.constantFrom(true, undefined),
  }),
  event('permission_decided', {
    id,
    allowed: fc.boolean(),
    by: fc.constantFrom('user', 'rule', 'program', 'end'),
    from: device,
  }),
  event('call_refused', { callId: fc.option(id, { nil: null }), tool: anyText, because: anyText }),
  event('call_held', { id, where: fc.constantFrom('reading', 'sandbox', 'outside') }),
  event('plan_proposed', { text: anyText }),
  event('plan_answered', { answer: fc.constantFrom('accepted', 'changed', 'rejected'), from: device }),
  event('checkpoint_made', { id: anyText }),
  event('thought_received', { text: anyText }),
  event('answer_withdrawn', {}),
  event('text_withdrawn', {}),
  event('tool_started', { id }),
  event('tool_described', {
    id,
    title: anyText,
    kind: fc.constantFrom(...toolKinds),
    locations: fc.constantFrom([], [{ path: 'a', line: 3 }]),
    diff: fc.constantFrom([], [{ path: 'a', before: null, after: 'x\ny\n' }], [{ path: 'b', before: 'x', after: '' }]),
  }),
  event('tool_shown', { id, content: resultContent }),
  event('plan_changed', {
    entries: fc.array(fc.record({ text: anyText, status: fc.constantFrom('pending', 'in_progress', 'completed') }), {
      maxLength: 9,
    }),
    inAnswer: fc.constantFrom(true, undefined),
  }),
  event('activity_told', { text: anyText }),
  event('retry_announced', {
    attempt: fc.option(fc.nat({ max: 9 })),
    of: fc.option(fc.nat({ max: 9 })),
    delayMs: fc.option(count),
    message: anyText,
  }),
  event('context_reported', {
    used: count,
    size: fc.option(count),
    costUsd: fc.option(fc.double({ min: 0, max: 5, noNaN: true })),
  }),
  event('question_asked', {
    id,
    message: anyText,
    fields: fc.constantFrom([], [{ name: 'n', label: 'Name', kind: 'text', required: true }]),
  }),
  event('question_answered', {
    id,
    answer: fc.constantFrom('given', 'declined', 'cancelled'),
    values: fc.constantFrom({}, { n: 'x' }, { n: true }),
    from: device,
  }),
  event('options_changed', { options: fc.constant([]) }),
  event('agent_commands_changed', { commands: fc.constantFrom([], [{ name: 'init', description: 'Begins' }]) }),
  event('title_changed', { title: anyText }),
  event('agent_session_opened', {
    id,
    remembers: fc.constantFrom(undefined, true),
    problem: fc.constantFrom(undefined, 'it is gone'),
  }),
  event('agent_sessions_left', {}),
  event('login_needed', { methods: fc.constantFrom([], [{ id: 'key', name: 'A key' }]) }),
  event('files_restored', { checkpoint: anyText, undo: anyText, count: fc.nat() }),
  event('turn_begun', { cause: fc.constantFrom(...turnCauses), about: anyText }),
  event('steer_delivered', { id, text: anyText, images, from: device }),
  event('call_steered', { id }),
  event('task_reported', { id }),
  event('task_reported', {
    id,
    kind: fc.constantFrom(...taskKinds),
    parent: id,
    name: anyText,
    about: anyText,
    model: anyText,
    state: fc.constantFrom(...taskStates),
    canStop: fc.boolean(),
    callId: id,
    summary: anyText,
  }),
  event('limits_reported', {
    windows: fc.array(
      fc.record({
        id: fc.constantFrom('five_hour', 'constructor', ''),
        used: fc.double({ noNaN: true }),
        resetsAt: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      }),
      { maxLength: 3 },
    ),
  }),
  event('folders_changed', { folders: fc.array(anyText, { maxLength: 2 }) }),
  event('servers_reported', {
    servers: fc.array(fc.record({ name: id, state: fc.constantFrom('running', 'failed', 'unknown') }), {
      maxLength: 2,
    }),
  }),
)

/** One event of any kind. */
export const anyEvent: fc.Arbitrary<Told> = fc.oneof(
  { weight: 9, arbitrary: plainEvent },
  {
    weight: 1,
    arbitrary: event('task_event', { id, event: plainEvent.map(plain => Object.assign({ at: 0 }, plain)) }),
  },
)

/** Any events in any order: what a broken agent might send. */
export const anyEvents = fc.array(anyEvent, { maxLength: 60, size: 'max' })

const between = fc.option(
  fc.constantFrom<Told>(
    notes('lint', 'looks good'),
    { type: 'extension_notes_cleared', extension: 'lint' },
    { type: 'warning_raised', message: 'careful' },
    { type: 'abort_requested' },
  ),
  { freq: 6, nil: null },
)

type Block =
  | { text: string }
  | { id: string; name: string; args: unknown; failed: boolean; output: string; inner: boolean }

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ text: anyText.filter(words => words !== '') }),
  fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    name: fc.constantFrom('bash', 'read', 'write', 'edit'),
    args: fc.constantFrom({ command: 'ls' }, { path: 'a.txt', content: 'one\ntwo\n' }),
    failed: fc.boolean(),
    output: anyText,
    inner: fc.boolean(),
  }),
)

type Attempt = { blocks: Block[]; end: 'well' | 'fails' | 'suppressed' | 'rewritten' }

/** The events of a model call that is streamed in pieces, and of the tools that it calls. */
function attemptEvents({ blocks, end }: Attempt): Told[] {
  const unique = blocks.filter(
    (each, index) => 'text' in each || blocks.findIndex(other => 'id' in other && other.id === each.id) === index,
  )
  const tools = unique.filter(each => 'id' in each)
  const stream = unique.flatMap(each => {
    if ('text' in each) return Array.from(each.text, piece => says(piece))
    const json = JSON.stringify(each.args)
    return [
      drafts(each.id, each.name),
      writes(each.id, json.slice(0, 5)),
      writes(each.id, json.slice(5)),
      drafted(each.id),
    ]
  })
  const content = unique.map(each =>
    'text' in each
      ? ({ type: 'text', text: end === 'rewritten' ? `${each.text}!` : each.text } as const)
      : call(each.id, each.name, each.args),
  )
  const said = end === 'suppressed' ? [] : [answered(...content)]
  const called = tools.map(each => calls(each.id, each.name, each.args))
  const cost = costs({ input: 100, output: 10, costUsd: 0.01 })
  if (end === 'fails') return [answering, ...stream, cost, stops('error', 'http 503: upstream')]
  if (tools.length === 0) return [answering, ...stream, cost, ...said, stops('end')]
  const runs = tools.flatMap(({ id, output, inner, failed }) => {
    const made = inner ? [calls(`${id}/1`, 'read', {}), returns(`${id}/1`, output)] : []
    return [prints(id, output), made, returns(id, output, failed)].flat()
  })
  return [answering, ...stream, cost, ...said, ...called, stops('tool_use'), ...runs]
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  blocks: fc.array(block, { maxLength: 4 }),
  end: fc.constantFrom('well', 'well', 'well', 'fails', 'suppressed', 'rewritten'),
})

const turn: fc.Arbitrary<Told[]> = fc
  .record({
    text: anyText,
    steps: fc.array(fc.array(attempt, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
    error: fc.boolean(),
  })
  .map(({ text, steps, error }) =>
    [
      prompt(text),
      accepted,
      steps.flatMap((attempts, index) => [step(index + 1)].concat(attempts.flatMap(attemptEvents))),
      error ? fails('http 503: upstream') : [],
      ended,
    ].flat(),
  )

const other: fc.Arbitrary<Told[]> = fc.constantFrom<Told[]>(
  [{ type: 'compaction_started' }, { type: 'compaction_finished', summary: 'We spoke.\n- of this' }],
  [{ type: 'compaction_started' }, { type: 'compaction_failed', message: 'http 401' }],
  [{ type: 'compaction_started' }, { type: 'compaction_failed', message: 'nothing to compact', nothing: true }],
  [{ type: 'compaction_started' }, { type: 'abort_requested' }, { type: 'compaction_aborted' }],
  [{ type: 'conversation_cleared' }],
  [
    { type: 'agent_ended', code: 1, signal: null, reason: 'it fell', hint: '/restart', expected: false },
    { type: 'agent_starting', agent: 'zot' },
    started,
  ],
)

/** A conversation such as a real agent has, with remarks and an abort here and there. */
export const conversation: fc.Arbitrary<Told[]> = fc
  .array(fc.oneof({ weight: 4, arbitrary: turn }, other), { maxLength: 4 })
  .map(pieces => [started].concat(pieces.flat()))
  .chain(events =>
    fc
      .array(between, { minLength: events.length, maxLength: events.length })
      .map(remarks => events.flatMap((each, index) => [each, ...(remarks[index] ? [remarks[index]] : [])])),
  )

/** The cuts of a list into pieces: as many lengths as there may be pieces. */
export const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 })

/** The list in pieces of these lengths, over and over. */
export function inPieces<Each>(list: readonly Each[], lengths: readonly number[]): Each[][] {
  const pieces: Each[][] = []
  for (let at = 0, turn = 0; at < list.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1
    pieces.push(list.slice(at, at + length))
    at += length
  }
  return pieces
}
