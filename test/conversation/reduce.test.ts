/** The oddities of zot's wire, as events, and what the conversation makes of them. Numbers are those of docs/zot-protocol.md. */
import { describe, expect, test } from 'vitest'
import { List } from '../../src/conversation/list.ts'
import { PROGRESS_LIMIT } from '../../src/conversation/part.ts'
import { cutMark, MOST_OF_LINE } from '../../src/text/lines/cut-text.ts'
import {
  aborting,
  accepted,
  answered,
  answering,
  call,
  calls,
  chatAfter,
  costs,
  drafted,
  drafts,
  ended,
  fails,
  notes,
  partsOf,
  prints,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  text,
  toolOf,
  turnOf,
  usage,
  wordsOf,
  writes,
  type Told,
} from './events.ts'

const gone: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'it fell', hint: '/restart', expected: false }
const compacts: Told = { type: 'compaction_started' }

describe('a plain turn', () => {
  test('pieces of text become one, and the final answer makes it final', () => {
    const pieces = [step(1), answering, says('Hel'), says('lo')]
    expect(partsOf(turnOf(...pieces))).toEqual(['"Hello", open'])
    expect(partsOf(turnOf(...pieces, answered(text('Hello'))))).toEqual(['"Hello"'])
  })

  test('is done when it ended by itself', () => {
    expect(turnOf(step(1), answering, says('Hi'), answered(text('Hi')), stops('end'), ended)).toMatchObject({
      outcome: 'done',
      stop: 'end',
      error: null,
      firstTokenAt: 5000,
      startedAt: 1000,
      endedAt: 8000,
    })
  })

  test.each(['end', 'end_turn', 'length', 'a word of tomorrow'])('is not failed after the stop %s', stop => {
    expect(turnOf(step(1), answering, stops(stop), ended)).toMatchObject({ outcome: 'done', stop })
  })

  test('shows an answer that was not streamed', () => {
    expect(wordsOf(turnOf(step(1), answering, answered(text('All at once')), stops('end'), ended))).toBe('All at once')
  })

  test('shows nothing for an answer of hidden reasoning alone', () => {
    expect(partsOf(turnOf(step(1), answering, answered(), stops('end'), ended))).toEqual([])
  })

  test('keeps text before and after a tool call around it', () => {
    const turn = turnOf(
      step(1),
      answering,
      says('Before.'),
      drafts('a', 'bash'),
      writes('a', '{}'),
      drafted('a'),
      says('After.'),
      answered(text('Before.'), call('a', 'bash'), text('After.')),
      calls('a', 'bash'),
      stops('tool_use'),
      returns('a', 'out'),
    )
    expect(partsOf(turn)).toEqual(['"Before."', 'bash a ok', '"After."'])
  })

  test('does not split the streaming text at a notice of an extension', () => {
    const turn = turnOf(step(1), answering, says('Hel'), notes('lint', 'fine'), says('lo'))
    expect(partsOf(turn)).toEqual(['"Hello", open', 'note fine'])
  })

  test('a prompt without words is a turn too (16)', () => {
    expect(chatAfter(prompt(''), accepted, ended).entries).toMatchObject([
      { kind: 'turn', prompt: '', outcome: 'done' },
    ])
  })
})

