import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { List } from '../../src/conversation/list.ts'
import { accepted, says, step, type Told } from '../conversation/events.ts'
import { unsentOf } from '../../src/app/context/draft-store.ts'
import { noCommandHint, popupRows } from '../../src/state/completion/popup.ts'
import type { FakeBackend } from './fake-backend.ts'
import { createStage, startedStage, queueOf } from './stage.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const gone: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'it fell', hint: '', expected: false }

const without =
  (...abilities: readonly ('compact' | 'setReasoning' | 'setModel' | 'clear')[]) =>
  (backend: FakeBackend): FakeBackend =>
    backend.without(...abilities)

describe('sending', () => {
  test('Enter sends the draft and empties the composer', async () => {
    const { say, asked, state } = await startedStage()
    await say('hello')
    expect(asked()).toEqual(['prompt hello'])
    expect(state().editor.text).toBe('')
    expect(state().chat.open).toMatchObject({ kind: 'turn', prompt: 'hello' })
  })

  test.each(['', '   ', '\n'])('Enter does not send %j', async text => {
    const { paste, press, asked } = await startedStage()
    await paste(text)
    await press('enter')
    expect(asked()).toEqual([])
  })

  test('a backslash before Enter makes a new line', async () => {
    const { say, asked, state } = await startedStage()
    await say('one\\')
    expect(state().editor.text).toBe('one\n')
    await say('two')
    expect(asked()).toEqual(['prompt one\ntwo'])
  })

  test('Up recalls an earlier prompt, and Down leaves it again', async () => {
    const { say, type, done, press, state } = await startedStage()
    await say('first')
    await done()
    await say('second')
    await done()
    await type('draft')
    await press('up')
    expect(state().editor.text).toBe('second')
    await press('up')
    expect(state().editor.text).toBe('first')
    await press('down', 'down')
    expect(state().editor.text).toBe('draft')
  })

  test('a long paste is one piece in the composer, and is sent in full', async () => {
    const { paste, press, asked, state } = await startedStage()
    const long = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
    await paste(long)
    expect(state().editor.text.length).toBeLessThan(10)
    await press('enter')
    expect(asked()).toEqual([`prompt ${long}`])
  })

  test('a prompt of the command line waits until the agent is ready', async () => {
    const { controller, backend, settle, asked, state } = createStage()
    backend.waits = true
    controller.start('from the command line')
    await settle()
    expect(asked()).toEqual(['open'])
    expect(queueOf(state()).entries).toEqual(['from the command line'])
    backend.letThrough()
    await settle()
    expect(asked()).toEqual(['prompt from the command line'])
  })

  test('Esc while the agent starts pauses the queue instead of sending it', async () => {
    const { controller, backend, settle, press, asked, state } = createStage()
    backend.waits = true
    controller.start('do it')
    await settle()
    await press('escape')
    expect(queueOf(state())).toEqual({ entries: ['do it'], paused: true })
    backend.letThrough()
    await settle()
    expect(asked()).toEqual(['open'])
    await press('enter')
    expect(asked()).toEqual(['prompt do it'])
  })

  test('a command after a space is text, also after waiting in the queue', async () => {
    const { say, done, asked } = await startedStage()
    await say('one')
    await say(' /clear')
    await done()
    expect(asked()).toEqual(['prompt one', 'prompt  /clear'])
  })

  test('Enter before the agent is ready queues the prompt', async () => {
    const { controller, backend, settle, say, asked, state } = createStage()
    backend.waits = true
    controller.start(null)
    await settle()
    await say('early')
    expect(queueOf(state())).toEqual({ entries: ['early'], paused: false })
    backend.letThrough()
    await settle()
    expect(asked()).toEqual(['open', 'prompt early'])
  })

  test('if the agent does not start, the queue is paused, the draft stays, and /restart works', async () => {
    const { controller, backend, settle, say, asked, state } = createStage()
    backend.startsWell = false
    controller.start('from the command line')
    await settle()
    expect(queueOf(state())).toEqual({ entries: ['from the command line'], paused: true })
    await say('typed')
    expect(asked()).toEqual(['open'])
    expect(state().editor.text).toBe('typed')
    expect(state().hint).toContain('/restart')
  })
})

