/** The lines of two real zots, folded: what the conversation holds in the end, for each of the 23 scenarios. */
import { describe, expect, test } from 'vitest'
import { resultText } from '../../src/tools/result.ts'
import type { ChatState, Entry } from '../../src/conversation/state.ts'
import { isOpen } from '../../src/conversation/calls/tool-calls.ts'
import { readRecordings } from '../helpers/recording.ts'
import { eventsOf } from '../recordings/playing.ts'
import { describePart, fold } from './events.ts'

type Expected = {
  /** Each entry: how it ended, then what it says, does and fails with. */
  entries: readonly (readonly string[])[]
  /** Tokens in and out of all calls. */
  tokens: readonly [input: number, output: number]
  /** Tokens in the context after the last call. */
  context: number | null
  usageIsPartial?: true
}

const four = ['ask0', 'ask1', 'ask2', 'ask3'].map((ask, index) => [`turn ${ask}: done, end`, `"ans${index}"`])
const bashOutput = (command: string, output: string, footer: string): string =>
  `= $ ${command}\n\n${output}${output === '' ? '' : '\n\n'}${footer}`

const UNAUTHORIZED = 'anthropic: http 401: {"error":{"type":"authentication_error","message":"invalid"}}'
const CANCELED = 'anthropic: Post "http://127.0.0.1:8000/v1/messages": context canceled'

/** By scenario; where the two versions differ, by version. */
const table: Record<string, Expected | Record<string, Expected>> = {
  'abort-before-headers': {
    entries: [['turn x: aborted, error', `! ${CANCELED}`]],
    tokens: [0, 0],
    context: null,
  },
  'abort-during-bash-with-pending': {
    entries: [
      [
        'turn x: aborted, tool_use',
        'bash b1 aborted',
        bashOutput('echo go; sleep 20', 'go', '[exit -1]  Took 0.1s'),
        'bash b2 aborted',
        '= aborted: start: context canceled',
        'write w3 ok',
        '= x',
      ],
    ],
    tokens: [10, 5],
    context: 15,
  },
  'abort-mid-text': { entries: [['turn x: aborted, aborted', '"a b "']], tokens: [10, 5], context: 15 },
  'abort-mid-tool-args': {
    entries: [['turn x: aborted, aborted', '"let"', 'bash t not_run']],
    tokens: [10, 5],
    context: 15,
  },
  'bash-ok-and-fail': {
    entries: [
      [
        'turn go: done, end',
        '"Running."',
        'bash t1 ok',
        bashOutput('echo one; sleep 0.2; echo two', 'one\ntwo', '[exit 0]  Took 0.2s'),
        'bash t2 failed',
        bashOutput('echo bad >&2; exit 3', 'bad', '[exit 3]  Took 0.0s'),
        '"Done."',
      ],
    ],
    tokens: [20, 10],
    context: 15,
  },
  'busy-clear-setmodel': { entries: [['turn x: done, end', '"abc"']], tokens: [10, 5], context: 15 },
  'compact-abort': {
    entries: [...four, ['compaction: aborted']],
    tokens: [40, 20],
    context: 15,
    usageIsPartial: true,
  },
  'compact-http-401': {
    entries: [...four, ['compaction: failed', '! anthropic: http 401: {"error":{"message":"no"}}']],
    tokens: [40, 20],
    context: 15,
  },
  'compact-nothing': {
    entries: [['compaction: nothing']],
    tokens: [0, 0],
    context: null,
  },
  'compact-ok': {
    entries: [...four, ['compaction: done', 'SUMMARY']],
    tokens: [40, 20],
    context: null,
    usageIsPartial: true,
  },
  'hello-state-models': { entries: [], tokens: [0, 0], context: null },
  'http-401': { entries: [['turn x: failed, error', `! ${UNAUTHORIZED}`]], tokens: [0, 0], context: null },
  'http-503-persistent': {
    entries: [['turn x: failed, error', '! anthropic: http 503: upstream']],
    tokens: [0, 0],
    context: null,
  },
  'image-prompt': { entries: [['turn look [image/png]: done, end', '"k"']], tokens: [10, 5], context: 15 },
  'invalid-tool-json-and-unknown-tool': {
    entries: [
      [
        'turn x: done, end',
        'nope n failed',
        '= unknown tool "nope"',
        'bash j failed',
        '= invalid args: unexpected end of JSON input',
        '"k"',
      ],
    ],
    tokens: [20, 10],
    context: 15,
  },
  'max-steps-2': {
    entries: [
      [
        'turn x: failed, tool_use',
        'bash s1 ok',
        bashOutput('true', '', '[exit 0]  Took 0.0s'),
        'bash s2 ok',
        bashOutput('true', '', '[exit 0]  Took 0.0s'),
        '! max steps (2) exceeded',
      ],
    ],
    tokens: [20, 10],
    context: 15,
  },
  'max-tokens-with-tool': {
    entries: [['turn x: done, length', 'bash x1 not_run']],
    tokens: [10, 5],
    context: 15,
  },
  'openai-tool-mirror': {
    // The messages that zot adds by itself after a tool leave no trace.
    entries: [
      ['turn x: done, end', '"run"', 'bash call_1 ok', bashOutput('echo hi', 'hi', '[exit 0]  Took 0.0s'), '"fin"'],
    ],
    tokens: [40, 14],
    context: 27,
  },
  'queued-five-prompts': {
    entries: ['p2', 'p5', 'p3', 'p4', 'p1'].map(ask => [`turn ${ask}: done, end`, `"re:${ask}"`]),
    tokens: [50, 25],
    context: 15,
  },
  'stream-error-after-tool-block': {
    entries: [['turn x: failed, error', '"t"', 'bash x1 not_run', '! anthropic invalid_request_error: nope']],
    tokens: [10, 5],
    context: 15,
  },
  'stream-error-overloaded-then-ok': {
    'zot-0.1.62': {
      entries: [['turn x: failed, error', '"partial "', '! anthropic overloaded_error: Overloaded']],
      tokens: [10, 5],
      context: 15,
    },
    'zot-0.3.3x': {
      // This one tries again by itself: what it had said is withdrawn, and was paid for all the same.
      entries: [['turn x: done, end', '"partial ", withdrawn', '"recovered"']],
      tokens: [20, 10],
      context: 15,
    },
  },
  text: { entries: [['turn hi: done, end', '"Hello world"']], tokens: [10, 5], context: 15 },
  'write-edit-read': {
    entries: [
      [
        'turn go: done, end',
        'write w ok',
        '= alpha\nbeta\ngamma\n',
        'edit e ok',
        '=  alpha\n-beta\n+BETA\n gamma\n \n',
        'read r ok',
        '= alpha\nBETA\ngamma\n',
        'read x failed',
        '= stat /home/dev/project/missing.txt: no such file or directory',
        '"ok"',
      ],
    ],
    tokens: [20, 10],
    context: 15,
  },
}