describe('the states of a tool call', () => {
  const life: [event: string, told: Told | null, state: string][] = [
    ['the model begins to write it', drafts('a', 'bash'), 'composing'],
    ['it writes the arguments', writes('a', '{"command":'), 'composing'],
    ['and ends them', drafted('a'), 'waiting'],
    ['the answer is final', answered(call('a', 'bash', { command: 'ls' })), 'waiting'],
    ['it is called', calls('a', 'bash', { command: 'ls' }), 'waiting'],
    ['the step ends, so it runs', stops('tool_use'), 'running'],
    ['it prints', prints('a', 'one'), 'running'],
    ['it comes back', returns('a', 'one'), 'ok'],
  ]

  test.each(life.map(([event, , state], index) => ({ event, state, index })))('$event: $state', ({ state, index }) => {
    const told = life.slice(0, index + 1).flatMap(([, each]) => each ?? [])
    expect(toolOf(turnOf(step(1), answering, ...told), 'a').state).toBe(state)
  })

  test.each([
    ['ok', false, false],
    ['failed', true, false],
    ['aborted', true, true],
  ])('include a result that is %s', (state, failed, abort) => {
    const turn = turnOf(step(1), ...runsTool('a', 'bash'), ...(abort ? [aborting] : []), returns('a', 'out', failed))
    expect(toolOf(turn, 'a')).toMatchObject({ state, result: [{ type: 'text', text: 'out' }] })
  })

  test('change one tool after another within a step', () => {
    const both = [answering, answered(call('a', 'bash'), call('b', 'read')), calls('a', 'bash'), calls('b', 'read')]
    const running = turnOf(step(1), ...both, stops('tool_use'))
    expect(partsOf(running)).toEqual(['bash a running', 'read b waiting'])
    const later = turnOf(step(1), ...both, stops('tool_use'), returns('a', 'x'))
    expect(partsOf(later)).toEqual(['bash a ok', 'read b running'])
    expect(toolOf(later, 'b').startedAt).toBe(toolOf(later, 'a').endedAt)
  })

  test('have arguments as text while they stream, and as a value once they are complete', () => {
    const written = [step(1), answering, drafts('a', 'bash'), writes('a', '{"command":'), writes('a', '"ls"}')]
    expect(toolOf(turnOf(...written), 'a')).toMatchObject({ argumentsText: '{"command":"ls"}', arguments: undefined })
    const called = turnOf(...written, answered(call('a', 'bash', { command: 'ls' })))
    expect(toolOf(called, 'a').arguments).toEqual({ command: 'ls' })
  })

  test('have null for arguments that are not JSON', () => {
    expect(toolOf(turnOf(step(1), ...runsTool('a', 'bash', null)), 'a').arguments).toBeNull()
  })

  test('ignore arguments of an unknown call', () => {
    expect(turnOf(step(1), answering, writes('ghost', '{'), drafted('ghost')).parts.length).toBe(0)
  })

  test('show output of an unknown call as a running call', () => {
    const turn = turnOf(step(1), answering, prints('ghost', 'boo'), calls('ghost', 'bash', { command: 'boo' }))
    expect(partsOf(turn)).toEqual(['bash ghost running'])
    expect(toolOf(turn, 'ghost')).toMatchObject({ progress: 'boo', arguments: { command: 'boo' } })
  })

  test('include a result without a call, because something did run', () => {
    expect(partsOf(turnOf(step(1), returns('ghost', 'boo')))).toEqual(['unknown ghost ok'])
  })

  test('include an image by its kind and size', () => {
    const image = { type: 'image', mimeType: 'image/png', bytes: 10 } as const
    const turn = turnOf(step(1), ...runsTool('a', 'read'), {
      type: 'tool_finished',
      id: 'a',
      failed: false,
      content: [image],
    })
    expect(toolOf(turn, 'a').result).toEqual([image])
  })
})