describe('the queue', () => {
  test('is sent in order, one after each turn that went well', async () => {
    const { say, done, asked, state } = await startedStage()
    await say('one')
    await say('two')
    await say('three')
    expect(asked()).toEqual(['prompt one'])
    expect(queueOf(state()).entries).toEqual(['two', 'three'])
    await done()
    expect(asked()).toEqual(['prompt two'])
    await done()
    expect(asked()).toEqual(['prompt three'])
    await done()
    expect(asked()).toEqual([])
    expect(queueOf(state())).toEqual({ entries: [], paused: false })
  })

  test.each(['failed', 'aborted'] as const)('is paused after a turn that %s, until an empty Enter', async how => {
    const { say, done, press, asked, state } = await startedStage()
    await say('one')
    await say('two')
    await say('three')
    if (how === 'aborted') await press('escape')
    await done(how)
    expect(asked().filter(each => each.startsWith('prompt'))).toEqual(['prompt one'])
    expect(queueOf(state())).toEqual({ entries: ['two', 'three'], paused: true })
    await press('enter')
    expect(asked()).toEqual(['prompt two'])
    await done()
    expect(asked()).toEqual(['prompt three'])
  })

  test('stays paused while another prompt is sent', async () => {
    const { say, done, asked, state } = await startedStage()
    await say('one')
    await say('two')
    await done('failed')
    await say('something else')
    await done()
    expect(asked()).toEqual(['prompt one', 'prompt something else'])
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
  })

  test('is paused when the agent ends', async () => {
    const { say, backend, settle, press, asked, state } = await startedStage()
    await say('one')
    await say('two')
    backend.end(gone)
    await settle()
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
    await press('enter')
    expect(asked()).toEqual(['prompt one'])
    expect(state().hint).toContain('/restart')
  })

  test('gives its newest entry back with Up, into an empty composer', async () => {
    const { say, press, state } = await startedStage()
    await say('one')
    await say('two')
    await say('three')
    await press('up')
    expect(state().editor.text).toBe('three')
    expect(queueOf(state()).entries).toEqual(['two'])
  })

  test('is edited in place with Alt+Up and Alt+Down', async () => {
    const { say, type, press, state } = await startedStage()
    for (const text of ['one', 'two', 'three', 'four']) await say(text)
    await type('draft')
    const seen: string[] = []
    for (const key of ['up', 'up', 'up', 'up', 'down', 'down']) {
      await press(`alt+${key}`)
      seen.push(state().editor.text)
      expect(unsentOf(state())).toEqual({ draft: 'draft', queue: ['two', 'three', 'four'], held: false })
    }
    expect(seen).toEqual(['four', 'three', 'two', 'two', 'three', 'four'])
    await press('alt+up')
    await type('!')
    await press('enter')
    expect(queueOf(state()).entries).toEqual(['two', 'three!', 'four'])
    expect(state().editor.text).toBe('draft')
    await press('alt+up', 'alt+down')
    expect(state().editor.text).toBe('draft')
    expect(state().edited).toBeNull()
  })

  test('drops an entry that is edited to nothing, and no other', async () => {
    const { say, press, state } = await startedStage()
    for (const text of ['one', 'two', 'three', 'four']) await say(text)
    await press('alt+up', 'alt+up', 'ctrl+u', 'alt+down')
    expect(state().editor.text).toBe('four')
    await press('enter')
    expect(queueOf(state()).entries).toEqual(['two', 'four'])
  })

  test('waits for an entry that is being edited when its turn comes', async () => {
    const { say, done, type, press, asked, state } = await startedStage()
    for (const text of ['one', 'two', 'three', 'four']) await say(text)
    await press('alt+up', 'alt+up')
    await done()
    expect(asked()).toEqual(['prompt one', 'prompt two'])
    await done()
    expect(asked()).toEqual([])
    expect(queueOf(state())).toEqual({ entries: ['four'], paused: false })
    await type('!')
    await press('enter')
    expect(asked()).toEqual(['prompt three!'])
    await done()
    expect(asked()).toEqual(['prompt four'])
  })

  test.each(['Ctrl+Enter', '/now'])('%s stops the turn and sends the draft before all entries', async how => {
    const { say, type, press, done, asked, state } = await startedStage()
    await say('one')
    await say('two')
    if (how === '/now') await say('/now at once')
    else {
      await type('at once')
      await press('ctrl+enter')
    }
    expect(asked()).toEqual(['prompt one', 'abort'])
    expect(queueOf(state()).entries).toEqual(['at once', 'two'])
    await done('aborted')
    expect(asked()).toEqual(['prompt at once'])
    await done()
    expect(asked()).toEqual(['prompt two'])
  })

  test('Ctrl+Enter with an empty composer sends the first entry, and the rest stays paused', async () => {
    const { say, press, done, asked, state } = await startedStage()
    for (const text of ['one', 'two', 'three']) await say(text)
    await done('failed')
    await say('four')
    asked()
    await press('ctrl+enter', 'ctrl+enter')
    expect(asked()).toEqual(['abort'])
    await done('aborted')
    expect(asked()).toEqual(['prompt two'])
    await done()
    expect(queueOf(state())).toEqual({ entries: ['three'], paused: true })
    await press('ctrl+enter')
    expect(asked()).toEqual(['prompt three'])
  })

  test('Ctrl+Enter sends the entry that is being edited, and the draft comes back', async () => {
    const { say, type, press, done, asked, state } = await startedStage()
    for (const text of ['one', 'two', 'three']) await say(text)
    await type('draft')
    await press('alt+up', 'ctrl+enter')
    expect(state().editor.text).toBe('draft')
    await done('aborted')
    expect(asked()).toEqual(['prompt one', 'abort', 'prompt three'])
    expect(queueOf(state()).entries).toEqual(['two'])
  })

  test('is paused if the agent ends instead of stopping', async () => {
    const { say, type, press, backend, settle, asked, state } = await startedStage()
    await say('one')
    await type('two')
    await press('ctrl+enter')
    backend.end(gone)
    await settle()
    expect(asked()).toEqual(['prompt one', 'abort'])
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
  })

  test('keeps a command after a blank as text', async () => {
    const { say, done, asked } = await startedStage()
    await say('one')
    await say(' /clear')
    await done()
    expect(asked()).toEqual(['prompt one', 'prompt  /clear'])
  })

  test('takes the draft with Tab while the agent works', async () => {
    const { say, type, press, state } = await startedStage()
    await say('one')
    await type('two')
    await press('tab')
    expect(queueOf(state()).entries).toEqual(['two'])
  })

  test('holds the commands that must wait, in their place', async () => {
    const { say, done, asked } = await startedStage()
    await say('one')
    await say('/clear')
    await say('two')
    expect(asked()).toEqual(['prompt one'])
    await done()
    expect(asked()).toEqual(['clear', 'prompt two'])
  })

  test('continues after a compaction that was queued', async () => {
    const { say, done, backend, settle, asked } = await startedStage()
    await say('one')
    await say('/compact')
    await say('two')
    await done()
    expect(asked()).toEqual(['prompt one', 'compact'])
    backend.end({ type: 'compaction_finished', summary: 's' })
    await settle()
    expect(asked()).toEqual(['prompt two'])
  })

  test('is paused after a compaction that failed', async () => {
    const { say, backend, settle, asked, state } = await startedStage()
    await say('/compact')
    await say('two')
    backend.end({ type: 'compaction_failed', message: 'http 401' })
    await settle()
    expect(asked()).toEqual(['compact'])
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
  })

  test('goes on after a compaction that had nothing to do', async () => {
    const { say, backend, settle, asked } = await startedStage()
    await say('/compact')
    await say('two')
    backend.end({ type: 'compaction_failed', message: 'nothing to compact', nothing: true })
    await settle()
    expect(asked()).toEqual(['compact', 'prompt two'])
  })
})

