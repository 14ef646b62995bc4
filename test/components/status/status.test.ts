import { describe, expect, test } from 'vitest'
import type { AppState } from '../../../src/state/state.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { builtinTheme } from '../../../src/style/builtin.ts'
import { createTheme, type Theme } from '../../../src/style/theme.ts'
import * as queueRow from '../../../components/queue/rows.ts'
import * as header from '../../../components/header/rows.ts'
import * as status from '../../../components/status/rows.ts'
import * as working from '../../../components/working/rows.ts'
import {
  aborting,
  accepted,
  answering,
  chatAfter,
  costs,
  drafts,
  ended,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  type Told,
} from '../../conversation/events.ts'
import { callContent, question as questionView } from '../question/sample.ts'
import { startup, stateWith, theme, withChat, withDraft } from '../stage.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { planFact } from '../../../components/status/plan-windows.ts'
import { watchersFact } from '../../../components/status/watchers.ts'
import { promptEntry } from '../../../src/state/composer/queue-entry.ts'
import { paintLine } from '../../../src/terminal/output/paint.ts'
import { textsOf } from '../../helpers/lines.ts'

const spent = costs({ input: 12_000, cacheRead: 100_000, output: 3400, costUsd: 0.21 })
const busyDay = (changes: Partial<AppState> = {}): AppState =>
  withChat(chatAfter(started, { type: 'reasoning_changed', reasoning: 'high' }, prompt('x'), spent, ended), changes)

const remark: Told = { type: 'remark_made', level: 'info', text: 'Meanwhile.', hint: null, markdown: false }
type Rest = [theme: Theme, width: number]
const later = { plan: planFact, watchers: watchersFact }
const statusLine = (state: AppState, ...rest: Rest): string => paintLine(status.statusLine(state, ...rest, later))
const headerLines = (state: AppState, ...rest: Rest): string[] => textsOf(header.headerLines(state, ...rest))
const workingLine = (state: AppState, ...rest: Rest): string | null => working.workingLine(state, ...rest)?.text ?? null
const queueLine = (state: AppState, ...rest: Rest): string | null => queueRow.queueLine(state, ...rest)?.text ?? null
const statusAt = (width: number, state = busyDay()): string => statusLine(state, theme, width)

const sandboxAt = (sandbox: AppState['sandbox']): string =>
  statusAt(200, busyDay({ statusFacts: ['sandbox', 'model'], sandbox })).trim()

