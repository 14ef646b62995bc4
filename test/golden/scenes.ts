/** The golden screens: every construct of Markdown, every state of a tool, every end of a turn, all that is said around it. */
import type { AppState } from '../../src/state/state.ts'
import {
  aborting,
  answered,
  answering,
  costs,
  drafted,
  drafts,
  ended,
  fails,
  notes,
  prints,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  text,
  timed,
  writes,
  accepted,
  type Told,
} from '../conversation/events.ts'
import { samples, toolOf } from '../tools/samples.ts'
import { openDocuments, markdownDocument } from './markdown.ts'
import { asked, models, type Shot } from './shots.ts'
import { commandEntry, promptEntry } from '../../src/state/composer/queue-entry.ts'

const spent = costs({ input: 1200, output: 340, cacheRead: 9800, costUsd: 0.0213 })

const starting: Told = { type: 'agent_starting', agent: 'zot' }
const exits = (reason: string, hint: string): Told => ({
  type: 'agent_ended',
  code: 1,
  signal: null,
  reason,
  hint,
  expected: false,
})

/** Each of the tools in a turn of its own, which its name begins. */
const finishedTools = Object.entries(samples).filter(([, events]) => toolOf(events).tool.endedAt !== null)
const openTools = Object.entries(samples).filter(([, events]) => toolOf(events).tool.endedAt === null)

const toolTurn = (name: string, events: readonly Told[]): Told[] => [
  prompt(name),
  accepted,
  ...events,
  ...(events.at(-1)?.type === 'turn_ended' ? [] : [ended]),
]

const toolsNamed = (pattern: RegExp): Told[] =>
  finishedTools.filter(([name]) => pattern.test(name)).flatMap(([name, events]) => toolTurn(name, events))

const turn = (words: string, ...events: readonly Told[]): Told[] => [prompt(words), accepted, step(1), ...events, ended]

const overloaded = 'anthropic: http 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
const badKey =
  'anthropic: http 401: {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'

const turns: readonly Told[] = [
  ...turn('Say it well.', answering, says('All is well.'), answered(text('All is well.')), spent, stops('end')),
  ...turn(
    'An answer that breaks off.',
    answering,
    says('First I look at the parser.\n\nThen I'),
    stops('error', 'EOF'),
    answering,
    says('Here it is again, whole.'),
    answered(text('Here it is again, whole.')),
    spent,
    stops('end'),
  ),
  ...turn(
    'Tell me a secret.',
    answering,
    says('The key is 1234.\n\nAnd the'),
    answered(text('[removed by an extension]')),
    stops('end'),
  ),
  ...turn('A long one.', answering, says('It goes on and'), answered(text('It goes on and')), spent, stops('length')),
  ...turn('Try the provider.', stops('error', overloaded), fails(overloaded)),
  ...turn('Try the key.', stops('error', badKey), fails(badKey)),
  ...turn('Too much of it.', fails('anthropic: http 400: prompt is too long: 212000 tokens > 200000 maximum')),
  ...turn('Off the network.', fails('Post "https://api.example.com/v1": dial tcp: no such host')),
  ...turn('Something unknown.', fails('the flux capacitor is empty')),
  ...turn('Stop there.', answering, says('I begin to'), aborting, stops('aborted', 'context canceled')),
  ...turn('Stop the tool.', ...runsTool('a', 'bash', { command: 'sleep 20' }), prints('a', 'going on\n'), aborting),
  prompt('Not taken.'),
  { type: 'prompt_refused', message: 'another prompt is running' },
  prompt('And then it fell.'),
  accepted,
  step(1),
  answering,
  says('I will be gone before'),
  exits('zot crashed: panic: runtime error: index out of range', '/restart starts it again; it remembers nothing.'),
]

const summary = `## Goal\nMake the parser keep its depth.\n\n## Done\n- read \`src/parser.ts\`\n- raised the limit\n- ran the tests\n\n## Next\n1. fix the third test\n2. write the changelog\n`