describe('stopping', () => {
  test.each(['escape', 'ctrl+c'])('%s stops the turn once, and the draft stays', async key => {
    const { say, type, press, asked, state } = await startedStage()
    await say('one')
    await type('draft')
    await press(key, 'escape', 'escape', 'ctrl+c')
    expect(asked()).toEqual(['prompt one', 'abort'])
    expect(state().editor.text).toBe('draft')
  })

  test('Ctrl+C while the agent does not stop says that the next one kills it and exits', async () => {
    const { say, press, asked, exits, state } = await startedStage()
    await say('one')
    await press('escape', 'ctrl+c')
    expect(state().hint).toContain('Ctrl+C again kills it and exits')
    vi.advanceTimersByTime(2500)
    await press('ctrl+c')
    expect(asked()).toEqual(['prompt one', 'abort'])
    await press('ctrl+c')
    expect(asked()).toEqual(['kill'])
    expect(exits).toEqual([1])
  })

  test('works before the agent has accepted the prompt', async () => {
    const { say, press, backend, asked, state } = await startedStage()
    await say('one')
    expect(state().chat.open).toMatchObject({ accepted: false })
    await press('escape')
    expect(asked()).toEqual(['prompt one', 'abort'])
    backend.tell(accepted)
    expect(state().chat.open).toMatchObject({ aborting: true })
  })

  test('right after Enter, Esc stops that prompt', async () => {
    const { controller, settle, asked } = await startedStage()
    controller.type('one')
    controller.press('enter')
    controller.press('escape')
    await settle()
    expect(asked()).toEqual(['prompt one', 'abort'])
  })

  test('stops a compaction, too', async () => {
    const { press, asked } = await startedStage()
    await press('alt+k', 'escape')
    expect(asked()).toEqual(['compact', 'abort'])
  })

  test('Esc when idle and empty says that there is nothing to stop', async () => {
    const { press, asked, state } = await startedStage()
    await press('escape')
    expect(asked()).toEqual([])
    expect(state().hint).toContain('Nothing is running')
  })

  test('Esc while the agent starts does not say that nothing is running', async () => {
    const { backend, controller, press, state } = await startedStage()
    backend.tell({ type: 'agent_starting', agent: 'zot' })
    controller.catchUp()
    await press('escape')
    expect(state().hint).toBe('The agent is starting. ? shows all keys.')
  })

  test('a second Esc when idle clears the draft, and Up brings it back', async () => {
    const { type, press, state } = await startedStage()
    await type('draft')
    await press('escape')
    expect(state().editor.text).toBe('draft')
    await press('escape')
    expect(state().editor.text).toBe('')
    await press('up')
    expect(state().editor.text).toBe('draft')
  })

  test('another key or a long wait between two Esc keeps the draft', async () => {
    const { type, press, state } = await startedStage()
    await type('draft')
    await press('escape')
    await type('!')
    await press('escape')
    expect(state().editor.text).toBe('draft!')
    vi.advanceTimersByTime(3000)
    await press('escape')
    expect(state().editor.text).toBe('draft!')
  })

  test('an agent that does not stop is pinged, and Ctrl+C kills and restarts it', async () => {
    const { say, press, backend, settle, asked, entries, state } = await startedStage()
    await say('one')
    await say('two')
    await press('escape')
    backend.tell({ type: 'abort_overdue' })
    vi.advanceTimersByTime(100)
    await settle()
    expect(state().hint).toContain('still responds')
    await press('escape')
    expect(asked()).toEqual(['prompt one', 'abort', 'ping'])
    await press('ctrl+c')
    expect(asked()).toEqual(['kill', 'open'])
    const [, killed, again] = entries()
    expect(killed).toContain('may still be running')
    expect(again).toContain('includes this conversation')
    expect(state().chat.agent.phase).toBe('ready')
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
  })

  test('an agent is killed once, and an agent that does not die does not prevent leaving', async () => {
    const { say, press, backend, settle, asked, entries, state } = await startedStage()
    await say('one')
    await press('escape')
    backend.tell({ type: 'abort_overdue' })
    vi.advanceTimersByTime(100)
    await settle()
    asked()
    backend.waits = true
    await press('ctrl+c', 'ctrl+c')
    expect(state().hint).toContain('Ctrl+C again kills it and exits')
    backend.letThrough()
    await settle()
    expect(asked()).toEqual(['kill', 'open'])
    expect(entries().filter(entry => entry.includes('includes this conversation'))).toHaveLength(1)
  })

  test('an agent that answers no ping is reported as dead', async () => {
    const { say, press, backend, settle, state } = await startedStage()
    backend.alive = false
    await say('one')
    await press('escape')
    backend.tell({ type: 'abort_overdue' })
    vi.advanceTimersByTime(100)
    await settle()
    expect(state().hint).toContain('no longer responds')
  })
})

