/** A turn of a real agent: text, thoughts, calls with permission, edits, and stopping them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hold, reply } from '../helpers/model.ts'
import { converse, ofType, onRealAgents, runs, sent, type Conversation } from './converse.ts'

/** Answers the next permission by the kind of an option, and gives the request. */
async function answer(talk: Conversation, kind: string) {
  const request = await talk.until('permission_requested', () => true, talk.events.length)
  const option = request.options?.find(offered => offered.kind === kind)
  if (!option) throw new Error(`no ${kind} among ${JSON.stringify(request.options)}`)
  talk.backend.answerPermission(request.id, { answer: 'option', option: option.id })
  return request
}

onRealAgents('a turn', agent => {
  test('tells thoughts, text, and tokens', async () => {
    const said = reply().thought('I should ', 'think.').text('Hello ', 'world.')
    const talk = await converse(agent, [said.using({ input: 1000, output: 40, cacheRead: 200 })])
    const turn = await talk.turn('say hello')
    expect(turn.text).toBe('Hello world.')
    const thoughts = ofType(turn.events, 'thought_received').map(({ text }) => text)
    expect(thoughts.join('').trim()).toBe('I should think.')
    expect(turn.ended?.stop).toBeUndefined()
    expect(ofType(turn.events, 'usage_reported')).toMatchObject([
      { usage: { input: 1000, output: 40, cacheRead: 200 } },
    ])
    expect(ofType(turn.events, 'context_reported').at(-1)).toMatchObject({ used: 1240, size: expect.any(Number) })
    expect(sent(await talk.model.request(1))).toContain('say hello')
  })

  test('asks before a command, and shows its output and failure', async () => {
    const command = 'sleep 0.5; echo $((40 + 2)) begun; echo $((40 + 3)) > out.txt; exit 3'
    const talk = await converse(agent, [reply().tool(...agent.shell(command)), reply().text('It ran.')])
    const done = talk.turn('run it')
    const request = await answer(talk, 'allow_once')
    expect(request).toMatchObject({ kind: 'command', command })
    const turn = await done
    expect(turn.text).toBe('It ran.')
    expect(ofType(turn.events, 'permission_decided')).toMatchObject([{ id: request.id, allowed: true, by: 'user' }])
    const [finished] = ofType(turn.events, 'tool_finished')
    expect(finished).toMatchObject({ id: request.callId, failed: true })
    expect(JSON.stringify(finished?.content)).toContain('42 begun')
    expect(readFileSync(path.join(talk.home.project, 'out.txt'), 'utf8')).toBe('43\n')
  })

  test('runs nothing that was refused', async () => {
    const script = [reply().tool(...agent.shell('echo $((40 + 2)) > out.txt'))]
    if (agent.goesOnRefused) script.push(reply().text('As you wish.'))
    const talk = await converse(agent, script)
    const done = talk.turn('run it')
    await answer(talk, 'reject_once')
    const turn = await done
    expect(turn.text).toBe(agent.goesOnRefused ? 'As you wish.' : '')
    expect(ofType(turn.events, 'permission_decided')).toMatchObject([{ allowed: false, by: 'user' }])
    expect(ofType(turn.events, 'tool_finished')).toMatchObject([{ failed: true }])
    expect(existsSync(path.join(talk.home.project, 'out.txt'))).toBe(false)
  })

  test('shows a diff for an edit, and stops asking after "always"', async () => {
    const talk = await converse(agent, [])
    const file = path.join(talk.home.project, 'note.txt')
    talk.model.say(
      reply().tool(...agent.write(file, 'first')),
      reply().tool(...agent.edit(file, 'first', 'second')),
      reply().text('Both done.'),
    )
    const done = talk.turn('take a note')
    const request = await answer(talk, 'allow_always')
    const turn = await done
    expect(turn.text).toBe('Both done.')
    expect(request.kind).toBe('edit')
    expect(ofType(turn.events, 'permission_requested')).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe('second\n')
    const diffs = ofType(turn.events, 'tool_described').flatMap(({ diff }) => diff ?? [])
    expect(diffs.map(diff => path.basename(diff.path))).toContain('note.txt')
    expect(diffs[0]?.after.trim()).toBe('first')
    expect(diffs.at(-1)?.after.trim()).toBe('second')
    expect(ofType(turn.events, 'tool_finished').every(({ failed }) => !failed)).toBe(true)
  })

  test('stops in the middle of a text, and continues with the next prompt', async () => {
    const talk = await converse(agent, [
      reply().text('It begins. ').wait(hold()).text('Never said.'),
      reply().text('Here again.'),
    ])
    const done = talk.turn('talk at length')
    await talk.until('text_received')
    talk.backend.abort()
    const turn = await done
    expect(turn.text).toBe('It begins. ')
    await (
      await talk.model.request(1)
    ).abandoned
    expect((await talk.turn('are you there')).text).toBe('Here again.')
  })

  test('stops a command for good', async () => {
    const talk = await converse(agent, [
      reply().tool(...agent.shell('touch begun; sleep 31337; touch ended')),
      reply().text('Here again.'),
    ])
    const done = talk.turn('sleep')
    await answer(talk, 'allow_once')
    await expect.poll(() => runs('sleep 31337'), { timeout: 10_000 }).toBe(true)
    talk.backend.abort()
    expect(await done).toMatchObject({ text: '', ended: expect.anything() })
    await expect.poll(() => runs('sleep 31337'), { timeout: 10_000 }).toBe(false)
    expect((await talk.turn('are you there')).text).toBe('Here again.')
  })

  test('stops a command for good that has run for a while', async () => {
    const talk = await converse(agent, [
      reply().tool(...agent.shell('sleep 0.5; touch begun; sleep 31338; touch ended')),
      reply().text('Here again.'),
    ])
    const done = talk.turn('sleep')
    await answer(talk, 'allow_once')
    const begun = () => existsSync(path.join(talk.home.project, 'begun'))
    await expect.poll(begun, { timeout: 10_000 }).toBe(true)
    talk.backend.abort()
    await done
    await expect.poll(() => runs('sleep 31338'), { timeout: 10_000 }).toBe(false)
    expect(existsSync(path.join(talk.home.project, 'ended'))).toBe(false)
    expect((await talk.turn('are you there')).text).toBe('Here again.')
  })

  test.skipIf(agent.name !== 'codex')('tells of a command that it leaves running, lists it, and ends it', async () => {
    const [name, input] = agent.shell('touch begun; sleep 31339; touch ended')
    const background = reply().tool(name, { ...(input as object), yield_time_ms: 300 })
    const talk = await converse(agent, [background, reply().text('It runs. ').wait(hold())])
    const done = talk.turn('sleep')
    await answer(talk, 'allow_once')
    await talk.until('text_received')
    talk.backend.abort()
    await done
    expect(await talk.until('remark_made', ({ hint }) => hint !== null)).toMatchObject({
      text: 'codex has left a command running: touch begun; sleep 31339; touch ended',
      hint: '/running ends it',
    })
    const running = await talk.backend.listRunning()
    expect(running).toMatchObject([{ command: 'touch begun; sleep 31339; touch ended', callId: null }])
    expect(await talk.backend.endRunning(running?.[0]?.pid ?? 0)).toMatchObject({ ok: true })
    await expect.poll(() => runs('sleep 31339'), { timeout: 10_000 }).toBe(false)
    expect(await talk.backend.listRunning()).toEqual([])
  })

  test.skipIf(agent.name !== 'claude')('asks with what each choice means', async () => {
    const options = [
      { label: 'Blue', description: 'the sky' },
      { label: 'Red', description: 'the rose' },
    ]
    const question = { question: 'Which colour?', header: 'Colour', options, multiSelect: false }
    const talk = await converse(agent, [
      reply().tool('AskUserQuestion', { questions: [question] }),
      reply().text('Red it is.'),
    ])
    const done = talk.turn('ask me')
    const { id, fields } = await talk.until('question_asked')
    expect(fields[0]).toMatchObject({
      label: 'Colour',
      choices: [
        { label: 'Blue', about: 'the sky' },
        { label: 'Red', about: 'the rose' },
      ],
    })
    talk.backend.answerQuestion(id, { [fields[0]?.name ?? '']: 'Red' }, 'given')
    expect((await done).text).toBe('Red it is.')
  })

  test('withdraws a question when the turn is stopped', async () => {
    // The agent may ask the model once more before it stops.
    const again = [reply().text('Here again.'), reply().text('Here again.')]
    const talk = await converse(agent, [reply().tool(...agent.shell('echo no > out.txt')), ...again])
    const done = talk.turn('run it')
    await talk.until('permission_requested')
    talk.backend.abort()
    const turn = await done
    expect(ofType(turn.events, 'permission_decided')).toMatchObject([{ allowed: false, by: 'end' }])
    expect(existsSync(path.join(talk.home.project, 'out.txt'))).toBe(false)
    expect((await talk.turn('are you there')).text).toBe('Here again.')
  })
})
