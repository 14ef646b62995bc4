import { describe, expect, test } from 'vitest'
import { makeEventSchema, type AgentEvent, type EventOf } from '../../../src/agent/event.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { innerWords } from '../../../src/agents/host/inner-words.ts'
import { turnEndLines } from '../../../src/transcript/turn-end.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { renderTool } from '../../../src/tools/panel/panel.ts'
import { textsOf } from '../../helpers/lines.ts'
import { readAcpRecording, readAcpRecordings, recordedAgents } from '../../helpers/acp-recordings.ts'
import { replay } from './replay.ts'
import { faultsOf } from './schema.ts'

const schema = makeEventSchema()

describe.each(recordedAgents)('every recording of %s', agent => {
  test.each(readAcpRecordings(agent).map(recording => [recording.name, recording] as const))(
    'folds without loss and ends with nothing open: %s',
    async (_name, recording) => {
      const { events, sent, asked, unknown, heard } = await replay(recording)
      for (const event of events) expect(schema.parse(event)).toEqual(event)
      expect(faultsOf(sent, asked)).toEqual([])
      expect(unanswered(asked, sent)).toEqual([])
      expect(undecided(events)).toEqual([])
      expect(unknown.filter(line => !isKnownOddity(line))).toEqual([])
      const state = events.reduce(reduce, initialChat)
      expect(state.open).toBeNull()
      expect(state.questions).toEqual([])
      for (const { chat, state: how } of state.tasks) {
        expect(chat?.open ?? null).toBeNull()
        expect(how).not.toMatch(/running|waiting/)
      }
      expectNoLoss(
        heard,
        events.map(event => (event.type === 'task_event' ? event.event : event)),
      )
    },
  )
})

test.each(recordedAgents)('an edit of %s is drawn and counted as one of zot is', async agent => {
  const { events } = await replay(readAcpRecording(agent, 'edit'))
  const turns = events.reduce(reduce, initialChat).entries.filter(entry => entry.kind === 'turn')
  const turn = turns.find(each => [...each.parts].some(part => part.kind === 'tool' && part.diffs.length > 0))
  const tool = turn?.parts.findLast(part => part.kind === 'tool' && part.diffs.length > 0)
  if (!turn || tool?.kind !== 'tool') throw new Error('nothing was edited')
  const theme = createTheme(0)
  const panel = textsOf(renderTool(tool, [], { theme, width: 80, now: 0, maxBody: 40 }))
  expect(panel[0]).toMatch(/^● [Ee]dit +note\.txt .*\+1 -1/)
  expect(panel.slice(1).map(line => line.replace(/^[ \d]*/, ''))).toEqual(
    expect.arrayContaining(['- second line', '+ second line, changed']),
  )
  const [end] = textsOf(turnEndLines(turn, { theme, markdown: theme.markdown, width: 80, takesCommands: true }))
  expect(end).toMatch(/ {3}\+1 -1 {3}note\.txt {3}\/diff$/)
})

test('the history of Gemini that comes after the answer to session/load is history, and none of it is in the next answer', async () => {
  const { events } = await replay(readAcpRecording('gemini', 'load-in-a-new-process+'))
  const turns = events.reduce(reduce, initialChat).entries.filter(entry => entry.kind === 'turn')
  const shown = turns.map(({ prompt, parts }) => ({
    prompt,
    parts: [...parts].map(part => (part.kind === 'text' ? part.text : part.kind)),
  }))
  expect(shown).toEqual([
    { prompt: 'my colour is blue', parts: ['Noted.'] },
    { prompt: 'run it', parts: ['tool', 'It ran.'] },
    { prompt: 'which colour', parts: ['Blue.'] },
  ])
  const prompts = events.filter(event => event.type === 'prompt_sent')
  expect(prompts.map(({ remembered = false }) => remembered)).toEqual([true, true, false])
  expect(events.filter(({ type }) => type === 'remark_made')).toEqual([])
})

test.each([
  ['error-400', '400 bad thing'],
  ['error-401', 'Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).'],
  ['error-503', 'Failed to get response from the AI model; retried 5 times'],
  ['error-after-call', '400 bad thing'],
])('an error that Copilot sends as its answer is a failed turn without an answer: %s', async (name, message) => {
  const { events } = await replay(readAcpRecording('copilot', name))
  expect(events.find(({ type }) => type === 'error_reported')).toMatchObject({
    message: expect.stringContaining(message),
  })
  expect(events.find(({ type }) => type === 'turn_ended')).toMatchObject({ stop: 'error' })
  expect(textsOfTurns(events)).toEqual([''])
})

test('an error of Copilot in a later turn, whose tokens are a sum of all turns, is that of its turn alone', async () => {
  const { events } = await replay(readAcpRecording('copilot', 'error-in-second-turn'))
  expect(textsOfTurns(events)).toEqual(['One.', '', 'Three.'])
  expect(events.filter(({ type }) => type === 'turn_ended').map(event => 'stop' in event && event.stop)).toEqual([
    false,
    'error',
    false,
  ])
})

test('an answer of Copilot that quotes such an error is an answer', async () => {
  const { events } = await replay(readAcpRecording('copilot', 'error-quoted'))
  expect(events.filter(({ type }) => type === 'error_reported')).toEqual([])
  expect(textsOfTurns(events)).toEqual([
    'Error: 400 bad thing',
    'Error: 400 bad thing',
    'Error: 400 bad thing\nis what it printed.',
  ])
})

