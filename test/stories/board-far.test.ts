/** The board goes to conversations of another machine, behind a real sshd: the terminal is lent to `zotui attach` there, and comes back. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { environment, fill, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { sshdPath, startSshd, type Sshd } from '../helpers/sshd.ts'
import { answer, askFor, decide } from './board-asks.ts'
import { follow, rowsIn } from './board-follow.ts'
import { allEnded, begin, holders, homeOf, inState, zotui as inShell } from './holders.ts'
import { expectDraft, lastingHome, openIn, program, send } from './stage.ts'

type Machines = { near: Home; far: Home; farEnv: Record<string, string>; sshd: Sshd; asked: () => string[] }

/** A machine with zotui in its `~/.local/bin`, and one here whose board has it. `asked`: what `ssh` was asked for. */
async function twoMachines(agent: string): Promise<Machines> {
  const { home: far, env: farEnv } = homeOf(agent)
  const bin = join(far.path, '.local', 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'zotui'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  const near = lastingHome()
  fill(near, { '.config/zotui/config.json': '{"boardHosts":["far"]}' })
  const sshd = await startSshd(join(near.path, 's'), { ...environment(far.path), PATH: '/usr/bin:/bin' })
  const log = join(near.path, 'asked')
  const ssh = join(sshd.bin, 'ssh')
  const real = readFileSync(ssh, 'utf8').replace('#!/bin/sh\n', '')
  writeFileSync(ssh, `#!/bin/sh\nfor last; do :; done\nprintf '%s %s\\n' "$1" "$last" >> '${log}'\n${real}`)
  chmodSync(ssh, 0o755)
  writeFileSync(log, '')
  return { near, far, farEnv, sshd, asked: () => readFileSync(log, 'utf8').split('\n') }
}

const nearEnv = ({ sshd }: Machines): Record<string, string> => ({ PATH: `${sshd.bin}:/usr/bin:/bin` })

async function openBoard(machines: Machines, title: RegExp): Promise<Screen> {
  const args = ['board']
  const board = await open({ home: machines.near, env: nearEnv(machines), args, columns: 130, rows: 40 })
  await board.see(title)
  // Until all there is listed, nothing can be done with the first rows.
  await board.until('the machine to be in reach', { check: () => !board.screen().join('\n').includes('out of reach') })
  return board
}

/** The commands with a terminal that the board has started there. */
const lent = ({ asked }: Machines): string[] => asked().filter(line => line.startsWith('-t '))

describe.skipIf(sshdPath === null)('a conversation of another machine', () => {
  test('gets the terminal from the board, and gives it back when it is left, or when the connection is lost', async () => {
    const machines = await twoMachines('busy')
    const { far, farEnv, sshd } = machines
    const id = await begin(far, ['stream'], farEnv)
    await inState(far, 'working')
    const board = await openBoard(machines, /› . stream .*ssh:far/)
    await board.press('enter')
    await board.see(/in ssh:far; leaving it comes back to the board/)
    await board.see('And on.')
    expect(lent(machines)).toEqual([expect.stringMatching(new RegExp(`exec zotui attach ${id}'?$`))])
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
    await board.see(/› . stream .*ssh:far/)
    await board.press('enter')
    await board.see(/in ssh:far; leaving it comes back to the board/)
    await board.see(/answering/)
    sshd.cut()
    sshd.stop()
    await board.see(/^ {2}board/m)
    await board.see(/zotui for ssh:far/)
    await board.see(/out of reach \d/)
    // It was left, and goes on.
    expect(await inState(far, 'working')).toMatchObject({ id })
    await board.press('q')
    await board.exit()
    await inShell(far, ['stop', id])
    await allEnded(far)
  })

  test('that a zotui there has open moves to the background after a yes there, and then gets the terminal', async () => {
    const machines = await twoMachines('echo')
    const { far, farEnv } = machines
    const zotui = await openIn(far, { env: farEnv })
    await send(zotui, 'first words')
    await zotui.see('You said: first words')
    const board = await openBoard(machines, /› . first words .*ssh:far/)
    await askFor(board)
    await answer(zotui, board, 'y')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    await askFor(board)
    await board.see(/in ssh:far; leaving it comes back to the board/)
    await board.see('You said: first words')
    const [holder, ...others] = holders(far)
    expect(others).toEqual([])
    expect(lent(machines)).toEqual([expect.stringContaining(`exec zotui attach ${holder?.id}`)])
    await zotui.see('A board in another terminal has moved this conversation to the background')
    await expectDraft(zotui, 'a draft')
    await send(board, 'from afar')
    await zotui.see(/You said: from afar\. Before, you said first words/)
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
    await board.see(/› . first words .*ssh:far/)
  })

  test('is moved by a request to the board here, which passes it on, and its row there can be attached to', async () => {
    const machines = await twoMachines('echo')
    const { near, far, farEnv } = machines
    const zotui = await openIn(far, { env: farEnv })
    await send(zotui, 'first words')
    await zotui.see('You said: first words')
    const board = follow(near, [], nearEnv(machines))
    const row = await board.until(lines => rowsIn(lines, 'ssh:far').find(({ can }) => can.includes('background')))
    await board.until(lines => lines.find(line => line.type === 'host' && line.state === 'connected'))
    const move = { do: 'background' }
    expect(await board.ask(1, row.id, move, 'ssh:far')).toMatchObject({ reply: { ok: false, why: 'needs_yes' } })
    await decide(zotui, 'y')
    expect(await board.ask(2, row.id, move, 'ssh:far')).toMatchObject({ reply: { ok: true } })
    const moved = await board.until(lines =>
      rowsIn(lines, 'ssh:far').find(({ kind, session }) => kind === 'background' && session === row.session),
    )
    expect(moved).toMatchObject({ attach: holders(far)[0]?.id })
    expect(moved.can).toContain('attach')
  })
})

describe.skipIf(process.platform === 'win32')('a machine with another version of zotui', () => {
  test.each([
    [1, 'older', /The zotui 0\.0\.7 on ssh:far is too old for this board\. Update it there: npm install -g zotui/],
    [9, 'newer', /The zotui 0\.0\.7 on ssh:far is newer than this board\. Update zotui here: npm install -g zotui/],
  ])('of protocol %i is named on the board as the %s one', async (protocol, _, words) => {
    const home = lastingHome()
    const line = JSON.stringify({ type: 'board', protocol, version: '0.0.7', at: 0 })
    fill(home, {
      '.config/zotui/config.json': '{"boardHosts":["far"]}',
      'bin/ssh': `#!/bin/sh\necho '${line}'\nexec sleep 60\n`,
    })
    chmodSync(join(home.path, 'bin', 'ssh'), 0o755)
    const env = { PATH: `${join(home.path, 'bin')}:/usr/bin:/bin` }
    const board = await open({ home, env, args: ['board'], columns: 130, rows: 30 })
    await board.see(words)
    await board.see('1 machine out of reach')
  })
})