const remarks: readonly Told[] = [
  started,
  { type: 'warning_raised', message: 'zot talks to anthropic and not to deepseek, as was asked.' },
  notes('lint', 'two warnings in src/parser.ts'),
  { type: 'extension_noted', extension: 'lint', level: 'success', message: 'clean now' },
  { type: 'extension_noted', extension: 'deploy', level: 'warn', message: 'the branch is behind main' },
  { type: 'extension_noted', extension: 'deploy', level: 'error', message: 'no key\nAsk who has one.' },
  { type: 'extension_displayed', extension: 'todo', text: '1. parser\n2. tests\n3. changelog' },
  ...turn('Go on.', answering, says('I do.'), notes('lint', 'while it speaks'), answered(text('I do.')), stops('end')),
  { type: 'model_changed', provider: 'openai', model: 'gpt-5', contextWindow: 400_000, reasoningLevels: ['low'] },
  { type: 'reasoning_changed', reasoning: 'low' },
  prompt('With another model.'),
  accepted,
  step(1),
  spent,
  ended,
  { type: 'compaction_started' },
  { type: 'compaction_finished', summary },
  { type: 'compaction_started' },
  { type: 'compaction_failed', message: 'nothing to compact', nothing: true },
  { type: 'compaction_started' },
  aborting,
  { type: 'compaction_aborted' },
  { type: 'conversation_cleared' },
  {
    type: 'agent_ended',
    code: null,
    signal: 'SIGKILL',
    reason: 'zot was killed by SIGKILL',
    hint: '/restart',
    expected: false,
  },
]

const speaking = asked('Go on.', answering, says('I am at it'))
const compacting: readonly Told[] = [started, { type: 'compaction_started' }]

const workingLines: readonly Shot[] = [
  { told: [starting] },
  { told: [started, prompt('sending')] },
  { told: asked('thinking') },
  { told: asked('answering', answering, says('I am at it')), draft: 'a next prompt' },
  { told: asked('composing', answering, drafts('a', 'write'), writes('a', '{"path":"CHANGELOG.md","content":"# Ch')) },
  { told: asked('calling', answering, drafts('a', 'bash'), writes('a', '{"command":"make"}'), drafted('a')) },
  { told: asked('running', ...runsTool('a', 'bash', { command: 'make' }), prints('a', 'cc -c a.c\ncc -c b.c\n')) },
  { told: asked('failed, tries again', answering, says('Half of'), stops('error', overloaded)) },
  { told: asked('stopping', answering, says('I am at'), aborting) },
  { told: asked('does not stop', answering, says('I am at'), aborting, { type: 'abort_overdue' }) },
  { told: compacting },
  {
    told: speaking,
    changes: { queue: { entries: [promptEntry('and then the tests'), commandEntry('compact', '')], paused: false } },
  },
  {
    told: [started],
    changes: { queue: { entries: [promptEntry('and then the tests, all of them,\nand the changelog')], paused: true } },
  },
  { told: [started], changes: { leaving: 'ending' } },
]

const steered = (text: string): Told => ({ type: 'steer_delivered', id: text, text, images: [] })
const makes: readonly Told[] = runsTool('a', 'bash', { command: 'npm test' })
const waitsFor = (...texts: readonly string[]): Partial<AppState> => ({
  steering: 'key',
  steers: texts.map((words, id) => ({ id, entry: promptEntry(words), isSent: true, isTakenBack: false })),
})

/** Words for the running turn, on their way and where they took effect. */
const steering: readonly Shot[] = [
  { told: asked('Run the tests.', ...makes), changes: waitsFor('only those of the parser') },
  {
    told: asked('Run the tests.', answering, says('I begin.')),
    draft: 'a next prompt',
    changes: {
      ...waitsFor('only those of the parser', 'and without\ncolours'),
      queue: { entries: [promptEntry('then commit')], paused: false },
    },
  },
  {
    told: asked('Run the tests.', ...makes),
    changes: { steering: 'key', queue: { entries: [promptEntry('then commit')], paused: false } },
  },
  {
    told: [
      ...asked('Publish it.', ...runsTool('a', 'bash', { command: 'npm publish' }), { type: 'call_steered', id: 'a' }),
      returns('a', 'Not run: the user says now: not yet, bump the version first', true),
      steered('not yet, bump the version first'),
      step(2),
      answering,
      says('I bump it.'),
      answered(text('I bump it.')),
      stops('end'),
      ended,
    ],
  },
]