describe('the status line', () => {
  test('shows everything if there is room', () => {
    expect(statusAt(200).replace(/ {4,}/, ' … ')).toBe(
      '  anthropic/claude   high   ctx 58 %   ↑112k ↓3.4k   89 % cached   $0.21 … ~/src/zotui  main',
    )
  })

  test.each<[AppState['statusFacts'], string]>([
    [['cost', 'model'], '  $0.21   anthropic/claude'],
    [['model', 'branch', 'folder'], '  anthropic/claude … main  ~/src/zotui'],
    [['folder', 'model'], '  ~/src/zotui   anthropic/claude'],
    [['branch', 'cost', 'folder'], '  main   $0.21 … ~/src/zotui'],
    [[], ''],
  ])('shows the facts %j in this order', (statusFacts, line) => {
    expect(statusAt(200, busyDay({ statusFacts })).replace(/ {4,}/, ' … ').trimEnd()).toBe(line)
  })

  test('shows the windows of the plan that are nearly used up, or all of them, and in a narrow terminal the fullest', () => {
    const windows = [
      { id: 'five_hour', used: 0.83, resetsAt: null },
      { id: 'seven_day', used: 0.41, resetsAt: null },
      { id: '\u001b[2Jmoon', used: 0.97, resetsAt: null },
    ]
    const { chat } = withChat(chatAfter(started, { type: 'limits_reported', windows }))
    const shown = (width: number, fact: 'limits' | 'allLimits'): string =>
      statusAt(width, withChat(chat, { statusFacts: [fact] })).trim()
    expect(shown(80, 'limits')).toBe('5h 83 % ␛[2Jmoon 97 %')
    expect(shown(80, 'allLimits')).toBe('5h 83 % 7d 41 % ␛[2Jmoon 97 %')
    expect(shown(20, 'limits')).toBe('␛[2Jmoon 97 %')
    const few = chatAfter(started, { type: 'limits_reported', windows: windows.slice(1, 2) })
    expect(statusAt(80, withChat(few, { statusFacts: ['limits'] })).trim()).toBe('')
  })

  test('says when the queue is sent that waits for a limit', () => {
    const kept = promptEntry('fix it')
    const queue = { entries: [kept], paused: true }
    const at = new Date(2026, 10, 27, 14, 30).getTime()
    const limitWait = { at, kept, isOver: false }
    expect(queueLine(busyDay({ queue, limitWait, now: at - 1000 }), theme, 80)).toContain('1 paused, sent 14:30')
    expect(queueLine(busyDay({ queue, limitWait: { ...limitWait, kept: null }, now: at }), theme, 80)).not.toContain(
      'sent',
    )
    const others = { entries: [promptEntry('a'), kept], paused: true }
    expect(queueLine(busyDay({ queue: others, limitWait, now: at - 1000 }), theme, 80)).toContain(
      '2 paused, 2 sent 14:30',
    )
    const without = { entries: [promptEntry('a')], paused: true }
    expect(queueLine(busyDay({ queue: without, limitWait, now: at - 1000 }), theme, 80)).not.toContain('sent 14')
  })

  test('says that commands run in the sandbox', () => {
    expect((['off', 'on', 'closed'] as const).map(sandboxAt)).toEqual([
      'anthropic/claude',
      'sandboxed   anthropic/claude',
      'sandbox closed   anthropic/claude',
    ])
  })

  test('has the names that another agent gives to its model and its mode', () => {
    const choices = [
      { value: 'default', name: 'Default (recommended)' },
      { value: 'plan', name: 'Plan' },
    ]
    const option = { kind: 'choice', value: 'default', choices } as const
    const chat = chatAfter(
      { ...started, agent: 'claude', provider: '', model: 'default', reasoningLevels: [] } as Told,
      {
        type: 'options_changed',
        options: [
          { ...option, id: 'model', name: 'Model', category: 'model', choices: [...choices] },
          {
            ...option,
            id: 'mode',
            name: 'Mode',
            category: 'mode',
            choices: [{ value: 'default', name: 'Manual' }, ...choices],
          },
        ],
      },
    )
    expect(statusAt(100, withChat(chat)).trim()).toMatch(/^Default \(recommended\) {3}Manual/)
    expect(statusAt(45, withChat(chat)).trim()).toMatch(/^Default \(recommended\) {3}Manual/)
    expect(statusAt(30, withChat(chat)).trim()).toMatch(/^Default \(recomm… {3}Manual/)
  })

  test('shows what changes a prompt, whatever facts are chosen', () => {
    const chat = chatAfter(started, {
      type: 'agent_ended',
      code: 1,
      signal: null,
      reason: 'x',
      hint: '',
      expected: false,
    })
    expect(statusAt(80, withChat(chat, { statusFacts: [], raw: true }))).toContain(
      'raw   zot ended, /restart starts it',
    )
  })

  test.each([
    [120, ['anthropic/claude', 'high', 'ctx 58 %', '↑112k', 'cached', '$0.21', '~/src/zotui']],
    [80, ['anthropic/claude', 'high', 'ctx 58 %', '↑112k', '$0.21', '~/src/zotui']],
    [60, ['claude', 'high', 'ctx 58 %', '$0.21', '~/src/zotui']],
    [40, ['claude', 'high', 'ctx 58 %', '$0.21']],
    [30, ['claude', 'ctx 58 %', '$0.21']],
    [24, ['ctx 58 %', '$0.21']],
    [12, ['ctx 58 %']],
    [5, []],
  ])('at %i columns keeps the important parts', (width, facts) => {
    const line = statusAt(width)
    for (const fact of facts) expect(line).toContain(fact)
    expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(2, width))
    expect(line).not.toContain('\n')
  })

  test.each([
    [120, 'anthropic/claude-opus-4-6-20260301   high   ctx 58 %   ↑112k ↓3.4k   89 % cached   $0.21'],
    [60, 'claude-opus-4-6-20260301   high   ctx 58 %   $0.21'],
    [40, 'claude-opus-4-6…   ctx 58 %   $0.21'],
  ])('at %i columns keeps a part of a long model name', (width, shown) => {
    const { chat } = busyDay()
    const agent = { ...chat.agent, model: 'claude-opus-4-6-20260301' }
    expect(
      statusAt(width, withChat({ ...chat, agent }))
        .replace('~/src/zotui  main', '')
        .trim(),
    ).toBe(shown)
  })

  test.each([200, 120, 80, 60, 40, 20])('at %i columns says first that the agent has ended', width => {
    const dead: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'fell', hint: '', expected: false }
    const state = withChat(chatAfter(started, prompt('x'), spent, dead))
    expect(statusAt(width, state).includes('zot ended')).toBe(width > 30)
    expect(displayWidth(statusAt(width, state))).toBeLessThanOrEqual(width)
  })

  test.each([200, 80, 40, 30])('at %i columns marks a read-only agent, as the header does', width => {
    const state = withChat(chatAfter(started, prompt('x'), spent), { startup: { ...startup, toolLimit: 'read-only' } })
    expect(statusAt(width, state)).toContain('read-only')
    expect(headerLines(state, theme, width)[0]).toContain('read-only')
    const free = withChat(state.chat, { startup: { ...startup, toolLimit: 'chosen' } })
    expect(statusAt(width, free)).not.toContain('read-only')
  })

  test('says that a cost is a lower bound, and that this is a demo', () => {
    const chat = chatAfter(
      started,
      prompt('x'),
      spent,
      ended,
      { type: 'compaction_started' },
      { type: 'compaction_finished', summary: 's' },
    )
    const line = statusAt(120, withChat(chat, { startup: { ...startup, demo: true } }))
    expect(line).toContain('≥ $0.21')
    expect(line).toContain('demo')
    expect(line).not.toContain('ctx')
  })

  test.each([
    [69, 'dim'],
    [70, 'warning'],
    [84, 'warning'],
    [85, 'failed'],
    [100, 'failed'],
  ] as const)('draws a context filled to %i %% as %s', (percent, look) => {
    const coloured = createTheme(3, { definition: builtinTheme('dark') })
    const chat = { ...chatAfter(started), context: 2000 * percent }
    const line = statusLine(withChat(chat), coloured, 80)
    expect(line).toContain(paintLine(coloured[look](sanitize(`ctx ${percent} %`))))
  })

  test('is replaced while a session is being read', () => {
    const state = stateWith({ opening: 0.417 })
    expect(workingLine(state, theme, 80)).toMatch(/loading the session 42 % .*Esc stops$/)
  })

  test('has no percentage if the window is unknown', () => {
    const chat = chatAfter({ ...started, contextWindow: null } as Told, prompt('x'), spent, ended)
    expect(statusAt(120, withChat(chat))).not.toContain('ctx')
  })

  test.each([200, 60, 20, 3])('at %i columns is replaced by a hint', width => {
    const line = statusAt(width, stateWith({ hint: 'Ctrl+C again to exit.' }))
    expect('  Ctrl+C again to exit.'.startsWith(line.replace('…', ''))).toBe(true)
    expect(displayWidth(line)).toBeLessThanOrEqual(width)
  })
})

