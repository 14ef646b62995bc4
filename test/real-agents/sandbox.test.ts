/** A real agent in the sandbox: what it and its commands can do there, and what not. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { reply, startModel, type Model } from '../helpers/model.ts'
import { program } from '../stories/stage.ts'
import { aside, installed, type RealAgent } from './agents.ts'
import { converse, ofType, onRealAgents, runs, type Conversation } from './converse.ts'

/** Lets the agent run what it asks about, and gives its turn. */
async function allowing(talk: Conversation, prompt: string) {
  const done = talk.turn(prompt)
  const { id, options } = await talk.until('permission_requested', ({ wants }) => wants === undefined)
  const once = options?.find(({ kind }) => kind === 'allow_once')
  talk.backend.answerPermission(id, { answer: 'option', option: once?.id ?? '' })
  return done
}

/** What the call printed, as the model is told. */
async function told(talk: Conversation): Promise<string> {
  const { body } = await talk.model.request(2)
  return JSON.stringify(body)
}

const settingsOf = ({ name }: RealAgent): string => (name === 'codex' ? '.codex/config.toml' : '.claude/settings.json')

onRealAgents('in the sandbox', agent => {
  test('writes in the folder with its own tool', async () => {
    const home = makeHome()
    const file = path.join(home.project, 'note.txt')
    const talk = await converse(agent, [reply().tool(...agent.write(file, 'a line')), reply().text('Done.')], {
      home,
      rules: {},
    })
    expect((await allowing(talk, 'take a note')).text).toBe('Done.')
    expect(readFileSync(file, 'utf8')).toBe('a line\n')
  })

  test('runs commands that change the folder, and nothing else', async () => {
    const home = makeHome()
    writeFileSync(path.join(home.path, 'mine.txt'), 'mine')
    const temporary = path.join(tmpdir(), `zotui-outside-${process.pid}-${agent.name}`)
    const command = [
      'echo in > in.txt',
      'echo out > ~/out.txt',
      'echo changed > ~/mine.txt',
      `echo out > ${temporary}`,
      `echo evil >> ~/${settingsOf(agent)} || echo cannot change settings`,
      'cat /proc/*/environ | tr "\\0" "\\n" | grep -c ^ELSEWHERE_SECRET=',
      'ls /proc | grep -c "^[0-9]*$"',
    ].join('; ')
    const talk = await converse(agent, [reply().tool(...agent.shell(command)), reply().text('Done.')], {
      home,
      rules: {},
      env: { ELSEWHERE_SECRET: 'x' },
    })
    const before = readFileSync(path.join(home.path, settingsOf(agent)), 'utf8')
    expect((await allowing(talk, 'run it')).text).toBe('Done.')
    expect(readFileSync(path.join(home.project, 'in.txt'), 'utf8')).toBe('in\n')
    expect(existsSync(path.join(home.path, 'out.txt'))).toBe(false)
    expect(existsSync(temporary)).toBe(false)
    expect(readFileSync(path.join(home.path, 'mine.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(path.join(home.path, settingsOf(agent)), 'utf8')).toBe(before)
    const output = await told(talk)
    expect(output).toMatch(/Read-only file system|cannot change settings/)
    expect(output).toMatch(/\\n0\\n\d{1,2}\b/)
  })

  test('asks about a host, and the connection is refused with the answer', async () => {
    const command = `curl -sw 'code %{http_code}' http://elsewhere.example/`
    const talk = await converse(agent, [reply().tool(...agent.shell(command)), reply().text('Done.')], {
      rules: {},
    })
    const done = allowing(talk, 'fetch it')
    const request = await talk.until('permission_requested', ({ wants }) => wants !== undefined)
    expect(request).toMatchObject({
      callId: null,
      tool: 'network',
      wants: { kind: 'host', host: 'elsewhere.example', port: 80 },
    })
    talk.backend.answerPermission(request.id, { answer: 'refuse', words: '' })
    expect((await done).text).toBe('Done.')
    expect(await told(talk)).toContain('code 403')
    const decided = ofType(talk.events, 'permission_decided').find(({ id }) => id === request.id)
    expect(decided).toMatchObject({ allowed: false, by: 'user' })
  })

  test('asks about what it has left after its turn', async () => {
    const talk = await converse(agent, [reply().tool(...agent.shell('echo evil > .envrc')), reply().text('Done.')], {
      rules: {},
    })
    await allowing(talk, 'run it')
    const { id, wants } = await talk.until('permission_requested', ({ wants: want }) => want?.kind === 'left')
    expect(wants).toMatchObject({ places: [{ path: path.join(talk.home.project, '.envrc'), isNew: true }] })
    talk.backend.answerPermission(id, { answer: 'refuse', words: '' })
    await talk.until('permission_decided', event => event.id === id)
  })

  test('asks about no host of its own', async () => {
    const talk = await converse(agent, [reply().text('Hello.')], { rules: {} })
    expect((await talk.turn('hello')).text).toBe('Hello.')
    expect(talk.told('permission_requested')).toEqual([])
  })

  test('leaves no process, also where a command has left its session', async () => {
    const command = 'setsid sleep 31340 & touch begun; sleep 31341'
    const talk = await converse(agent, [reply().tool(...agent.shell(command)), reply().text('Never.')], { rules: {} })
    const done = allowing(talk, 'sleep')
    await expect.poll(() => runs('sleep 31341'), { timeout: 10_000 }).toBe(true)
    await talk.backend.kill()
    await done
    await expect.poll(() => runs('sleep 3134'), { timeout: 5000 }).toBe(false)
  })

  test('starts again in a new one, and still has its sessions', async () => {
    const home: Home = makeHome()
    const talk = await converse(agent, [reply().text('Noted.'), reply().text('It is blue.')], { home, rules: {} })
    await talk.turn('my colour is blue')
    const { id } = await talk.until('agent_session_opened')
    expect(await talk.backend.replace({}, { id })).toMatchObject({ ok: true })
    expect((await talk.turn('which colour')).text).toBe('It is blue.')
    expect(JSON.stringify((await talk.model.request(2)).body)).toContain('my colour is blue')
  })

  test('is not started without a network', async () => {
    const talk = await converse(agent, [], { rules: { level: 'closed' } })
    expect(talk.told('agent_ended')).toMatchObject([
      { expected: false, reason: expect.stringContaining('could not reach its model') },
    ])
    expect(talk.told('agent_started')).toEqual([])
  })

  const printing =
    (home: Home, model: Model) =>
    (...args: readonly string[]) =>
      execa(process.execPath, [program, '--agent', agent.name, '--sandbox', 'on', '-p', ...args], {
        cwd: home.project,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        env: environment(home.path, {
          ...agent.settle(home, { url: model.url, key: true }),
          PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
          XDG_CACHE_HOME: path.join(home.path, '.cache'),
        }),
      })

  test('answers with -p', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const model = await startModel([reply().text('It is there.')], { aside })
    const { exitCode, stdout } = await printing(home, model)('where is it?')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'It is there.' })
  })

  test.skipIf(agent.name !== 'codex')('runs commands unasked in the mode without its own sandbox', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const cmd = 'echo in > in.txt; echo out > ~/out.txt; curl -s http://elsewhere.example/'
    const model = await startModel([reply().tool('exec_command', { cmd }), reply().text('It ran.')], { aside })
    const { exitCode, stderr } = await printing(home, model)('--permissions', 'allow', 'run it')
    expect(readFileSync(path.join(home.project, 'in.txt'), 'utf8')).toBe('in\n')
    expect(existsSync(path.join(home.path, 'out.txt'))).toBe(false)
    expect(stderr).toContain('elsewhere.example')
    expect(exitCode).toBe(3)
  })
})
