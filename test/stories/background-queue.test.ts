/** The queue of a conversation in the background: it is in the process that has the conversation, and all UIs show that one. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { allEnded, attach, begin, holders, homeOf, listed, zotui } from './holders.ts'
import { installZot, send } from './stage.ts'

/** A command that runs until the file is there. */
const until = (file: string) => ({
  calls: [{ id: file, name: 'bash', args: { command: `until [ -e ${file} ]; do sleep 0.05; done` } }],
})

function scripted(...steps: readonly object[]): { home: Home; env: Record<string, string> } {
  const { home, env } = homeOf('echo')
  const script = join(home.path, 'script.json')
  writeFileSync(script, JSON.stringify(steps))
  return { home, env: { ...env, ZOTUI_ZOT: installZot(home, 'guardable'), ZOT_SCRIPT: script } }
}

const finish = (home: Home, file: string): void => writeFileSync(join(home.project, file), '')

/** The prompts of a session, in their order in its transcript. */
async function shown(home: Home, id: string, env: Record<string, string>): Promise<string> {
  return (await zotui(home, ['show', id], env)).stdout
}

const queueFiles = (home: Home): string[] =>
  readdirSync(join(home.path, '.local', 'state', 'zotui', 'sessions'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.queue.json'))

describe('the queue of a conversation in the background', () => {
  test('is the same in two UIs, which both change it, and goes on when none is left', async () => {
    const { home, env } = scripted(
      until('one'),
      { text: 'First answer.' },
      { text: 'Second answer.' },
      { text: 'Third.' },
    )
    const id = await begin(home, ['first'], env)
    const [one, two] = await Promise.all([attach(home, id), attach(home, id)])
    await Promise.all([one.see('until'), two.see('until')])
    await send(one, 'second words')
    await two.see('second words')
    await send(two, 'third words')
    await one.see('third words')
    await two.press('up')
    await one.gone(/third words/)
    await two.type(' and more')
    await two.press('enter')
    await one.see('third words and more')
    expect(queueFiles(home)).toHaveLength(1)
    process.kill(one.itself().pid, 'SIGKILL')
    await two.press('ctrl+d')
    await two.exit()
    finish(home, 'one')
    await allEnded(home)
    expect(await shown(home, id, env)).toMatch(
      /First answer[^]*second words[^]*Second answer[^]*third words and more[^]*Third/,
    )
    expect(queueFiles(home)).toEqual([])
  })

  test('is there again after a kill of its process, and waits for the user', async () => {
    const { home, env } = scripted(until('one'), { text: 'After all.' })
    const id = await begin(home, ['first'], env)
    const one = await open({ home, env, args: ['attach', id], columns: 160, rows: 60 })
    await one.see('until')
    await send(one, 'kept words')
    await one.see('kept words')
    await one.until('it on the disk', { check: () => queueFiles(home).length === 1 })
    const [holder] = holders(home)
    process.kill(holder?.pid ?? 0, 'SIGKILL')
    await one.seeInHistory('The process in the background is gone')
    await send(one, '/restart')
    await one.until('another process', { check: () => holders(home).some(({ pid }) => pid !== holder?.pid) })
    await one.see(/anthropic\/sonnet/)
    await one.see(/paused[^]*kept words|kept words[^]*paused/)
    writeFileSync(join(home.path, 'script.json'), JSON.stringify([{ text: 'After all.' }]))
    await one.press('enter')
    await one.see('After all.')
    expect(queueFiles(home)).toEqual([])
  })

  test('comes with its session into a UI that resumes it', async () => {
    const { home, env } = scripted(until('one'))
    const id = await begin(home, ['first'], env)
    const one = await attach(home, id)
    await one.see('until')
    await send(one, 'kept words')
    await one.until('it on the disk', { check: () => queueFiles(home).length === 1 })
    const [holder] = holders(home)
    process.kill(holder?.pid ?? 0, 'SIGKILL')
    await one.seeInHistory('The process in the background is gone')
    one.forget()
    await one.press('ctrl+d')
    await one.exit()
    expect(await listed(home)).toEqual([])
    const resumed = await open({ home, env, args: ['--resume', id] })
    await resumed.see(/paused[^]*kept words|kept words[^]*paused/)
    expect(queueFiles(home)).toEqual([])
    // Its agent is still starting.
    await expect
      .poll(
        async () => {
          await resumed.press('enter')
          return resumed.history().join('\n')
        },
        { timeout: 15_000, interval: 300 },
      )
      .toContain('▌ kept words')
  })

  test('has a command of zotui run by a UI, after the running turn and before the next prompt', async () => {
    const { home, env } = scripted(until('one'), { text: 'First.' }, { text: 'Once more.' }, { text: 'Last.' })
    const id = await begin(home, ['first'], env)
    const one = await attach(home, id)
    await one.see('until')
    await send(one, '/retry')
    await one.see('/retry')
    await send(one, 'last words')
    await one.see('last words')
    finish(home, 'one')
    await one.seeInHistory('Last.')
    expect(await shown(home, id, env)).toMatch(/First\.[^]*first[^]*Once more\.[^]*last words[^]*Last\./)
  })
})