describe('the header', () => {
  test('names the program, the agent and the keys', () => {
    const [first, keys] = headerLines(stateWith(), theme, 80)
    expect(first).toBe('  zotui 1.2.3   zot 0.3.3')
    expect(keys).toContain('Enter sends')
  })

  test('repeats nothing of the status line', () => {
    const header = headerLines(stateWith(), theme, 120).join('   ')
    const facts = statusAt(120, stateWith()).trim().split(/ {2,}/)
    expect(facts).toContain('anthropic/claude')
    for (const fact of facts) expect(header).not.toContain(fact)
  })

  test.each([100, 60, 40, 20, 8])('at %i columns is not wider', width => {
    for (const line of headerLines(stateWith(), theme, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width)
  })

  test('does not say that the agent is starting, as the working line does', () => {
    const state = withChat(chatAfter({ type: 'agent_starting', agent: 'zot' }))
    expect(headerLines(state, theme, 80)[0]).toBe('  zotui 1.2.3')
    expect(workingLine(state, theme, 80)).toContain('starting zot')
  })
})

const during = (...events: readonly Told[]): AppState => withChat(chatAfter(started, prompt('go'), ...events))

/** The state 21 seconds after the agent's last word. */
const silent = (state: AppState): AppState => ({ ...state, lastEventAt: state.now, now: state.now + 21_000 })

/** The line after a wait for the model of so many milliseconds. */
const waitsFor = (state: AppState, waited: number, width = 80) => {
  const { open } = state.chat
  const since = open?.kind === 'turn' ? (open.askedModelAt ?? open.startedAt) : 0
  return workingLine({ ...state, now: since + waited, lastEventAt: since }, theme, width)
}

describe('the working line', () => {
  test.each<[what: string, state: AppState, says: string]>([
    ['starting', withChat(chatAfter({ type: 'agent_starting', agent: 'zot' })), 'starting zot'],
    ['not accepted yet', during(), 'sending'],
    ['no word yet', during(accepted, step(1), answering), 'thinking'],
    ['a remark while it answers', during(accepted, step(1), answering, says('We'), remark), 'answering'],
    ['a text', during(accepted, step(1), answering, says('Hi')), 'answering'],
    ['a call that is written', during(accepted, step(1), answering, drafts('a', 'edit')), 'composing edit'],
    ['a tool', during(accepted, step(1), ...runsTool('a', 'bash')), 'running bash'],
    ['a failed try', during(accepted, step(1), stops('error', 'http 503')), 'retry 1'],
    ['an abort', during(accepted, step(1), aborting), 'stopping'],
    ['an abort that takes long', during(accepted, aborting, { type: 'abort_overdue' }), 'does not stop'],
    ['a compaction', withChat(chatAfter(started, { type: 'compaction_started' })), 'compacting'],
  ])('%s', (_what, state, says) => {
    const line = workingLine(state, theme, 80)
    expect(line).toContain(says)
    for (const width of [80, 30, 8]) {
      expect(displayWidth(workingLine(state, theme, width) ?? '')).toBeLessThanOrEqual(width)
    }
  })

  describe('after 20 seconds without a word', () => {
    test('says so, and names what stops and what kills', () => {
      const line = workingLine(silent(during(accepted, step(1), answering)), theme, 100)
      expect(line).toMatch(/no output for 21s.*Esc stops, then Ctrl\+C kills it/)
    })

    test('says nothing of it while a call runs', () => {
      const line = workingLine(silent(during(accepted, step(1), ...runsTool('a', 'bash'))), theme, 100)
      expect(line).toContain('running bash')
    })

    test('keeps saying that it waits for the model, or why the model refused, and names what kills', () => {
      const waits = workingLine(silent(during(accepted, step(1))), theme, 100)
      expect(waits).toMatch(/waiting for the model .*Esc stops, then Ctrl\+C kills it/)
      const refused = silent(during(accepted, step(1), stops('error', 'anthropic: http 429: slow down')))
      expect(workingLine(refused, theme, 100)).toMatch(
        /rate limit \(http 429\), retry 1 .*Esc stops, then Ctrl\+C kills it/,
      )
      expect(workingLine(refused, theme, 40)).toMatch(/rate limit, retry 1/)
    })

    test('says nothing of it while a retry is announced', () => {
      const retry: Told = { type: 'retry_announced', attempt: 1, of: 3, delayMs: 60_000, message: 'overloaded' }
      expect(workingLine(silent(during(accepted, retry)), theme, 100)).not.toContain('no word')
    })
  })

  test('is absent when idle', () => {
    expect(workingLine(stateWith(), theme, 80)).toBeNull()
  })

  test('names no key to stop or start the agent in a replay', () => {
    const replayed = { ...startup, isReplay: true }
    const line = workingLine({ ...during(accepted), startup: replayed }, theme, 80)
    expect(line).toContain('waiting for the model')
    expect(line).not.toContain('Esc')
    const dead: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'fell', hint: '', expected: false }
    const shown = statusLine(withChat(chatAfter(started, dead), { startup: replayed }), theme, 80)
    expect(shown).not.toMatch(/ended|\/restart/)
    expect(statusLine(withChat(chatAfter(started, dead)), theme, 80)).toContain('zot ended, /restart starts it')
  })

  test('counts from the prompt', () => {
    expect(workingLine({ ...during(accepted, step(1), answering), now: 65_000 }, theme, 80)).toContain('1m03s')
  })

  test('says after three seconds that it waits for the model, until the model answers, and again after a call', () => {
    const asked = during(accepted, step(1))
    expect(waitsFor(asked, 2900)).toContain('thinking')
    expect(waitsFor(asked, 3000)).toMatch(/waiting for the model {3}\d/)
    expect(waitsFor(asked, 3000, 40)).toMatch(/waiting for (?:the )?model {3}\d[\d.]*s {3}Esc stops$/)
    expect(working.workWords({ ...asked, now: 60_000 })).toBe('waiting for the model')
    expect(waitsFor(during(accepted, step(1), answering), 9000)).toContain('thinking')
    expect(waitsFor(during(accepted, { type: 'thought_received', text: 'Hm' }), 9000)).toContain('thinking')
    // Its own time stands beside that of the turn once they differ.
    const later = during(accepted, step(1), answering, ...runsTool('a', 'bash'), returns('a', 'done'), remark, remark)
    expect(waitsFor(later, 12_000)).toMatch(/waiting for the model for 12s {3}\d/)
    expect(waitsFor(later, 12_000, 40)).toMatch(/waiting for model {3}\d+s {3}Esc stops$/)
    expect(waitsFor(during(accepted, { type: 'activity_told', text: 'planning' }), 9000)).toContain('planning')
  })

  test('counts from the question while the agent waits for an answer, and says so once', () => {
    const asks: Told = { ...callContent().request }
    const chat = chatAfter(started, prompt('x'), accepted, asks)
    const [question] = chat.questions
    const state = withChat({ ...chat, questions: question ? [{ ...question, at: 300_000 }] : [] }, { now: 312_000 })
    expect(workingLine(state, theme, 80)).toContain('waiting for your answer   12s')
    // Where the question is on the screen, it says so itself.
    expect(working.workingLine({ ...state, question: questionView() }, theme, 80)).toBeNull()
  })

  test('says what Enter does once something is typed', () => {
    const state = during(accepted)
    expect(workingLine(state, theme, 80)).not.toContain('queues')
    expect(workingLine(withDraft('more', { chat: state.chat }), theme, 80)).toContain('Enter queues')
  })

  test('says what to do about an agent that does not stop', () => {
    expect(workingLine(during(accepted, aborting, { type: 'abort_overdue' }), theme, 100)).toContain('Ctrl+C kills it')
  })
})