const pickerOf = (filter: string, known: boolean, selected = 0): Partial<AppState> => ({
  picker: { kind: 'models', ofOtherProvider: false, filter, selected, models: known ? models : null },
})

const thinks = (words: string): Told => ({ type: 'thought_received', text: words })
const endsWith = (stop: string): Told => ({ type: 'turn_ended', stop })
const plan: Told = {
  type: 'plan_changed',
  entries: [
    { text: 'Read the parser', status: 'completed' },
    { text: 'Fix the recursion, with a name that is longer than a narrow terminal is', status: 'in_progress' },
    { text: 'Run the tests', status: 'pending' },
  ],
}
const retrying: Told = { type: 'retry_announced', attempt: 2, of: 10, delayMs: 4000, message: 'overloaded' }
const inTurn = true as const
const begunItself: Told = { type: 'turn_begun', cause: 'task', about: 'npm test has ended with exit code 0' }

/** Events that other agents report, and zot does not. */
const reports: readonly Shot[] = [
  { told: asked('Think.', thinks('The parser recurses.\nIt needs a stack, and a test that '), thinks('shows it.')) },
  { told: asked('Plan.', thinks('Three things.'), plan, says('I begin.')) },
  { told: asked('Try.', retrying) },
  { told: asked('Move.', { type: 'activity_told', text: 'planning\nthe next move' }) },
  { told: asked('Go.', { type: 'compaction_started', inTurn }) },
  { told: [...asked('Test in the background.', says('It runs.'), ended), begunItself, step(1), says('All is well')] },
  {
    told: [
      ...asked('Think, then say.', thinks('Hm.'), says('Done.'), plan, costs({ input: 2000, costUsd: null }), ended),
      ...asked('Try again.', retrying, says('Now it works.'), costs({ input: 10, costUsd: 0.5 }), endsWith('end_turn')),
      ...['refusal', 'max_tokens', 'max_turn_requests', 'budget', 'cancelled', 'error', 'a word of its own'].flatMap(
        stop => asked(`End with ${stop}.`, says('Well.'), endsWith(stop)),
      ),
      begunItself,
      says('All is well.'),
      ended,
      { type: 'turn_begun', cause: 'goal' },
      aborting,
      ended,
      ...asked(
        'Make room.',
        { type: 'compaction_started', inTurn },
        { type: 'compaction_finished', summary, inTurn },
        says('Done.'),
        ended,
      ),
    ],
  },
]

const composers: readonly Shot[] = [
  { told: [started], header: true },
  {
    told: [started],
    draft: 'A prompt that is longer than a line of most terminals is, so that it has to be wrapped,\nand another line',
  },
  { told: [started], draft: '日本語のプロンプト 👩‍🚀 with\ta tab' },
  { told: [started], draft: '/' },
  { told: [started], draft: '/re', changes: { popup: { selected: 1, closedFor: null } } },
  { told: [started], draft: '/reasoning ' },
  { told: [started], changes: pickerOf('', false) },
  { told: [started], changes: pickerOf('', true, 1) },
  { told: [started], changes: pickerOf('zzz', true) },
  { told: [started], changes: { hint: 'Ctrl+C again to exit', armed: 'exit' } },
  { told: speaking, draft: 'small', rows: 7 },
]

/** A context that is filled to so many percent. */
const filled = (percent: number): Told[] => [
  started,
  prompt('x'),
  accepted,
  step(1),
  costs({ input: 2000 * percent - 20_000, output: 1234, cacheRead: 20_000, costUsd: 0.4567 }),
  ended,
]

const statuses: readonly Shot[] = [
  { told: [] },
  { told: [started] },
  { told: filled(34) },
  { told: filled(72) },
  { told: filled(91), changes: { startup: { version: '0.1.0', folder: '~/src/parser', branch: 'main', demo: true } } },
  {
    told: [
      { ...started, type: 'agent_started', model: 'claude-opus-4-6-20260301', reasoning: 'high' } as Told,
      ...filled(50).slice(1),
      { type: 'compaction_started' },
      { type: 'compaction_finished', summary },
    ],
    changes: {
      startup: { version: '0.1.0', folder: '~/src/a/folder/deep/down', branch: 'feature/long-name', demo: false },
    },
  },
  { told: [...filled(34), exits('x', '')] },
]

