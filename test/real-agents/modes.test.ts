/** The mode of a real agent: it asks from the first prompt on, whatever mode it begins in. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentOption } from '../../src/agent/session-events.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { program } from '../stories/stage.ts'
import { aside, installed } from './agents.ts'
import { converse, onRealAgents, type Conversation } from './converse.ts'

const modeOf = (talk: Conversation): AgentOption['value'] | undefined =>
  talk
    .told('options_changed')
    .at(-1)
    ?.options.find(({ category }) => category === 'mode')?.value

onRealAgents('its mode', agent => {
  const row =
    agent.name === 'claude' ? { asks: 'default', reads: 'plan' } : { asks: 'read-only', reads: 'workspace-write' }

  test('asks before the first command', async () => {
    const talk = await converse(agent, [reply().tool(...agent.shell('touch ran.txt')), reply().text('As you wish.')])
    expect(modeOf(talk)).toBe(row.asks)
    const done = talk.turn('run it')
    const request = await talk.until('permission_requested')
    expect(existsSync(path.join(talk.home.project, 'ran.txt'))).toBe(false)
    talk.backend.answerPermission(request.id, { answer: 'refuse', words: '' })
    await done
    expect(existsSync(path.join(talk.home.project, 'ran.txt'))).toBe(false)
  })

  test('that the user chose is set again in a new session, a resumed one and a copy', async () => {
    const talk = await converse(agent, [reply().text('One.'), reply().text('Two.')])
    await talk.turn('first')
    const id = talk.told('agent_session_opened')[0]?.id ?? ''
    await talk.backend.setOption('mode', row.reads)
    const again: (() => Promise<unknown> | undefined)[] = [
      () => talk.backend.clear(),
      () => talk.backend.resumeSession({ id, copy: true }),
      () => talk.backend.resumeSession({ id }),
      () => talk.backend.openSession(id),
    ]
    for (const open of again) {
      await open()
      expect(modeOf(talk)).toBe(row.reads)
      expect(talk.backend.unasked()).toBeNull()
    }
    expect((await talk.turn('second')).text).toBe('Two.')
  })

  test('lets -p run nothing that nobody allowed', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const model = await startModel([reply().tool(...agent.shell('touch ran.txt')), reply().text('Done.')], { aside })
    const { exitCode, stderr } = await execa(process.execPath, [program, '--agent', agent.name, '-p', 'run it'], {
      cwd: home.project,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      env: environment(home.path, {
        ...agent.settle(home, { url: model.url, key: true }),
        ZOTUI_PERMISSIONS: undefined,
        PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
        XDG_CACHE_HOME: path.join(home.path, '.cache'),
      }),
    })
    expect(stderr).toContain('refused touch ran.txt: cannot ask: it may change something')
    expect(stderr).toContain(
      `-p cannot ask. ${agent.name} asks by its own rules, so allow rules of zotui do not count.`,
    )
    expect(existsSync(path.join(home.project, 'ran.txt'))).toBe(false)
    expect(exitCode).toBe(3)
  })
})