describe('what a tool prints while it runs (10)', () => {
  test('comes in pieces, and is replaced by the result', () => {
    const printed = [step(1), ...runsTool('a', 'bash'), prints('a', 'one\n'), prints('a', 'two\n')]
    expect(toolOf(turnOf(...printed), 'a').progress).toBe('one\ntwo\n')
    expect(toolOf(turnOf(...printed, returns('a', 'clean')), 'a')).toMatchObject({ progress: '', progressDropped: 0 })
  })

  test('keeps its end if it is too long, and says how much is omitted', () => {
    const chunk = 'x'.repeat(4095)
    const chunks = Array.from({ length: 60 }, (_, index) => prints('a', chunk + String.fromCharCode(65 + (index % 26))))
    const { progress, progressDropped } = toolOf(turnOf(step(1), ...runsTool('a', 'bash'), ...chunks), 'a')
    expect(progress.length + progressDropped).toBe(60 * 4096)
    expect(progress.length).toBeLessThanOrEqual(2 * PROGRESS_LIMIT)
    expect(progress.length).toBeGreaterThanOrEqual(PROGRESS_LIMIT)
    expect(progress.endsWith('H')).toBe(true)
  })

  test('is ignored after the result', () => {
    const turn = turnOf(step(1), ...runsTool('a', 'bash'), returns('a', 'out'), prints('a', 'late'))
    expect(toolOf(turn, 'a')).toMatchObject({ state: 'ok', progress: '' })
  })
})

describe('a compaction has no reliable end (5)', () => {
  const before = [started, prompt('x'), accepted, costs({ input: 900, output: 100 }), ended]

  test.each<[name: string, end: Told, expected: object, context: number | null, partial: boolean]>([
    ['done', { type: 'compaction_finished', summary: 'So far.' }, { outcome: 'done', summary: 'So far.' }, null, true],
    [
      'failed',
      { type: 'compaction_failed', message: 'http 401' },
      { outcome: 'failed', error: 'http 401' },
      1000,
      false,
    ],
    [
      'nothing to do',
      { type: 'compaction_failed', message: 'nothing to compact', nothing: true },
      { outcome: 'nothing', error: null },
      1000,
      false,
    ],
    ['aborted', { type: 'compaction_aborted' }, { outcome: 'aborted', error: null }, 1000, true],
    ['the agent ended', gone, { outcome: 'failed', error: 'the agent ended' }, null, false],
  ])('%s', (_name, end, expected, context, partial) => {
    const chat = chatAfter(...before, compacts, end)
    const compaction = chat.entries.find(entry => entry.kind === 'compaction')
    expect(compaction).toMatchObject({ ...expected, contextBefore: 1000, startedAt: 6000, endedAt: 7000 })
    expect(chat).toMatchObject({ open: null, context, usageIsPartial: partial })
  })

  test('so the context is known again with the next answer, and the sum continues', () => {
    const chat = chatAfter(
      ...before,
      compacts,
      { type: 'compaction_finished', summary: 'So far.' },
      prompt('y'),
      costs({ input: 50, output: 5 }),
    )
    expect(chat.context).toBe(55)
    expect(chat.usage).toMatchObject({ input: 950, output: 105 })
  })

  test('so a new prompt ends one without an end', () => {
    const chat = chatAfter(...before, compacts, prompt('y'))
    expect(chat.entries.at(-1)).toMatchObject({ kind: 'compaction', outcome: 'aborted' })
    expect(chat.open).toMatchObject({ kind: 'turn', prompt: 'y' })
  })

  test('so a late end changes nothing', () => {
    const chat = chatAfter(...before, compacts, prompt('y'), { type: 'compaction_finished', summary: 'late' })
    expect(chat.open).toMatchObject({ kind: 'turn', prompt: 'y' })
  })

  test('but is marked as aborting from the request to its end', () => {
    expect(chatAfter(started, compacts, aborting).open).toMatchObject({ aborting: true, abortOverdue: false })
    const overdue: Told = { type: 'abort_overdue' }
    expect(chatAfter(started, compacts, aborting, overdue).open).toMatchObject({ abortOverdue: true })
  })
})