describe('commands', () => {
  test('/help and /usage answer at once, even while the agent works', async () => {
    const { say, asked, state } = await startedStage()
    await say('one')
    await say('/help')
    await say('/usage')
    expect(asked()).toEqual(['prompt one'])
    expect(state().chat.open).toMatchObject({ parts: List.of([{ kind: 'notice' }, { kind: 'notice' }]) })
    expect(queueOf(state()).entries).toEqual([])
  })

  test('? in an empty composer opens the help, and otherwise is text', async () => {
    const { type, entries, state } = await startedStage()
    await type('?')
    expect(entries()[0]).toContain('Ctrl+J')
    await type('why?')
    expect(state().editor.text).toBe('why?')
  })

  test('an unknown command is not sent, leaves the composer empty, and comes back with Up', async () => {
    const { say, asked, state, press } = await startedStage()
    await say('/modle x')
    expect(asked()).toEqual([])
    expect(state().editor.text).toBe('')
    expect(state().hint).toContain('Did you mean /model? Up brings it back')
    await press('up')
    expect(state().editor.text).toBe('/modle x')
  })

  test.each(['/etc/hosts is wrong', ' /help'])('%j is text', async text => {
    const { say, asked } = await startedStage()
    await say(text)
    expect(asked()).toEqual([`prompt ${text}`])
  })

  test('/retry sends the last prompt again, and waits while the agent works', async () => {
    const { say, done, asked } = await startedStage()
    await say('one')
    await done('failed')
    await say('/retry')
    expect(asked()).toEqual(['prompt one', 'prompt one'])
    await say('/retry')
    expect(asked()).toEqual([])
    await done()
    expect(asked()).toEqual(['prompt one'])
  })

  test('/retry with nothing to repeat says so', async () => {
    const { say, asked, entries } = await startedStage()
    await say('/retry')
    expect(asked()).toEqual([])
    expect(entries()).toEqual([expect.stringContaining('no prompt')])
  })

  test('/restart starts a fresh agent and says that it remembers nothing', async () => {
    const { say, done, asked, entries } = await startedStage()
    await say('one')
    await done()
    await say('/restart')
    expect(asked()).toEqual(['prompt one', 'replace'])
    expect(entries()).toEqual(['one: done', expect.stringContaining('includes this conversation')])
  })

  test('/restart keeps the old agent and its memory if the new one does not start', async () => {
    const { say, done, backend, asked, entries, state } = await startedStage()
    await say('one')
    await done()
    backend.startsWell = false
    await say('/restart')
    expect(asked()).toEqual(['prompt one', 'replace'])
    expect(entries()).toEqual(['one: done', expect.stringContaining('Nothing was changed: No credential.')])
    expect(state().chat).toMatchObject({ agent: { phase: 'ready' }, memory: 'whole' })
    await say('two')
    expect(backend.prompts.at(-1)?.memory).toBeUndefined()
  })

  test('/restart in the middle of a turn ends it and pauses the queue', async () => {
    const { say, asked, entries, state } = await startedStage()
    await say('one')
    await say('two')
    await say('/restart')
    expect(asked()).toEqual(['prompt one', 'replace'])
    expect(entries()[0]).toBe('one: agent_ended')
    expect(queueOf(state())).toEqual({ entries: ['two'], paused: true })
  })

  test('/restart restarts an agent that had ended, and the draft stays', async () => {
    const { say, type, press, backend, settle, asked, state } = await startedStage()
    backend.tell(gone)
    await settle()
    await say('/restart')
    expect(asked()).toEqual(['close', 'open'])
    await type('now')
    await press('enter')
    expect(asked()).toEqual(['prompt now'])
    expect(state().chat.agent.phase).toBe('ready')
  })

  test('a command that the agent refuses is reported', async () => {
    const { say, backend, entries } = await startedStage()
    backend.reply = { ok: false, message: 'unknown model "x"' }
    await say('/model x')
    expect(entries()).toEqual([expect.stringMatching(/unknown model "x"/i)])
  })

  test('Alt+T pressed quickly changes the reasoning level each time', async () => {
    const { controller, asked, settle, state, say, press, done } = await startedStage()
    for (let times = 0; times < 4; times += 1) controller.press('alt+t')
    await settle()
    expect(asked()).toEqual(['reasoning low', 'reasoning high', 'reasoning off', 'reasoning low'])
    expect(state().chat.agent.reasoning).toBe('low')
    await say('one')
    await press('alt+t', 'alt+t')
    expect(queueOf(state()).entries).toEqual(['/reasoning off'])
    await done()
    expect(asked()).toEqual(['prompt one', 'reasoning off'])
  })

  test('/reasoning sets the level, shows it and cycles through the levels', async () => {
    const { say, press, asked } = await startedStage()
    await say('/reasoning high')
    await say('/reasoning off')
    await press('alt+t', 'alt+t', 'alt+t')
    expect(asked()).toEqual(['reasoning high', 'reasoning off', 'reasoning low', 'reasoning high', 'reasoning off'])
    await say(' /reasoning')
    expect(asked()).toEqual(['prompt  /reasoning'])
  })

  test('a switch is printed at once, below its command; those by a key wait for the last of them', async () => {
    const { say, press, state, backend } = await startedStage()
    backend.models = { ok: true, value: [] }
    await say('/reasoning high')
    await press('alt+t', 'alt+t')
    await say('/model opus')
    expect(state().chat.entries).toMatchObject([
      { level: 'info', text: 'reasoning high', command: '/reasoning high' },
      { level: 'quiet', text: 'reasoning off' },
      { level: 'quiet', text: 'reasoning low' },
      { level: 'info', text: 'model anthropic/opus', command: '/model opus' },
    ])
  })

  test.each([
    ['/reasoning high', 'reasoning high'],
    ['/model opus', 'model opus'],
    ['/clear', 'clear'],
  ])('%s waits for an agent that is still starting', async (line, request) => {
    const { controller, backend, settle, say, asked, state, entries } = createStage()
    backend.waits = true
    controller.start(null)
    await settle()
    asked()
    await say(line)
    expect(asked()).not.toContain(request)
    expect(state().hint).toContain('still starting')
    backend.letThrough()
    await settle()
    expect(asked()).toContain(request)
    expect(state().hint ?? '').not.toContain('still starting')
    expect(entries().join()).not.toContain('not running')
  })

  test.each([
    ['/restart', 'Restarted'],
    ['/restart --model opus', 'Switched to'],
  ])('%s of an agent that is still starting restarts it once it is ready', async (line, said) => {
    const { controller, backend, settle, say, state, entries } = createStage()
    backend.waits = true
    controller.start(null)
    await settle()
    await say(line)
    expect(state().hint).toContain('still starting: /restart runs when it is ready')
    expect(entries().join()).not.toContain(said)
    backend.letThrough()
    await settle()
    expect(entries().join()).toContain(said)
  })

  test('a command that is not there is not taken for another', async () => {
    const { say, state } = await startedStage()
    await say('/sessions')
    expect(state().hint).toContain('No command /resume here.')
  })

  test('commands that the agent does not support are not offered', async () => {
    const { say, press, asked, state, controller } = await startedStage(without('compact', 'setReasoning'))
    expect(controller.commands().map(command => command.name)).not.toContain('compact')
    await press('alt+k')
    expect(state().hint).toContain('does not support /compact')
    await say('/compact')
    expect(asked()).toEqual([])
  })
})

