/** A user talks to a roz server, whose model calls the tools of zotui. */
import process from 'node:process'
import { status } from '@grpc/grpc-js'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { KEY, startFakeRoz, type FakeRoz, type FakeRozOptions } from '../agents/roz/fake-server.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { expectAllowedCommand, expectNothingInPlanMode, program, send } from './stage.ts'

/** Carries a command out, and says whether it ran. */
const runs: FakeRozOptions = {
  onPrompt: (session, text) => session.call('c1', 'bash', { command: text }),
  onRequest(session, { tool_result: result }) {
    if (result) session.answer(result.success ? 'It ran.' : 'It did not run.')
    return result !== undefined
  },
}

async function openRoz(fake: FakeRoz, size = {}): Promise<Screen> {
  const args = ['--agent', 'roz', '--base-url', fake.url]
  const zotui = await open({ args, env: { ROZ_API_KEY: KEY, ZOTUI_PERMISSIONS: 'ask' }, ...size })
  await zotui.see(/Enter sends/)
  await zotui.see(/standard/)
  return zotui
}

test('a command of the model waits for the user, and runs here once it is allowed; in plan mode nothing is asked, and nothing runs', async () => {
  const zotui = await openRoz(await startFakeRoz(runs))
  await expectNothingInPlanMode(zotui)
  await expectAllowedCommand(zotui)
})

test('a lost connection is reported in one line, and the conversation continues', async () => {
  const fake = await startFakeRoz()
  const zotui = await openRoz(fake)
  await send(zotui, 'one')
  await zotui.see('You said: one.')
  fake.session.end(status.UNAVAILABLE, 'the server restarts')
  await zotui.see(/sent it the conversation so far \(1 turn\)/)
  await send(zotui, 'two')
  await zotui.see('You said: two.')
  await zotui.close()
})

test('the working line says what the agent does, and a team has a panel', async () => {
  const fake = await startFakeRoz({
    onWatch(_task, say) {
      say({ worker_started: { worker_id: 'arm', about: 'robot-7' } })
      say({ worker_tool_call: { worker_id: 'arm', about: 'grasp' } })
    },
    onPrompt(session) {
      session.say('activity_changed', { state: 'planning', reason: 'turn 1 started' })
    },
  })
  const zotui = await openRoz(fake)
  await send(zotui, 'go')
  await zotui.see(/planning .* Esc stops/)
  fake.session.raw({ task_progress: { task_id: 't1', phase: 'act', description: '' } })
  await zotui.see(/team/)
  await zotui.see(/worker .*arm/)
  fake.session.answer('They work.')
  await zotui.see('They work.')
  await zotui.see('1 worker, 1 working.')
  await zotui.close()
})

test('the doctor says whether the server answers, and why not', async () => {
  const fake = await startFakeRoz()
  const home = makeHome()
  const row = async (env: Record<string, string>) => {
    const { stdout } = await execa(process.execPath, [program, 'doctor', '--json'], {
      cwd: home.project,
      env: environment(home.path, { PATH: '/usr/bin:/bin', ...env }),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    })
    const { sections } = JSON.parse(stdout) as {
      sections: { findings: { name: string; found: string; so: string }[] }[]
    }
    const found = sections.flatMap(({ findings }) => findings).find(({ name }) => name === 'roz')
    return `${found?.found}; ${found?.so}`
  }
  expect(await row({})).toMatch(/^no server is set; set ROZ_API_KEY/)
  expect(await row({ ROZ_API_URL: fake.url })).toMatch(/^ROZ_API_KEY is not set; set ROZ_API_KEY/)
  const address = fake.url.slice('http://'.length)
  expect(await row({ ROZ_API_URL: fake.url, ROZ_API_KEY: KEY })).toBe(
    `answers at ${address} and accepts the key; it speaks the protocol of 2026`,
  )
  expect(await row({ ROZ_API_URL: fake.url, ROZ_API_KEY: 'roz_sk_another-key' })).toBe(
    `roz at ${address} does not accept the key; check ROZ_API_KEY`,
  )
  expect(fake.sessions.flatMap(session => session.of('start'))).toEqual([])
  home.remove()
})

test('roz answers without the UI, and a failed start gives the reason', async () => {
  const fake = await startFakeRoz()
  const home = makeHome()
  const run = async (env: Record<string, string>, ...args: string[]) =>
    execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env: environment(home.path, { PATH: '/usr/bin:/bin', ...env }),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    })
  const roz = ['--agent', 'roz', '--base-url', fake.url, '-p', 'hello']
  const answered = await run({ ROZ_API_KEY: KEY }, ...roz)
  expect([answered.stdout.trim(), answered.exitCode]).toEqual(['You said: hello.', 0])
  const unnamed = await run({ ROZ_API_KEY: KEY }, '--agent', 'roz', '-p', 'hello')
  expect([unnamed.stderr, unnamed.exitCode]).toEqual([
    expect.stringMatching(/the address of the roz server is missing/),
    2,
  ])
  const keyless = await run({}, ...roz)
  expect([keyless.stderr, keyless.exitCode]).toEqual([expect.stringMatching(/ROZ_API_KEY is not set/), 2])
  const shown = await run({ ROZ_API_KEY: KEY }, ...roz, '--api-key', 'roz_sk_visible')
  expect([shown.stderr, shown.exitCode]).toEqual([expect.stringMatching(/--api-key has no effect/), 2])
  const recorded = await run({ ROZ_API_KEY: KEY }, ...roz, '--record', 'wire.jsonl')
  expect([recorded.stderr, recorded.exitCode]).toEqual([expect.stringMatching(/--record does not work with roz/), 2])
  const wrong = await run({ ROZ_API_KEY: 'roz_sk_another-key' }, ...roz)
  expect([wrong.stderr, wrong.exitCode]).toEqual([expect.stringMatching(/does not accept the key/), 1])
  expect(wrong.stderr).not.toContain('another-key')
  home.remove()
})