describe('calls without results', () => {
  test('the stream failed after the call: it was not run (13)', () => {
    const turn = turnOf(
      step(1),
      answering,
      answered(call('a', 'bash')),
      calls('a', 'bash'),
      stops('error', 'nope'),
      fails('nope'),
      ended,
    )
    expect(partsOf(turn)).toEqual(['bash a not_run'])
    expect(turn).toMatchObject({ outcome: 'failed', error: 'nope' })
  })

  test('the answer was too long: it was not run (13)', () => {
    const turn = turnOf(step(1), answering, answered(call('a', 'bash')), calls('a', 'bash'), stops('length'), ended)
    expect(partsOf(turn)).toEqual(['bash a not_run'])
    expect(turn).toMatchObject({ outcome: 'done', stop: 'length' })
  })

  test('aborted while the arguments were written: it was not run, what was said stays (14)', () => {
    const turn = turnOf(
      step(1),
      answering,
      says('Let me'),
      drafts('a', 'bash'),
      writes('a', '{"com'),
      aborting,
      stops('aborted', 'context canceled'),
      ended,
    )
    expect(partsOf(turn)).toEqual(['"Let me"', 'bash a not_run'])
    expect(turn).toMatchObject({ outcome: 'aborted', error: null })
  })

  test('were interrupted if the agent died while they ran, and the next one never ran', () => {
    const turn = turnOf(
      step(1),
      answering,
      answered(call('a', 'bash'), call('b', 'bash')),
      stops('tool_use'),
      prints('a', 'x'),
      gone,
    )
    expect(partsOf(turn)).toEqual(['bash a aborted', 'bash b not_run'])
    expect(turn.outcome).toBe('agent_ended')
  })
})

describe('the shapes of an aborted turn (15)', () => {
  test('a: before the headers it looks like an error', () => {
    const turn = turnOf(step(1), aborting, stops('error', 'Post "…": context canceled'), ended)
    expect(turn.outcome).toBe('aborted')
  })

  test('b: keep the text in the middle of the stream', () => {
    const turn = turnOf(
      step(1),
      answering,
      says('a b '),
      aborting,
      answered(text('a b ')),
      stops('aborted', 'context canceled'),
      ended,
    )
    expect(turn).toMatchObject({ outcome: 'aborted', stop: 'aborted', error: null })
    expect(wordsOf(turn)).toBe('a b ')
  })

  test('c: let file tools finish, and end no step a second time', () => {
    const turn = turnOf(
      step(1),
      answering,
      answered(call('a', 'bash'), call('b', 'bash'), call('c', 'write')),
      stops('tool_use'),
      aborting,
      returns('a', '[exit -1]', true),
      returns('b', 'aborted: start: context canceled', true),
      returns('c', 'content'),
      ended,
    )
    expect(partsOf(turn)).toEqual(['bash a aborted', 'bash b aborted', 'write c ok'])
    expect(turn).toMatchObject({ outcome: 'aborted', stop: 'tool_use' })
  })

  test('d: send only the end in the pause before a retry', () => {
    const turn = turnOf(step(1), answering, says('par'), stops('error', 'overloaded'), aborting, ended)
    expect(turn.outcome).toBe('aborted')
  })

  test('end normally if the abort came too late', () => {
    expect(turnOf(step(1), answering, says('All.'), stops('end'), aborting, ended).outcome).toBe('done')
  })

  test('count as a failure of the agent if nobody asked for an abort', () => {
    expect(turnOf(step(1), stops('error', 'context canceled'), ended).outcome).toBe('failed')
  })

  test('do not affect the next turn if nothing was running', () => {
    expect(chatAfter(started, aborting, prompt('x')).open).toMatchObject({ aborting: false })
    expect(chatAfter(started, prompt('x'), { type: 'abort_overdue' }).open).toMatchObject({ abortOverdue: false })
  })
})

