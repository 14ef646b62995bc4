/** Something goes wrong, on the agent's side or the provider's: the user is told what and what to do, and can go on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { share } from '../helpers/screen.ts'
import { turnEnd, turnEndAfter } from '../helpers/turn-end.ts'
import { expectDraft, letGo, openDemo, openQuickDemo, openZot, send, startAfresh } from './stage.ts'

/** One demo for what goes wrong in a turn and ends with it. */
const demo = share(openQuickDemo, startAfresh)
/** One for what happens in the middle of a turn. */
const paced = share(openDemo, startAfresh)

describe('zot does not start', () => {
  test('without a credential shows its message, keeps the draft, and /restart works once there is one', async () => {
    const zotui = await openZot('no-credential')
    await zotui.type('my precious draft')
    await zotui.see(/no credential for anthropic/i)
    await zotui.see(/ANTHROPIC_API_KEY.*\/login/s)
    await zotui.see(/\/restart/)
    await zotui.press('enter')
    await zotui.see(/not running.*\/restart/)
    await expectDraft(zotui, 'my precious draft')
    letGo(zotui, 'credential')
    await zotui.press('ctrl+u')
    await send(zotui, '/restart')
    await zotui.see(/anthropic\/sonnet/)
    await zotui.press('ctrl+y')
    await expectDraft(zotui, 'my precious draft')
    await zotui.press('enter')
    await zotui.see('With a key it works.')
  })

  test('an unknown flag gives one sentence instead of the help', async () => {
    const zotui = await openZot('old', { args: ['--temperature', '1'] })
    await zotui.see(/too old for --temperature/)
    expect(zotui.history().join('\n')).not.toContain('--flag-')
  })

  test('an unknown model is reported', async () => {
    const zotui = await openZot('old', { args: ['--model', 'gpt-9'] })
    await zotui.see(/does not know the model "gpt-9".*--list-models/s)
  })

  test('a silent zot is reported after ten seconds, with what to try; reduced motion writes nothing meanwhile', async () => {
    const zotui = await openZot('silent', { env: { ZOTUI_REDUCED_MOTION: '1' } })
    await zotui.see(/starting zot/)
    const before = zotui.bytes().length
    await zotui.type('x')
    await zotui.see('▌ x')
    await zotui.type('y')
    await zotui.see('▌ xy')
    const added = zotui.bytes().subarray(before).toString('utf8')
    expect(added).not.toMatch(/[⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
    await zotui.press('ctrl+u')
    await send(zotui, 'waiting for you')
    await zotui.see(/1 queued/)
    await zotui.see(/did not answer within 10 seconds.*--no-ext/s)
    await zotui.see(/1 paused/)
    await zotui.until('the silent zot is gone', { check: () => zotui.children().length === 0 })
  })

  test('another provider or model than requested is reported', async () => {
    const zotui = await openZot('substituting', { args: ['--provider', 'deepseek', '--model', 'deepseek-v9'] })
    await zotui.see(/uses anthropic instead of deepseek/)
    await zotui.see(/model haiku instead of deepseek-v9/)
    await zotui.see(/anthropic\/haiku/)
  })

  test('an old zot without reasoning levels is reported instead of failing', async () => {
    const zotui = await openZot('old')
    await zotui.see(/zot 0\.1\.62/)
    await zotui.press('alt+t')
    await zotui.see(/no reasoning level/)
  })
})

describe('zot ends in the middle of an answer', () => {
  const zot = share(async () => {
    const zotui = await openZot('mortal')
    await zotui.see(/anthropic\/sonnet/)
    return zotui
  }, startAfresh)

  test.each([
    ['killed', /SIGKILL.*may have run out of memory/s],
    ['exits', /exit code 3/],
    ['panics', /zot crashed: panic: runtime error/],
  ])('%s: reported with what is lost, and /restart continues; meaningless output is not shown', async (how, words) => {
    const zotui = await zot()
    await send(zotui, how)
    await zotui.see(words)
    await zotui.see('I will be gone before')
    await zotui.see(/restart it and send the prompt again/)
    expect(zotui.history().join('\n')).not.toContain('goroutine')
    await send(zotui, '/restart')
    await zotui.see(/next\s+prompt\s+includes\s+this\s+conversation/)
    await send(zotui, 'talks nonsense')
    await zotui.see(turnEndAfter(/▌ talks nonsense/))
    expect(zotui.history().join('\n')).not.toMatch(/no JSON|from_the_future/)
  })

  test('a crash of the demo pauses the queue', async () => {
    const zotui = await paced()
    await send(zotui, 'crash')
    await zotui.see(/I will be gone/)
    await send(zotui, 'thanks afterwards')
    await zotui.see(/demo crashed, as it was asked to/i)
    await zotui.see(/1 paused/)
    await send(zotui, '/restart')
    await zotui.see(/Restarted/)
    await zotui.press('enter')
    await zotui.see('You are welcome')
  })
})

describe('the provider', () => {
  test.each([
    ['fail', /overloaded.*http 529/s, /\/retry/],
    ['refused', /rejected the API key.*http 401/s, /log in again/],
  ])('%s: what happened, its own words, what to do', async (script, what, hint) => {
    const zotui = await demo()
    await send(zotui, script)
    await zotui.see(what)
    await zotui.see(/http \d+: .*(Overloaded|invalid x-api-key)/)
    await zotui.see(hint)
    await send(zotui, 'thanks')
    await zotui.see('You are welcome')
    await zotui.see(turnEnd)
  })

  test('a failure pauses the queue, and /retry sends the prompt again', async () => {
    const zotui = await paced()
    await send(zotui, 'fail please')
    await send(zotui, 'thanks')
    await zotui.see(/1 paused/)
    await send(zotui, '/retry')
    await zotui.until('the prompt twice', {
      check: () => zotui.history().filter(line => line === '▌ fail please').length === 2,
    })
  })

  test('an interrupted answer is withdrawn and repeated', async () => {
    const zotui = await demo()
    await send(zotui, 'retry')
    await zotui.see(/withdrawn/)
    await zotui.see('Here it is again')
    await zotui.see(turnEnd)
  })

  test('an answer that reached its length limit is marked', async () => {
    const zotui = await demo()
    await send(zotui, 'length')
    await zotui.see(/cut off.*"continue"/s)
    await zotui.see(turnEnd)
  })
})

describe('the model', () => {
  test('broken calls are marked, and the turn continues', async () => {
    const zotui = await demo()
    await send(zotui, 'rubbish')
    await zotui.see(/✗ bash/)
    await zotui.see(/invalid args/)
    await zotui.see(/✗ nope/)
    await zotui.see(/unknown tool "nope"/)
    await zotui.see('Neither did.')
    await zotui.see(turnEnd)
  })

  test('escape sequences have no effect', async () => {
    const zotui = await demo()
    await send(zotui, 'hostile')
    await zotui.see(/all is\s+well/)
    await zotui.see(turnEnd)
    const bytes = zotui.bytes().toString()
    expect(bytes).not.toMatch(/\u001B\](?:52|0);|\u001BP|\u001B\[\?1049h|\u009B|\u202E|\u2066|\u200B/)
    expect(zotui.alternate).toBe(false)
    expect(zotui.history().join('\n')).toContain('this would erase the line above')
    zotui.committedOnce(['▌ hostile'])
  })

  test('wide, joined and right-to-left characters keep each row in its width', async () => {
    const zotui = await demo()
    zotui.resize(60, 24)
    await send(zotui, 'unicode')
    await zotui.seeInHistory(turnEnd)
    await zotui.seeInHistory('日本語の文章')
    await zotui.seeInHistory('👩🏽‍🚀')
    await zotui.seeInHistory(/文字は一つずつ/)
  })
})

test('while zot says nothing, it is said that the model is waited for; then why the model refused, also in 40 columns', async () => {
  const zotui = await openZot('hostile', {
    columns: 40,
    env(home) {
      const error = 'anthropic: http 429: {"error":{"message":"slow down"}}'
      const frames = [
        { type: 'turn_start', step: 1 },
        { gate: 'refuses' },
        { type: 'turn_end', stop: 'error', error },
        { gate: 'answers' },
        { type: 'assistant_start' },
        { type: 'text_delta', delta: 'At last.' },
        { type: 'assistant_message', content: [{ type: 'text', text: 'At last.' }] },
        { type: 'turn_end', stop: 'end' },
        { type: 'done' },
      ]
      writeFileSync(join(home.path, 'go.json'), JSON.stringify(frames))
      return {}
    },
  })
  await zotui.see(/Enter sends/)
  await send(zotui, 'go')
  await zotui.see(/waiting for model {3}\d[\d.]*s {3}Esc stops/)
  letGo(zotui, 'refuses')
  await zotui.see(/rate limit, retry 1 in \ds {3}Esc stops/)
  await zotui.see(/rate limit, retry 1 {3}/)
  letGo(zotui, 'answers')
  await zotui.see('At last.')
})