describe('the popup', () => {
  test('opens with a slash, moves around, and completes with Tab', async () => {
    const { type, press, state } = await startedStage()
    await type('/')
    await press('down', 'down', 'up')
    expect(state()).toMatchObject({ editor: { text: '/' }, popup: { selected: 1 } })
    await press('tab')
    expect(state().editor.text).toMatch(/^\/[a-z]+ ?$/)
  })

  test('wraps around at both ends', async () => {
    const { type, press, state, controller } = await startedStage()
    await type('/')
    await press('up')
    expect(state().popup.selected).toBe(controller.commands().length - 1)
    await press('down')
    expect(state().popup.selected).toBe(0)
  })

  test('runs the chosen command with Enter', async () => {
    const { type, press, asked } = await startedStage()
    await type('/comp')
    await press('enter')
    expect(asked()).toEqual(['compact'])
  })

  test('offers names that begin with the text before aliases', async () => {
    const { type, press, asked } = await startedStage()
    await type('/co')
    await press('enter')
    expect(asked()).toEqual(['compact'])
  })

  test('closes with Esc, stays closed for that text, and Esc does nothing else', async () => {
    const { say, type, press, asked, state } = await startedStage()
    await say('one')
    await type('/c')
    await press('escape')
    expect(state().popup.closedFor).toBe('/c')
    expect(asked()).toEqual(['prompt one'])
    await press('escape')
    expect(asked()).toEqual(['abort'])
    await type('l')
    expect(state().popup.closedFor).toBeNull()
  })

  test('offers the models, asked for once when the argument begins, with the matching letters', async () => {
    const value = ['claude-opus', 'gpt', 'o-plus'].map(id => ({
      id,
      provider: 'anthropic',
      contextWindow: null,
      maxOutput: null,
      reasoning: false,
    }))
    const { type, press, asked, state, controller } = await startedStage(backend =>
      backend.with({ models: { ok: true, value } }),
    )
    await type('/models op')
    expect(asked()).toEqual(['models'])
    const rows = popupRows(state(), controller.commands())
    expect(rows.map(({ label, positions }) => ({ label, positions }))).toEqual([
      { label: 'claude-opus', positions: [7, 8] },
      { label: 'o-plus', positions: [0, 2] },
    ])
    await press('enter')
    expect(asked()).toEqual(['model claude-opus'])
  })

  test('says how a text that begins like a command is sent as text', async () => {
    const { type, state, controller } = await startedStage()
    await type('/mo')
    expect(noCommandHint(state(), controller.commands())).toBeNull()
    await type('xq')
    expect(noCommandHint(state(), controller.commands())).toContain('Put a space before it to send it as text')
  })

  test('finds a command by its alias, and shows the alias', async () => {
    const { type, state, controller } = await startedStage()
    await type('/compre')
    expect(popupRows(state(), controller.commands())[0]).toMatchObject({
      label: '/compact',
      detail: expect.stringContaining('/compress'),
    })
  })

  test('offers the reasoning levels', async () => {
    const { type, press, asked } = await startedStage()
    await type('/reasoning h')
    await press('enter')
    expect(asked()).toEqual(['reasoning high'])
  })
})