describe('ends that come from another place', () => {
  test('--max-steps: the error comes alone, after tools that went well (17)', () => {
    const turn = turnOf(step(1), ...runsTool('a', 'bash'), returns('a', 'x'), fails('max steps (1) exceeded'), ended)
    expect(turn).toMatchObject({ outcome: 'failed', stop: 'tool_use', error: 'max steps (1) exceeded' })
    expect(toolOf(turn, 'a').state).toBe('ok')
  })

  test('a blocked turn has its reason in the step alone (18)', () => {
    expect(turnOf(step(1), stops('error', 'not on Fridays'), ended)).toMatchObject({
      outcome: 'failed',
      error: 'not on Fridays',
    })
  })

  test('a blocked tool is one that failed (18)', () => {
    const turn = turnOf(step(1), ...runsTool('a', 'bash'), returns('a', 'blocked by guard', true))
    expect(toolOf(turn, 'a')).toMatchObject({ state: 'failed', result: [text('blocked by guard')] })
  })

  test('a cut stream looks like success, and its text is kept (20)', () => {
    const turn = turnOf(step(1), answering, says('Half a'), answered(text('Half a')), stops('end'), ended)
    expect(turn.outcome).toBe('done')
    expect(wordsOf(turn)).toBe('Half a')
  })

  test('give the reason of a refused prompt', () => {
    const chat = chatAfter(started, prompt('x'), { type: 'prompt_refused', message: 'bad image' })
    expect(chat).toMatchObject({ open: null, entries: [{ outcome: 'refused', error: 'bad image', accepted: false }] })
  })

  test('report an agent that ends in the middle, with its last words', () => {
    const chat = chatAfter(started, prompt('x'), accepted, step(1), answering, says('Hal'), gone)
    expect(chat.agent.phase).toBe('ended')
    expect(chat.entries).toMatchObject([
      { kind: 'turn', outcome: 'agent_ended', parts: List.of([{ text: 'Hal', final: true }]) },
      { kind: 'agent_ended', reason: 'it fell', hint: '/restart' },
    ])
  })

  test('do not report an end that was requested', () => {
    const { entries, agent } = chatAfter(started, { ...gone, expected: true })
    expect(entries).toEqual([])
    expect(agent.phase).toBe('ended')
  })
})

describe('an extension changes an answer (18)', () => {
  test('rewritten: what was streamed is withdrawn, and the new words follow', () => {
    const turn = turnOf(step(1), answering, says('The secret is 42'), answered(text('The secret is ██')), stops('end'))
    expect(partsOf(turn)).toEqual(['"The secret is 42", withdrawn', '"The secret is ██"'])
    expect(wordsOf(turn)).toBe('The secret is ██')
  })

  test.each([
    ['of text', [says('Two and '), says('two')], 'Two and two is four.', ['"Two and two is four."']],
    ['behind a tool', [says('One. '), drafts('t', 'bash')], 'One. Two.', ['"One. "', 'bash t waiting', '"Two."']],
    ['of blanks', [says('Hello\n')], '\n\nHello', ['"Hello\n"']],
  ] as const)('by adding to the streamed text, %s: the rest follows', (_name, told, final, parts) => {
    const tools = told.some(each => each.type === 'tool_drafted') ? [call('t', 'bash')] : []
    const turn = turnOf(step(1), answering, ...told, answered(text(final), ...tools), stops('end'))
    expect(partsOf(turn)).toEqual(parts)
    expect(turn.attempt).toBe(1)
  })

  test('by shortening it: the streamed text is withdrawn', () => {
    const turn = turnOf(step(1), answering, says('Four, and more'), answered(text('Four')), stops('end'))
    expect(partsOf(turn)).toEqual(['"Four, and more", withdrawn', '"Four"'])
  })

  test('of a text that was cut when it was read stays what was streamed', () => {
    const whole = 'x'.repeat(2 * MOST_OF_LINE)
    const turn = turnOf(step(1), answering, says(whole), answered(text(`${whole.slice(0, MOST_OF_LINE)}${cutMark(9)}`)))
    expect([...turn.parts]).toMatchObject([{ text: whole, withdrawn: false, final: true }])
  })

  test('by suppressing it: the streamed text is withdrawn', () => {
    const turn = turnOf(step(1), answering, says('Never mind'), stops('end'), ended)
    expect(partsOf(turn)).toEqual(['"Never mind", withdrawn'])
    expect(turn.outcome).toBe('done')
  })

  test('by suppressing it beside a call: the call is still run', () => {
    const turn = turnOf(
      step(1),
      answering,
      says('Never mind'),
      drafts('a', 'bash'),
      drafted('a'),
      calls('a', 'bash'),
      stops('tool_use'),
      returns('a', 'out'),
    )
    expect(partsOf(turn)).toEqual(['"Never mind", withdrawn', 'bash a ok'])
  })

  test('by cutting it differently: the same text is not a change', () => {
    const turn = turnOf(
      step(1),
      answering,
      says('a'),
      drafts('t', 'bash'),
      says('b'),
      answered(text('ab'), call('t', 'bash')),
    )
    expect(partsOf(turn)).toEqual(['"a"', 'bash t waiting', '"b"'])
  })
})