const recordings = readRecordings()

function expectedOf({ zot, name }: { zot: string; name: string }): Expected {
  const row = table[name]
  if (row === undefined) throw new Error(`nothing is expected of ${name}`)
  if ('entries' in row) return row as Expected
  const own = row[zot]
  if (own === undefined) throw new Error(`nothing is expected of ${name} of ${zot}`)
  return own
}

function describeEntry(entry: Entry): string[] {
  switch (entry.kind) {
    case 'turn': {
      const images = entry.images.map(image => ` [${image.mimeType}]`).join('')
      const parts = [...entry.parts].flatMap(part =>
        part.kind === 'tool' && part.result
          ? [describePart(part), `= ${resultText(part.result)}`]
          : [describePart(part)],
      )
      const error = entry.error === null ? [] : [`! ${entry.error}`]
      return [`turn ${entry.prompt}${images}: ${entry.outcome}, ${entry.stop}`, ...parts, ...error]
    }
    case 'compaction':
      return [
        `compaction: ${entry.outcome}`,
        ...(entry.summary === '' ? [] : [entry.summary]),
        ...(entry.error === null ? [] : [`! ${entry.error}`]),
      ]
    case 'notice':
    case 'shell':
    case 'cleared':
    case 'agent_ended':
      return [entry.kind]
  }
}

const summaryOf = (chat: ChatState): Expected => ({
  entries: chat.entries.map(describeEntry),
  tokens: [chat.usage.input + chat.usage.cacheRead + chat.usage.cacheWrite, chat.usage.output],
  context: chat.context,
  ...(chat.usageIsPartial ? { usageIsPartial: true as const } : {}),
})

test('each scenario of the table was recorded of both zots, and each recording is in the table', () => {
  expect(recordings.map(recording => recording.name).toSorted()).toEqual(
    Object.keys(table)
      .flatMap(name => [name, name])
      .toSorted(),
  )
})

describe.each(recordings)('$zot $name', recording => {
  test('folds into the recorded conversation', async () => {
    const chat = fold(await eventsOf(recording))
    expect(chat.open).toBeNull()
    expect(summaryOf(chat)).toEqual(expectedOf(recording))
  })

  test('every tool call is over, and every text is final', async () => {
    const { entries } = fold(await eventsOf(recording))
    const parts = entries.flatMap(entry => (entry.kind === 'turn' ? entry.parts.slice() : []))
    expect(parts.filter(part => part.kind === 'text' && !part.final)).toEqual([])
    expect(parts.filter(part => part.kind === 'tool' && isOpen(part.state))).toEqual([])
  })

  test('the cost of the session is the sum of its turns, and what zot counted', async () => {
    const { entries, usage } = fold(await eventsOf(recording))
    const turns = entries.flatMap(entry => (entry.kind === 'turn' ? [entry.usage] : []))
    expect(turns.reduce((sum, each) => sum + each.input, 0)).toBe(usage.input)
    expect(turns.reduce((sum, each) => sum + (each.costUsd ?? 0), 0)).toBeCloseTo(usage.costUsd ?? 0, 12)
    const last = recording.lines.findLast(({ dir, frame }) => dir === 'out' && frame?.['type'] === 'usage')?.frame
    const counted = last?.['cumulative'] ?? { input: 0, output: 0 }
    expect(counted).toMatchObject({ input: usage.input, output: usage.output })
  })
})

const scenario = async (zot: string, name: string): Promise<ChatState> => {
  const recording = recordings.find(each => each.zot === zot && each.name === name)
  if (!recording) throw new Error(`${zot} ${name} was not recorded`)
  return fold(await eventsOf(recording))
}

test('the older zot cannot report its reasoning level; the newer one can, and it is off', async () => {
  expect((await scenario('zot-0.1.62', 'hello-state-models')).agent.reasoning).toBeNull()
  expect((await scenario('zot-0.3.3x', 'hello-state-models')).agent.reasoning).toBe('')
})

test('the newer zot fails four times on a persistent 503 before it gives up; the older one once', async () => {
  expect((await scenario('zot-0.1.62', 'http-503-persistent')).entries).toMatchObject([{ retries: 1 }])
  expect((await scenario('zot-0.3.3x', 'http-503-persistent')).entries).toMatchObject([{ retries: 4 }])
})

test('the window and the model are those that the agent resolved', async () => {
  const { agent } = await scenario('zot-0.3.3x', 'hello-state-models')
  expect(agent).toMatchObject({ phase: 'ready', provider: 'anthropic', model: 'claude-sonnet-4-5' })
  expect(agent.contextWindow).toBeGreaterThan(0)
})