const firstScreens: readonly Shot[] = [
  {
    told: [started],
    header: true,
    changes: {
      welcome: {
        greeting: 'Welcome to zotui. The agent works in ~/src/parser.',
        suggestions: [
          { prompt: 'What does this project do?', about: '' },
          { prompt: '/review', about: 'what may go wrong' },
          { prompt: '/init', about: 'notes for the agent' },
        ],
      },
    },
  },
]

/** An event in the conversation of a subagent. */
const inside = (id: string, told: Told): Told => {
  const [event] = timed([told])
  if (!event || event.type === 'task_event') throw new Error('it is no event of a subagent')
  return { type: 'task_event', id, event }
}

const besideTurn: readonly Told[] = [
  started,
  prompt('Make the parser fast.'),
  accepted,
  step(1),
  answering,
  says('Two subagents look at it.'),
  { type: 'task_reported', id: 'a', kind: 'subagent', name: 'finder', about: 'find where the parser loses time' },
  inside('a', prompt('Find it.')),
  inside('a', says('I read the loop\nover all tokens.')),
  inside('a', spent),
  { type: 'task_reported', id: 'b', kind: 'subagent', name: 'writer', about: 'write a test', state: 'waiting' },
  { type: 'task_reported', id: 'c', kind: 'command', name: 'npm run watch' },
]

const beside: readonly Shot[] = [
  { told: besideTurn },
  { told: [...besideTurn, ...[1, 2, 3].map((n): Told => ({ type: 'task_reported', id: `d${n}`, kind: 'subagent' }))] },
  {
    told: [
      ...besideTurn,
      { type: 'task_reported', id: 'a', state: 'done' },
      { type: 'task_reported', id: 'b', state: 'failed' },
      { type: 'task_reported', id: 'c', state: 'stopped' },
    ],
  },
]

export type Scene = { name: string; title: string; shots: readonly Shot[]; statusOnly?: boolean }

export const scenes: readonly Scene[] = [
  {
    name: 'markdown',
    title: 'Every construct of Markdown',
    shots: [
      {
        told: asked(
          'Show me all you can write.',
          answering,
          says(markdownDocument),
          answered(text(markdownDocument)),
          ended,
        ),
      },
    ],
  },
  {
    name: 'markdown-open',
    title: 'Text that is being written',
    shots: openDocuments.map(words => ({ told: asked('Write.', answering, says(words)) })),
  },
  { name: 'tools-bash', title: 'Commands that are over', shots: [{ told: [started, ...toolsNamed(/^bash/)] }] },
  {
    name: 'tools-files',
    title: 'Files that were read, written and edited',
    shots: [{ told: [started, ...toolsNamed(/^(?:read|write|edit|glob)/)] }],
  },
  {
    name: 'tools-others',
    title: 'Skills, nested calls, unknown tools, and less and more of each',
    shots: [
      { told: [started, ...toolsNamed(/^(?!bash|read|write|edit|glob)/)] },
      { told: [started, ...toolsNamed(/^(?:bash failed|edit located|nested ok)$/)], changes: { detail: 'names' } },
      { told: [started, ...toolsNamed(/^(?:bash failed|edit located|nested ok)$/)], changes: { detail: 'full' } },
    ],
  },
  {
    name: 'tools-open',
    title: 'Tools that are composed, wait or run',
    shots: openTools.map(([name, events]) => ({ told: [started, prompt(name), accepted, ...events] })),
  },
  { name: 'turns', title: 'How turns end', shots: [{ told: [started, ...turns] }] },
  { name: 'remarks', title: 'Extensions, switches, compaction', shots: [{ told: remarks }] },
  { name: 'reports', title: 'What only some agents report', shots: reports },
  { name: 'working', title: 'What is going on', shots: workingLines },
  { name: 'steering', title: 'Words for the running turn', shots: steering },
  { name: 'beside', title: 'Who works beside the turn', shots: beside },
  { name: 'composer', title: 'The composer and what opens below it', shots: composers },
  { name: 'welcome', title: 'The first screen', shots: firstScreens },
]

export const statusScene: Scene = { name: 'status', title: 'The status line', shots: statuses }
export const statusWidths = [200, 120, 80, 60, 40] as const