describe('the agent tries again by itself (19)', () => {
  const failed = [step(1), answering, says('par'), answered(text('par')), stops('error', 'overloaded')]

  test('so an error is provisional until the turn ends', () => {
    expect(turnOf(...failed)).toMatchObject({ outcome: null, error: 'overloaded', retries: 1 })
    expect(turnOf(...failed, fails('overloaded'), ended)).toMatchObject({ outcome: 'failed', error: 'overloaded' })
  })

  test('so a new answer in the step withdraws the previous one', () => {
    const turn = turnOf(...failed, answering, says('whole'), answered(text('whole')), stops('end'), ended)
    expect(partsOf(turn)).toEqual(['"par", withdrawn', '"whole"'])
    expect(turn).toMatchObject({ outcome: 'done', error: null, attempt: 2, retries: 1 })
  })

  test('so the calls of the previous answer are withdrawn', () => {
    const turn = turnOf(
      step(1),
      answering,
      drafts('a', 'bash'),
      stops('error', 'EOF'),
      answering,
      drafts('a', 'bash'),
      writes('a', '{}'),
    )
    expect(partsOf(turn)).toEqual(['bash a composing, withdrawn', 'bash a composing'])
    expect(turn.parts.get(1)).toMatchObject({ argumentsText: '{}' })
  })

  test('but notices made meanwhile stay', () => {
    const turn = turnOf(...failed, notes('net', 'slow line'), answering, says('whole'))
    expect(partsOf(turn)).toEqual(['"par", withdrawn', 'note slow line', '"whole", open'])
  })

  test('and attempts without text leave only their number', () => {
    const turn = turnOf(
      step(1),
      ...Array.from({ length: 4 }, () => stops('error', 'http 503')),
      fails('http 503'),
      ended,
    )
    expect(turn).toMatchObject({ retries: 4, parts: List.of([]), outcome: 'failed' })
  })

  test('and a new step counts anew, and keeps the text of the previous one', () => {
    const turn = turnOf(
      ...failed,
      answering,
      ...runsTool('a', 'bash').slice(1),
      returns('a', 'x'),
      step(2),
      answering,
      says('ok'),
    )
    expect(turn).toMatchObject({ attempt: 1, retries: 0 })
    expect(partsOf(turn)).toEqual(['"par", withdrawn', 'bash a ok', '"ok", open'])
  })
})