test.each([
  ['error-503-then-well', 'Well now.', 1],
  ['error-cut', 'half an answer, whole', 2],
])('a retry of Copilot is reported as one, and is no part of its answer: %s', async (name, answer, retries) => {
  const { events } = await replay(readAcpRecording('copilot', name))
  expect(events.filter(({ type }) => type === 'retry_announced')).toHaveLength(retries)
  expect(textsOfTurns(events)).toEqual([answer])
  expect(events.filter(({ type }) => type === 'error_reported')).toEqual([])
})

test('what Copilot says after a refused call is its notice, and no answer', async () => {
  const { events } = await replay(readAcpRecording('copilot', 'shell-reject'))
  expect(textsOfTurns(events)).toEqual([''])
  expect(events.filter(({ type }) => type === 'error_reported')).toEqual([])
  expect(events.findLast(({ type }) => type === 'remark_made')).toMatchObject({
    level: 'quiet',
    text: 'Operation cancelled by user',
  })
  expect(events.findLast(({ type }) => type === 'turn_ended')).toEqual({ type: 'turn_ended', at: expect.any(Number) })
})

/** The texts of the answer in each turn. */
function textsOfTurns(events: readonly AgentEvent[]): string[] {
  const turns = events.reduce(reduce, initialChat).entries.filter(entry => entry.kind === 'turn')
  return turns.map(({ parts }) => [...parts].flatMap(part => (part.kind === 'text' ? [part.text] : [])).join(''))
}

test('the output of Codex that may lack its first lines says so, and output that came as a whole does not', async () => {
  expect((await outputsOf('shell'))[0]).toBe(
    '[The first lines may be missing: the agent does not send them.]\nline 2\nline 3\n[exit 3]',
  )
  expect(await outputsOf('parallel-tools')).toEqual(
    expect.arrayContaining(['b\n', 'first line\nsecond line\nthird line\n']),
  )
})

/** The texts of the results in a recording of Codex. */
async function outputsOf(name: string): Promise<string[]> {
  const { events } = await replay(readAcpRecording('codex', name))
  const finished = events.filter(event => event.type === 'tool_finished')
  return finished.flatMap(({ content }) => content.map(each => (each.type === 'text' ? each.text : '')))
}

/** Things that the recorded agents do beyond the protocol, and that the recorded client did and this one does not. */
function isKnownOddity(line: string): boolean {
  return (
    /^(?:unsupported request: (?:craft|fs)\/|unknown notification: qwen\/|a reply to no known request: .*"id":null|an update of another session)/.test(
      line,
    ) || /^an update that cannot be read: .*"sessionUpdate":"(?:async_task_\w+|plan_update)"/.test(line)
  )
}

function unanswered(
  asked: ReadonlyMap<string, string>,
  sent: readonly { id?: string | number | null; method?: string }[],
): string[] {
  const answered = new Set(sent.flatMap(({ id, method }) => (method === undefined ? [String(id)] : [])))
  return [...asked.keys()].filter(id => !answered.has(id))
}

function undecided(events: readonly AgentEvent[]): string[] {
  const decided = new Set(
    events.flatMap(event =>
      event.type === 'permission_decided' || event.type === 'question_answered' ? [event.id] : [],
    ),
  )
  const asked = events.filter(event => event.type === 'permission_requested' || event.type === 'question_asked')
  return asked.map(({ id }) => id).filter(id => !decided.has(id))
}

type Heard = { params?: Record<string, unknown> }
type Call = { toolCallId: string; rawInput?: unknown; status?: string }

/** Every text, thought, call and argument that was heard is told. */
function expectNoLoss(heard: readonly Heard[], events: readonly AgentEvent[]): void {
  const told = events.map(textIn).join('').replaceAll(/\s+/g, '')
  const pieces: string[] = []
  const calls = new Map<string, Call>()
  for (const { params } of heard) {
    const { update, toolCall } = params as { update?: Record<string, unknown>; toolCall?: Call }
    const content = update?.['content'] as { text?: string } | undefined
    if (/^agent_(?:message|thought)_chunk$/.test(String(update?.['sessionUpdate']))) pieces.push(content?.text ?? '')
    const call = toolCall ?? (update?.['toolCallId'] === undefined ? undefined : (update as Call))
    // Codex reports a server that does not start as a call.
    if (!call || call.toolCallId.startsWith('mcp_startup.')) continue
    const before = calls.get(call.toolCallId)
    // Codex changes what a call was asked at its end.
    const isAsked = before?.rawInput !== undefined && (call.status === 'completed' || call.status === 'failed')
    calls.set(call.toolCallId, { ...before, ...call, ...(isAsked && { rawInput: before.rawInput }) })
  }
  for (const piece of pieces) {
    // Copilot's failures and retries are pieces of its answer, with these words before them.
    const text = innerWords(piece).replace(/^(?:Error|Info): /, '')
    expect(told).toContain(text.replaceAll(/\s+/g, ''))
  }
  const called = events.filter((event): event is EventOf<'tool_called'> => event.type === 'tool_called')
  const asked = events.filter(event => event.type === 'permission_requested')
  const args = [...called, ...asked].map(each => JSON.stringify(each.arguments))
  const inputs = [...calls.values()].map(({ rawInput }) => JSON.stringify(rawInput ?? {})).filter(each => each !== '{}')
  expect(args).toEqual(expect.arrayContaining(inputs))
  expect(called.length).toBeGreaterThanOrEqual(calls.size)
}

function textIn(event: AgentEvent): string {
  if (event.type === 'text_received' || event.type === 'thought_received' || event.type === 'remark_made')
    return event.text
  if (event.type === 'options_changed')
    return event.options.map(({ value }) => `[MODE_UPDATE] ${String(value)}`).join('')
  return event.type === 'error_reported' || event.type === 'retry_announced' ? event.message : ''
}
