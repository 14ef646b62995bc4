/** Several real zots in one zotui: they work at once, one is killed, and one asks beside the others. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { hold, reply } from '../helpers/model.ts'
import { messagesOf, say, talk, zot } from './talk.ts'

const isZot = ({ command }: { command: string }): boolean => command.includes(' rpc')

describe.skipIf(!zot)('several conversations with a real zot', () => {
  test('three work at once, and one that is killed leaves the others alone', async () => {
    const gates = [hold(), hold(), hold()]
    const script = gates.map((gate, at) =>
      reply()
        .text(`Answer ${at + 1} begins`)
        .wait(gate)
        .text(' and ends.'),
    )
    const { zotui, model } = await talk(script)
    await say(zotui, '/settings turnsAtOnce 3')
    await zotui.see(/turnsAtOnce is now 3/)
    await say(zotui, 'first')
    await zotui.see('Answer 1 begins')
    const first = zotui.children().find(isZot)
    await say(zotui, '/spawn second')
    await model.request(2)
    const second = zotui.children().find(child => isZot(child) && child.pid !== first?.pid)
    await say(zotui, '/spawn third')
    await model.request(3)
    await zotui.see(/2◐ 3◐/)
    expect(zotui.children().filter(isZot)).toHaveLength(3)
    // Each model is told its own conversation alone.
    const prompts = model.requests.map(request => JSON.stringify(messagesOf(request)))
    expect(prompts.map(prompt => /first|second|third/.exec(prompt)?.[0])).toEqual(['first', 'second', 'third'])

    process.kill(second?.pid ?? 0, 'SIGKILL')
    await zotui.see(/2✗ 3◐/)
    for (const gate of gates) gate.release()
    await zotui.see('Answer 1 begins and ends.')
    await zotui.see(/2✗ 3●/)
    await say(zotui, '/conversations 3')
    await zotui.see('Answer 3 begins and ends.')
    expect(zotui.history().join('\n')).not.toContain('Answer 2')
  })

  test('a side question is told the conversation, while the turn goes on', async () => {
    const gate = hold()
    const { zotui, model } = await talk([
      reply().text('The turn begins').wait(gate).text(' and ends.'),
      reply().text('Because of the otters.'),
    ])
    await say(zotui, 'count the herons')
    await zotui.see('The turn begins')
    await say(zotui, '/btw why are there none?')
    await zotui.see('Because of the otters.')
    expect(JSON.stringify((await model.request(2)).body)).toContain('count the herons')
    // A key that comes too soon after the panel was meant for something else.
    await zotui.see(/› 3 Close/)
    await zotui.press('esc')
    await zotui.gone('otters')
    gate.release()
    await zotui.see('The turn begins and ends.')
    expect(zotui.history().join('\n')).not.toContain('otters')
  })
})