describe('the model picker', () => {
  const models = ['claude', 'haiku', 'opus'].map(id => ({
    id,
    provider: 'anthropic',
    contextWindow: 200_000,
    maxOutput: null,
    reasoning: true,
  }))
  const withModels = (backend: FakeBackend): FakeBackend => backend.with({ models: { ok: true, value: models } })

  test('opens, filters as one types, and switches to the chosen model', async () => {
    const { press, type, asked, state } = await startedStage(withModels)
    await press('alt+p')
    expect(state().picker).toMatchObject({ filter: '', models })
    await type('op')
    expect(state().picker).toMatchObject({ filter: 'op', selected: 0 })
    await press('enter')
    expect(asked()).toEqual(['models', 'model opus'])
    expect(state().picker).toBeNull()
    expect(state().editor.text).toBe('')
  })

  test('widens the search with Backspace, and wraps around', async () => {
    const { press, type, asked, state } = await startedStage(withModels)
    await press('alt+p')
    await type('xy?')
    await press('enter')
    expect(state().picker).toMatchObject({ filter: 'xy?' })
    await press('backspace', 'backspace', 'backspace', 'up')
    expect(state().picker).toMatchObject({ filter: '', selected: 2 })
    await press('tab')
    expect(asked()).toEqual(['models', 'model opus'])
  })

  test('selects the model in use at first', async () => {
    const inUse = models.map(model =>
      model.id === 'haiku' ? { ...model, id: 'claude' } : { ...model, id: `x-${model.id}` },
    )
    const { press, state } = await startedStage(backend => backend.with({ models: { ok: true, value: inUse } }))
    await press('alt+p')
    expect(state().picker).toMatchObject({ selected: 1 })
  })

  test('deletes one visible character with Backspace', async () => {
    const { press, type, state } = await startedStage(withModels)
    await press('alt+p')
    await type('é👩‍👩‍👧')
    await press('backspace')
    expect(state().picker).toMatchObject({ filter: 'é' })
    await press('backspace')
    expect(state().picker).toMatchObject({ filter: '' })
  })

  test('does not set the model in use again', async () => {
    const { press, asked } = await startedStage(withModels)
    await press('alt+p', 'enter')
    expect(asked()).toEqual(['models'])
  })

  test.each(['escape', 'ctrl+c'])('closes with %s, which does nothing else', async key => {
    const { type, press, asked, state } = await startedStage(withModels)
    await type('draft')
    await press('alt+p', key)
    expect(state().picker).toBeNull()
    expect(state().editor.text).toBe('draft')
    expect(asked()).toEqual(['models'])
  })

  test('opens at once while the agent works, and the switch waits', async () => {
    const { say, press, type, done, asked, state } = await startedStage(withModels)
    await say('one')
    await press('alt+p')
    expect(state().picker).toMatchObject({ models })
    await type('op')
    await press('enter')
    expect(queueOf(state()).entries).toEqual(['/model opus'])
    await done()
    expect(asked()).toEqual(['prompt one', 'models', 'model opus'])
  })

  test('does not open again when the list of models arrives after it was closed', async () => {
    const { controller, settle, state } = await startedStage(withModels)
    controller.press('alt+p')
    controller.press('escape')
    await settle()
    expect(state().picker).toBeNull()
  })

  test('says so if the agent does not list its models', async () => {
    const { press, backend, entries, state } = await startedStage()
    backend.models = { ok: false, message: 'the agent is gone' }
    await press('alt+p')
    expect(state().picker).toBeNull()
    expect(entries()).toEqual([expect.stringContaining('the agent is gone')])
  })
})

