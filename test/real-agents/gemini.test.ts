/** The history of a real Gemini, most of which it sends after it has answered that the session is open. */
import { readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { reply } from '../helpers/model.ts'
import { gemini, isInstalled } from './agents.ts'
import { converse, ofType, sent, textOf, type Conversation } from './converse.ts'

/** A conversation of two turns in a process that has ended. */
async function talked(): Promise<Conversation & { id: string }> {
  const talk = await converse(gemini, [
    reply().text('Noted.'),
    reply().tool(...gemini.shell('touch ran.txt')),
    reply().text('It ran.'),
  ])
  await talk.turn('my colour is blue')
  const done = talk.turn('run it')
  const request = await talk.until('permission_requested')
  talk.backend.answerPermission(request.id, { answer: 'allow' })
  await done
  const { id } = await talk.until('agent_session_opened')
  await talk.close()
  grow(talk.home)
  return { ...talk, id }
}

/** Makes its sessions older: one that is opened in the minute in which it began loses its messages. */
function grow({ path: home }: Home): void {
  const chats = path.join(home, '.gemini', 'tmp', 'project', 'chats')
  for (const file of readdirSync(chats)) {
    const older = file.replace(/^session-[\dT-]{16}/, 'session-2026-01-01T00-00')
    renameSync(path.join(chats, file), path.join(chats, older))
  }
}

describe.skipIf(!isInstalled(gemini))('gemini', () => {
  test('tells the history of a session as history', async () => {
    const { home, model, id } = await talked()
    const talk = await converse(gemini, [], { home, model })
    const from = talk.events.length
    expect(await talk.backend.openSession(id)).toMatchObject({ ok: true })
    const history = talk.events.slice(from)
    expect(ofType(history, 'prompt_sent')).toMatchObject([
      { text: 'my colour is blue', remembered: true },
      { text: 'run it', remembered: true },
    ])
    expect(textOf(history)).toBe('Noted.It ran.')
    expect(ofType(history, 'turn_ended')).toHaveLength(2)
    model.say(reply().text('Blue.'))
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(ofType(talk.events, 'remark_made')).toEqual([])
  })

  test('continues with its session at once, and repeats nothing of it', async () => {
    const { home, model, id } = await talked()
    model.say(reply().text('Blue.'))
    const talk = await converse(gemini, [], { home, model, session: { id } })
    expect(talk.told('agent_session_opened')).toMatchObject([{ id, remembers: true }])
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(sent(await model.request(4))).toContain('my colour is blue')
    expect(ofType(talk.events, 'prompt_sent')).toHaveLength(1)
    expect(ofType(talk.events, 'remark_made')).toEqual([])
  })
})