describe('the queue', () => {
  test('is one line, cut at the width', () => {
    const queue = { entries: ['first', 'second\nline'].map(promptEntry), paused: false }
    expect(queueLine(stateWith({ queue }), theme, 80)).toBe('  2 queued   Alt+Up edits   1 "first"   2 "second⏎line"')
    expect(queueLine(stateWith({ queue }), theme, 30)).toBe('  2 queued   Alt+Up edits')
  })

  test('says why it waits for other conversations, once the hint is gone and where there is room', () => {
    const waiting = { entries: [promptEntry('first')], paused: false, isInLine: true }
    expect(queueLine(stateWith({ queue: waiting }), theme, 100)).toBe(
      '  1 queued: too many conversations are working (turnsAtOnce)   Alt+Up edits   1 "first"',
    )
    expect(queueLine(stateWith({ queue: waiting }), theme, 40)).toBe('  1 queued   Alt+Up edits   1 "first"')
    expect(queueLine(stateWith({ queue: waiting, hint: 'Queued: too many.' }), theme, 100)).toMatch(/^ {2}1 queued {3}/)
  })

  test('shows the prompt that waits for its images', () => {
    const state = stateWith({ waitingDraft: createEditor('look here') })
    expect(queueLine(state, theme, 80)).toBe('  waits until its images are read   "look here"')
  })

  test('says how to continue when it is paused', () => {
    const queue = { entries: [promptEntry('first')], paused: true }
    expect(queueLine(stateWith({ queue }), theme, 60)).toContain('1 paused   Enter sends it, Alt+Up edits')
    const two = { ...queue, entries: [promptEntry('first'), promptEntry('second')] }
    expect(queueLine(stateWith({ queue: two }), theme, 60)).toContain('2 paused   Enter sends them, Alt+Up edits')
  })

  test.each([
    ['look at this first', 'Enter sends only your text'],
    ['/etc/hosts is what?', 'Enter sends only your text'],
    ['/clear', 'Enter runs only your command'],
    ['!ls', 'Enter runs only your command'],
  ])('says what Enter does with %j while it is paused', (text, words) => {
    const queue = { entries: [promptEntry('first')], paused: true }
    expect(queueLine(withDraft(text, { queue }), theme, 80)).toContain(`1 paused   ${words}, Alt+Up edits`)
  })

  test('says that a note is kept while it is paused', () => {
    const queue = { entries: [promptEntry('first')], paused: true }
    expect(queueLine(withDraft('# note', { queue, noting: true }), theme, 80)).toContain('Enter keeps only your note')
  })

  test('names no Enter while it is paused and the agent is gone', () => {
    const dead: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'fell', hint: '', expected: false }
    const queue = { entries: [promptEntry('first')], paused: true }
    const state = withChat(chatAfter(started, dead), { queue })
    expect(queueLine(state, theme, 80)).toBe('  1 paused   Alt+Up edits   1 "first"')
  })

  test('is replaced by the message that is being edited', () => {
    const state = stateWith({
      queue: { entries: [promptEntry('first')], paused: false },
      edited: { at: 0, draft: '', entry: promptEntry('first') },
    })
    expect(queueLine(state, theme, 80)).toBe(
      '  2 queued   Enter puts it back, Alt+Up edits   1 being edited   2 "first"',
    )
  })

  test('is absent when it is empty', () => {
    expect(queueLine(stateWith(), theme, 80)).toBeNull()
  })

  test.each([120, 60, 40, 20, 5])('at %i columns is as wide at most', width => {
    const queue = {
      entries: Array.from({ length: 20 }, (_, index) => promptEntry(`message number ${index}`)),
      paused: true,
    }
    expect(displayWidth(queueLine(stateWith({ queue }), theme, width) ?? '')).toBeLessThanOrEqual(width)
  })
})