describe('leaving', () => {
  test('Ctrl+C twice exits when idle and empty', async () => {
    const { press, asked, exits, state } = await startedStage()
    await press('ctrl+c')
    expect(exits).toEqual([])
    expect(state().hint).toContain('again to exit')
    await press('ctrl+c')
    expect(asked()).toEqual(['close'])
    expect(exits).toEqual([0])
    expect(state().leaving).toBe('gone')
  })

  test('a second Ctrl+C after two seconds counts as a first one', async () => {
    const { press, exits } = await startedStage()
    await press('ctrl+c')
    vi.advanceTimersByTime(2500)
    await press('ctrl+c')
    expect(exits).toEqual([])
  })

  test('Ctrl+C clears a draft, and Up brings it back', async () => {
    const { type, press, exits, state } = await startedStage()
    await type('draft')
    await press('ctrl+c')
    expect(state().editor.text).toBe('')
    expect(exits).toEqual([])
    await press('up')
    expect(state().editor.text).toBe('draft')
  })

  test('Ctrl+D exits when the composer is empty, and deletes a character otherwise', async () => {
    const { type, press, exits, state } = await startedStage()
    await type('ab')
    await press('ctrl+a', 'ctrl+d')
    expect(state().editor.text).toBe('b')
    await press('ctrl+d', 'ctrl+d')
    expect(exits).toEqual([0])
  })

  test('Ctrl+D while the agent works asks for confirmation', async () => {
    const { say, press, asked, exits } = await startedStage()
    await say('one')
    await press('ctrl+d')
    expect(exits).toEqual([])
    await press('ctrl+d')
    expect(asked()).toEqual(['prompt one', 'close'])
    expect(exits).toEqual([0])
  })

  test('/exit exits', async () => {
    const { say, exits } = await startedStage()
    await say('/exit')
    expect(exits).toEqual([0])
  })

  test('happens once, and nothing is sent meanwhile', async () => {
    const { say, press, backend, controller, settle, asked, exits, state } = await startedStage()
    await say('one')
    await say('two')
    backend.waits = true
    void controller.leave()
    await settle()
    expect(state().leaving).toBe('ending')
    await say('three')
    await press('ctrl+d', 'escape')
    void controller.leave()
    backend.letThrough()
    await settle()
    expect(asked()).toEqual(['prompt one', 'close'])
    expect(exits).toEqual([0])
  })

  test.each(['ctrl+c', 'ctrl+\\'])('%s while leaving ends the program at once', async key => {
    const { press, backend, controller, settle, asked, exits } = await startedStage()
    backend.waits = true
    void controller.leave()
    await settle()
    await press('enter', key)
    expect(asked()).toEqual(['close', 'kill'])
    backend.letThrough()
    await settle()
    expect(exits[0]).toBe(1)
  })

  test('an agent that cannot be killed does not prevent leaving', async () => {
    const { say, press, backend, asked, exits } = await startedStage()
    await say('one')
    backend.waits = true
    await press('ctrl+c', 'ctrl+c', 'ctrl+c')
    expect(asked()).toEqual(['prompt one', 'abort', 'kill'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(exits).toEqual([1])
  })

  test('Ctrl+\\ exits at once', async () => {
    const { say, press, asked, exits } = await startedStage()
    await say('one')
    await press('ctrl+\\')
    expect(asked()).toEqual(['prompt one', 'kill'])
    expect(exits).toEqual([1])
  })
})

describe('the clock', () => {
  test('ticks while the agent works, and not otherwise', async () => {
    const { say, done, clock, state } = await startedStage()
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
    await say('one')
    clock.now = 9000
    vi.advanceTimersByTime(200)
    expect(state().now).toBe(9000)
    await done()
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('delivers events of the agent to the state within a frame', async () => {
    const { say, backend, state } = await startedStage()
    await say('one')
    backend.tell(accepted, step(1), says('Hel'), says('lo'))
    vi.advanceTimersByTime(50)
    expect(state().chat.open).toMatchObject({ parts: List.of([{ text: 'Hello' }]) })
  })
})

test('Ctrl+L redraws the screen, also over a picker', async () => {
  const { press, redraws } = await startedStage()
  await press('ctrl+l', 'alt+p', 'ctrl+l')
  expect(redraws()).toBe(2)
})

test('a hint disappears with the next key', async () => {
  const { press, state } = await startedStage()
  await press('escape')
  expect(state().hint).not.toBeNull()
  await press('ctrl+q')
  expect(state().hint).toBeNull()
})