describe('ids', () => {
  test('may come again in a later step: each result goes to the newest call (23)', () => {
    const turn = turnOf(
      step(1),
      ...runsTool('call_0', 'read'),
      returns('call_0', 'first'),
      step(2),
      ...runsTool('call_0', 'bash'),
      prints('call_0', 'live'),
      returns('call_0', 'second', true),
    )
    expect(partsOf(turn)).toEqual(['read call_0 ok', 'bash call_0 failed'])
    expect([...turn.parts]).toMatchObject([{ result: [text('first')] }, { result: [text('second')] }])
  })

  test('of an earlier step are ignored: their events come too late', () => {
    const turn = turnOf(step(1), ...runsTool('a', 'bash'), returns('a', 'x'), step(2), answering, writes('a', 'late'))
    expect(toolOf(turn, 'a').argumentsText).toBe('{}')
  })

  test('with a slash are calls that a tool made; they run at once and in parallel', () => {
    const turn = turnOf(
      step(1),
      ...runsTool('a', 'codemode'),
      calls('a/1', 'read'),
      calls('a/2', 'bash'),
      calls('a/1/1', 'models.classify'),
      returns('a/2', 'second first'),
    )
    expect(partsOf(turn)).toEqual([
      'codemode a running',
      'read a/1 running',
      'bash a/2 ok',
      'models.classify a/1/1 running',
    ])
    expect([...turn.parts].map(part => (part.kind === 'tool' ? part.parent : ''))).toEqual([null, 'a', 'a', 'a/1'])
  })

  test('of a nested call that ends do not start the call after its parent', () => {
    const turn = turnOf(
      step(1),
      answering,
      answered(call('a', 'codemode'), call('b', 'bash')),
      stops('tool_use'),
      calls('a/1', 'read'),
      returns('a/1', 'x'),
    )
    expect(partsOf(turn)).toEqual(['codemode a running', 'bash b waiting', 'read a/1 ok'])
  })

  test('that begin with a slash have no parent', () => {
    expect(toolOf(turnOf(step(1), calls('/x', 'bash')), '/x').parent).toBeNull()
  })
})

describe('usage', () => {
  test('is summed over calls and turns, and the context is that of the last call', () => {
    const chat = chatAfter(
      started,
      prompt('x'),
      costs({ input: 100, output: 10, cacheRead: 1000, costUsd: 0.5 }),
      costs({ input: 5, output: 20, cacheRead: 1100, cacheWrite: 7, costUsd: 0.25 }),
      ended,
      prompt('y'),
      costs({ input: 1, output: 2, costUsd: 0.125 }),
      ended,
    )
    expect(chat.usage).toEqual(usage({ input: 106, output: 32, cacheRead: 2100, cacheWrite: 7, costUsd: 0.875 }))
    expect(chat.context).toBe(3)
    expect(chat.entries).toMatchObject([{ usage: { input: 105, costUsd: 0.75 } }, { usage: { input: 1 } }])
  })

  test('of a tool counts, but does not fill the window', () => {
    const chat = chatAfter(started, prompt('x'), costs({ input: 100 }), costs({ input: 9000, costUsd: 1 }, true))
    expect(chat).toMatchObject({ context: 100, usage: { input: 9100, costUsd: 1 } })
  })

  test('of an aborted call may be zero: the window stays as full as before', () => {
    expect(chatAfter(started, prompt('x'), costs({ input: 100 }), costs({})).context).toBe(100)
  })

  test.each<[first: number | null, second: number | null, sum: number | null]>([
    [null, null, null],
    [null, 5, 5],
    [5, null, 5],
    [5, 6, 11],
  ])('with hidden reasoning of %s and %s gives %s', (first, second, sum) => {
    const chat = chatAfter(started, prompt('x'), costs({ reasoning: first }), costs({ reasoning: second }))
    expect(chat.usage.reasoning).toBe(sum)
  })

  test('survives a restart, unlike the context, and is reset by a clear', () => {
    const turn = [prompt('x'), costs({ input: 100, costUsd: 1 }), ended]
    expect(chatAfter(started, ...turn, { type: 'conversation_cleared' })).toMatchObject({
      context: null,
      usage: { costUsd: 0 },
    })
    expect(chatAfter(started, ...turn, gone, { type: 'agent_starting', agent: 'zot' }, started)).toMatchObject({
      context: null,
      usage: { costUsd: 1 },
    })
  })
})

