/** A turn on a real zot: text, tools, and stopping them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { hang, hold, reply } from '../helpers/model.ts'
import { alive } from '../helpers/processes.ts'
import type { Screen } from '../helpers/screen.ts'
import { idle, messagesOf, say, talk, zot } from './talk.ts'

describe.skipIf(!zot)('a turn on a real zot', () => {
  test('shows text as it streams, and its cost', async () => {
    const gate = hold()
    const answer = reply().text('The first half, ').wait(gate).text('and the second half.')
    const { zotui, model } = await talk([answer.using({ input: 40_000, output: 1234 })])
    await say(zotui, 'tell me')
    await zotui.see('The first half,')
    expect(zotui.screen().join('\n')).not.toContain('second half')
    await zotui.see(/\ds\s+Esc stops/)
    gate.release()
    await zotui.see('and the second half.')
    await idle(zotui)
    // 41k of a window of 200k; Sonnet 4.5 costs $3 a million in and $15 a million out.
    await zotui.see(/2[01]\s?%/)
    await zotui.see(/40(?:\.0)?k/)
    await zotui.see(/\$0\.1[34]/)
    zotui.committedOnce(['The first half, and the second half.'])
    expect(messagesOf(await model.request(1))).toMatchObject([{ role: 'user' }])
    expect(JSON.stringify(model.requests[0]?.body)).toContain('tell me')
  })

  test('says that it waits for the model while zot says nothing', async () => {
    const { zotui } = await talk([hang()])
    await say(zotui, 'tell me')
    await zotui.see(/waiting for the model {3}\d/)
    await zotui.press('esc')
    await idle(zotui)
  })

  test('shows the output of a command while it runs', async () => {
    // The shell works the words out, so that seeing them is not seeing the command.
    const command = 'echo $((40 + 2)) first; while [ ! -e go ]; do sleep 0.02; done; echo $((40 + 3)) second; exit 3'
    const { zotui, model, project } = await talk([
      reply().text('I will run it.').tool('bash', { command }),
      reply().text('It was slow.'),
    ])
    await say(zotui, 'run it')
    await zotui.see('42 first')
    expect(zotui.screen().join('\n')).not.toContain('43 second')
    writeFileSync(path.join(project, 'go'), '')
    await zotui.seeInHistory('43 second')
    await zotui.seeInHistory(/exit 3/)
    await zotui.see('It was slow.')
    await idle(zotui)
    zotui.committedOnce(['I will run it.', 'It was slow.'])
    expect(JSON.stringify(model.requests[1]?.body)).toContain('43 second')
  })

  test('writes and edits files of the project', async () => {
    const { zotui, project } = await talk([
      reply().tool('write', { path: 'notes.txt', content: 'one\ntwo\nthree\n' }),
      reply().tool('edit', { path: 'notes.txt', edits: [{ oldText: 'two', newText: 'twenty-two' }] }),
      reply().tool('read', { path: 'notes.txt' }),
      reply().text('Both done.'),
    ])
    await say(zotui, 'take notes')
    await zotui.see('Both done.')
    await idle(zotui)
    expect(readFileSync(path.join(project, 'notes.txt'), 'utf8')).toBe('one\ntwenty-two\nthree\n')
    const history = zotui.history().join('\n')
    expect(history).toMatch(/write\s+.*notes\.txt/)
    expect(history).toMatch(/edit\s+.*notes\.txt/)
    expect(history).toMatch(/- ?two/)
    expect(history).toMatch(/\+ ?twenty-two/)
  })

  test('shows a tool that fails as failed', async () => {
    const { zotui } = await talk([reply().tool('read', { path: 'nowhere.txt' }), reply().text('It is not there.')])
    await say(zotui, 'read it')
    await zotui.see('It is not there.')
    await idle(zotui)
    expect(zotui.history().join('\n')).toMatch(/✗.*nowhere\.txt[\s\S]*no such file/)
  })

  test('Esc stops a text, keeps the draft, and the next prompt works', async () => {
    const { zotui, model } = await talk([
      reply().text('It begins. ').wait(hold()).text('Never said.'),
      reply().text('Here again.'),
    ])
    await say(zotui, 'talk at length')
    await zotui.see('It begins.')
    await zotui.type('half a thought')
    await zotui.see('half a thought')
    await zotui.press('esc')
    await (
      await model.request(1)
    ).abandoned
    await idle(zotui)
    await zotui.see(/abort|stopped|interrupted/i)
    await zotui.see('half a thought')
    await zotui.press('enter')
    await zotui.see('Here again.')
    await idle(zotui)
    expect(JSON.stringify(messagesOf(await model.request(2)).at(-1))).toContain('half a thought')
    expect(zotui.history().join('\n')).not.toContain('Never said')
    zotui.committedOnce(['It begins.', 'Here again.'])
  })

  test('an Esc before zot can act on it is not lost', async () => {
    const gate = hold()
    const { zotui } = await talk([reply().wait(gate).text('The first answer.'), reply().text('The second answer.')])
    await zotui.type('quick')
    await zotui.see('quick')
    await zotui.press('enter', 'esc')
    await zotui.see(/abort|stopped|interrupted/i)
    await idle(zotui)
    expect(zotui.history().join('\n')).not.toContain('The first answer.')
    // Whether the first prompt ever came to the model is a race; the next one is answered in any case.
    gate.release()
    await say(zotui, 'slowly')
    await zotui.see(/The (?:first|second) answer/)
  })

  test.each([
    ['Esc', 'esc'],
    ['Ctrl+C', 'ctrl+c'],
  ])('%s ends a running command for good', async (_name, key) => {
    const { zotui } = await talk([
      reply().tool('bash', { command: 'echo $((40 + 2)) begun; sleep 31337' }),
      reply().text('Here again.'),
    ])
    await say(zotui, 'sleep')
    await zotui.see('42 begun')
    const sleeper = await sleeperOf(zotui)
    await zotui.press(key)
    await zotui.until('the command to end', { check: () => !alive(sleeper) })
    await idle(zotui)
    await zotui.see(/abort|stopped|interrupted/i)
    await say(zotui, 'and now')
    await zotui.see('Here again.')
    expect(zotui.children().map(({ command }) => command)).not.toContain('sleep 31337')
  })

  test('prompts that are sent meanwhile wait in the queue', async () => {
    const gate = hold()
    const { zotui, model } = await talk([reply().text('First answer.').wait(gate), reply().text('Second answer.')])
    await say(zotui, 'first question')
    await zotui.see('First answer.')
    await say(zotui, 'second question')
    await zotui.see(/queued/i)
    expect(model.requests).toHaveLength(1)
    gate.release()
    await zotui.see('Second answer.')
    await idle(zotui)
    zotui.committedOnce(['First answer.', 'Second answer.'])
  })

  test('a flood of output does not freeze the screen or fill it', async () => {
    const { zotui, project } = await talk([
      reply().tool('bash', { command: 'while [ ! -e go ]; do echo $((40 + 2)) flood; done; echo $((40 + 3)) over' }),
      reply().text('That was much.'),
    ])
    await say(zotui, 'flood')
    await zotui.see('42 flood')
    const before = zotui.bytes().length
    await zotui.type('still here')
    await zotui.see('still here')
    expect(zotui.bytes().length - before).toBeLessThan(100_000)
    writeFileSync(path.join(project, 'go'), '')
    expect(existsSync(path.join(project, 'go'))).toBe(true)
    await zotui.see('That was much.')
    await idle(zotui)
  })
})

async function sleeperOf(zotui: Screen) {
  // The shell that was told to sleep has the words in its command line too.
  const find = () => zotui.children().find(({ command }) => command === 'sleep 31337')
  await zotui.until('the sleeping command', { check: () => find() !== undefined })
  const found = find()
  if (!found) throw new Error('it woke up')
  return found
}
