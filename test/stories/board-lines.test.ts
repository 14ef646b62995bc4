/** `zotui board --json` on real conversations: in the background, in a UI, and on another machine behind a real sshd. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { environment, fill } from '../helpers/home.ts'
import { sshdPath, startSshd } from '../helpers/sshd.ts'
import { follow, linesOf, rowsIn } from './board-follow.ts'
import { begin, demoHome, inState, zotui } from './holders.ts'
import { openDemo, program, send } from './stage.ts'

describe.skipIf(process.platform === 'win32')('the board', () => {
  test('lists a conversation in the background and one in a UI, answers its question, and the second answer hears of the first', async () => {
    const { home, env } = demoHome()
    const id = await begin(home, ['--demo', '--permissions', 'ask', 'write'], env)
    await inState(home, 'asks')
    await openDemo({ home, env })
    const { code, stdout } = await zotui(home, ['board', '--json'], env)
    const lines = linesOf(stdout)
    expect([code, lines[0]?.type, lines.at(-1)?.type]).toEqual([0, 'board', 'listed'])
    expect(
      rowsIn(lines)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['background', 'ui'])
    const row = rowsIn(lines).find(({ kind }) => kind === 'background')
    const question = row?.questions[0]
    expect(row).toMatchObject({ attach: id, state: 'asks' })
    expect(question?.text).toContain('hello.html')
    const answer = { do: 'answer', question: question?.id, digest: question?.digest, allow: true }
    const [first, second] = [follow(home), follow(home)]
    await Promise.all([first, second].map(each => each.until(all => all.find(({ type }) => type === 'listed'))))
    // A question that has just come takes no answer yet.
    let number = 0
    const done = async () => {
      number += 1
      return first.ask(number, row?.id ?? '', answer)
    }
    await expect.poll(done, { timeout: 10_000 }).toMatchObject({ reply: { ok: true } })
    const late = await second.ask(1, row?.id ?? '', answer)
    expect(late).toMatchObject({ reply: { ok: false } })
    expect(late.type === 'reply' && !late.reply.ok && late.reply.why).toMatch(/answered|gone/)
    await first.until(all => {
      const last = rowsIn(all).findLast(({ kind }) => kind === 'background')
      return last?.questions.some(({ id: still }) => still === question?.id) === false ? last : undefined
    })
    first.child.stdin.end()
    expect(await first.ended).toBe(0)
  })

  test('a UI is not asked about a board that looks, and is asked when it wants to answer', async () => {
    const { home, env } = demoHome()
    const ui = await openDemo({ home, env: { ...env, ZOTUI_PERMISSIONS: 'ask' } })
    await send(ui, 'write')
    await ui.see('Create hello.html?')
    const board = follow(home)
    const row = await board.until(all => rowsIn(all).find(({ questions }) => questions.length > 0))
    expect(ui.screen().join('\n')).not.toContain('asks for your yes')
    const [question] = row.questions
    const answer = { do: 'answer', question: question?.id, digest: question?.digest, allow: true }
    expect(await board.ask(1, row.id, answer)).toMatchObject({ reply: { ok: false, why: 'needs_yes' } })
    // The person there answers what is open first.
    await ui.see('Create hello.html?')
    await ui.press('n')
    await ui.seeInHistory('A board in another terminal asks for your yes: /serve')
  })

  test('its reader may leave, and flags that do not go together are named', async () => {
    const { home, env } = demoHome()
    const board = follow(home, [], env)
    await board.until(all => all.find(({ type }) => type === 'listed'))
    board.child.stdout.destroy()
    board.child.stdin.write('{"id":1,"row":"x","action":{"do":"stop"}}\n')
    expect(await board.ended).toBe(0)
    expect(await zotui(home, ['board', '--json', '--requests'], env)).toMatchObject({ code: 2 })
    expect(await zotui(home, ['board', '--follow'], env)).toMatchObject({ code: 2 })
  })

  test('ends within two seconds, with a host that hangs', async () => {
    const { home, env } = demoHome()
    fill(home, { '.config/zotui/config.json': '{"boardHosts":["far"]}', 'bin/ssh': '#!/bin/sh\nexec sleep 60\n' })
    chmodSync(join(home.path, 'bin', 'ssh'), 0o700)
    const began = Date.now()
    const { code, stdout } = await zotui(home, ['board', '--json'], {
      ...env,
      PATH: `${join(home.path, 'bin')}:/usr/bin:/bin`,
    })
    expect([code, linesOf(stdout).at(-1)?.type]).toEqual([0, 'listed'])
    expect(Date.now() - began).toBeLessThan(8000)
    expect(linesOf(stdout).find(({ type }) => type === 'host')).toMatchObject({ host: 'ssh:far', state: 'connecting' })
  })

  test.skipIf(sshdPath === null)(
    'a conversation on another machine is answered through a real sshd, and the machine may die',
    async () => {
      const far = demoHome()
      const bin = join(far.home.path, '.local', 'bin')
      mkdirSync(bin, { recursive: true })
      writeFileSync(join(bin, 'zotui'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
      await begin(far.home, ['--demo', '--permissions', 'ask', 'write'], far.env)
      await inState(far.home, 'asks')
      const { home } = demoHome()
      const sshd = await startSshd(join(home.path, 's'), { ...environment(far.home.path), PATH: '/usr/bin:/bin' })
      fill(home, { '.config/zotui/config.json': '{"boardHosts":["far"]}' })
      const board = follow(home, [], { PATH: `${sshd.bin}:/usr/bin:/bin` })
      const row = await board.until(all => rowsIn(all, 'ssh:far').find(({ questions }) => questions.length > 0))
      expect(row).toMatchObject({ state: 'asks', kind: 'background' })
      await board.until(all => all.find(line => line.type === 'host' && line.state === 'connected'))
      const [question] = row.questions
      const answer = { do: 'answer', question: question?.id, digest: question?.digest, allow: true }
      let number = 0
      const asked = async () => {
        number += 1
        return board.ask(number, row.id, answer, 'ssh:far')
      }
      // A question that has just come takes no answer yet.
      await expect.poll(async () => JSON.stringify(await asked()), { timeout: 10_000 }).toContain('"ok":true')
      expect(await asked()).toMatchObject({ reply: { ok: false } })
      await board.until(all => {
        const last = rowsIn(all, 'ssh:far').at(-1)
        return last?.questions.some(({ id }) => id === question?.id) === false ? last : undefined
      })
      // In this order: what a server that has ended had started is not found any more.
      sshd.cut()
      sshd.stop()
      await board.until(all => all.find(line => line.type === 'host' && line.state === 'lost'))
      expect(await asked()).toMatchObject({ reply: { ok: false } })
      board.child.stdin.end()
      expect(await board.ended).toBe(0)
    },
  )
})