describe('the agent', () => {
  test('is starting, ready, ended, and starting again', () => {
    const phases = [
      { type: 'agent_starting', agent: 'zot' } as const,
      started,
      gone,
      { type: 'agent_starting', agent: 'zot' } as const,
    ]
    expect(phases.map((_, index) => chatAfter(...phases.slice(0, index + 1)).agent.phase)).toEqual([
      'starting',
      'ready',
      'ended',
      'starting',
    ])
  })

  test('changes its model and its reasoning', () => {
    const { agent } = chatAfter(
      started,
      { type: 'model_changed', provider: 'openai', model: 'gpt', contextWindow: null, reasoningLevels: [] },
      { type: 'reasoning_changed', reasoning: 'high' },
    )
    expect(agent).toMatchObject({
      provider: 'openai',
      model: 'gpt',
      contextWindow: null,
      reasoningLevels: [],
      reasoning: 'high',
      version: '0.3.3',
    })
  })
})

describe('notices of extensions', () => {
  test('belong to the turn in which they were made, or stand between turns', () => {
    const chat = chatAfter(
      started,
      notes('lint', 'early'),
      prompt('x'),
      notes('lint', 'within'),
      ended,
      notes('lint', 'late'),
    )
    expect(chat.entries).toMatchObject([
      { kind: 'notice', source: 'lint', text: 'early' },
      { kind: 'turn', parts: List.of([{ kind: 'notice', text: 'within' }]) },
      { kind: 'notice', text: 'late' },
    ])
  })

  test('can be dropped by their extension, as long as the turn goes on', () => {
    const dropped: Told = { type: 'extension_notes_cleared', extension: 'lint' }
    const turn = turnOf(notes('lint', 'a'), notes('git', 'b'), dropped, notes('lint', 'c'))
    expect(partsOf(turn)).toEqual(['note a, withdrawn', 'note b', 'note c'])
  })

  test('of the agent itself are warnings without a source', () => {
    expect(chatAfter(started, { type: 'warning_raised', message: 'using "Y" instead' }).entries).toMatchObject([
      { kind: 'notice', level: 'warn', source: null, text: 'using "Y" instead' },
    ])
  })
})

describe('an unexpected event', () => {
  test('of a call outside a turn is still shown, in 2,000 characters', () => {
    const long = calls('a', 'bash', { command: 'x'.repeat(5000) })
    const { entries, open } = chatAfter(started, calls('a', 'bash', { command: 'ls' }), returns('a', 'x'), long)
    expect(open).toBeNull()
    expect(entries).toMatchObject([
      { kind: 'notice', level: 'warn', text: 'The agent called bash outside a turn: {"command":"ls"}' },
      { kind: 'notice', level: 'warn', text: "One of the agent's calls ended outside a turn: x" },
      { kind: 'notice', level: 'warn' },
    ])
    expect(entries.map(entry => entry.kind === 'notice' && entry.text.length).at(-1)).toBe(2001)
  })

  test('of a second prompt ends the turn before it', () => {
    const chat = chatAfter(started, prompt('x'), accepted, says('a'), prompt('y'))
    expect(chat.entries).toMatchObject([{ prompt: 'x', outcome: 'done' }])
    expect(chat.open).toMatchObject({ prompt: 'y' })
  })

  test('of a clear within a turn ends the turn, and later events come after it', () => {
    const chat = chatAfter(started, prompt('x'), accepted, says('a'), { type: 'conversation_cleared' })
    expect(chat.entries.map(entry => entry.kind)).toEqual(['turn', 'cleared'])
    expect(chat.open).toBeNull()
  })

  test.each<Told>([says('x'), ended, fails('x'), stops('end'), answered(text('x')), prints('a', 'x')])(
    '$type outside of a turn is nothing',
    told => {
      const chat = chatAfter(started, told)
      expect(chat.entries).toEqual([])
      expect(chat.open).toBeNull()
    },
  )
})
