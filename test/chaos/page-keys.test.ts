/**
 * No key on the board or on the page of a race is lost, while rows change two hundred times a second: each has its effect, or the screen
 * says why not.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BOARD_PROTOCOL } from '../../src/fleet/board-lines.ts'
import { boardQuestion, boardRow } from '../fleet/rows.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, fill, type Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { open } from '../helpers/screen.ts'
import { holders } from '../stories/holders.ts'
import { lastingHome, openIn, send } from '../stories/stage.ts'

const TIMES = isLong ? 300 : 12

/** A host whose first conversation asks again after each answer, while its others change 200 times a second and change places. */
const PLAYER = `
const { createHash } = require('node:crypto')
const say = line => process.stdout.write(JSON.stringify(line) + '\\n')
const row = ${JSON.stringify(boardRow({ can: ['attach', 'answer', 'stop'] }))}
const question = ${JSON.stringify(boardQuestion())}
let number = 0
const asks = () => {
  number += 1
  const text = 'Run this command?\\n  make part-' + number
  const digest = createHash('sha256').update(text).digest('hex')
  const asked = { ...question, id: 'q' + number, title: 'make part-' + number, text, digest }
  say({ type: 'row', host: '', row: { ...row, id: 'asks', title: 'Asker', state: 'asks', since: 1, questions: [asked] } })
}
say({ type: 'board', protocol: ${BOARD_PROTOCOL}, version: '0.1.0', at: Date.now() })
asks()
say({ type: 'listed' })
let step = 0
setInterval(() => {
  step += 1
  const state = ['working', 'done', 'failed'][step % 3]
  say({ type: 'row', host: '', row: { ...row, id: 'w' + (step % 7), title: 'Worker ' + (step % 7), state, since: Date.now() - step, lastLine: 'step ' + step } })
}, 5)
let rest = ''
process.stdin.on('data', chunk => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    if (!line.startsWith('{')) continue
    const { id, action } = JSON.parse(line)
    const isKnown = action.do === 'answer' && action.question === 'q' + number
    say({ type: 'reply', id, reply: isKnown ? { ok: true, how: 'done' } : { ok: false, why: 'gone', message: 'No such question.' } })
    if (isKnown) asks()
  }
})
process.stdin.on('end', () => process.exit())
`

function homeWithAsker(): { home: Home; env: Record<string, string> } {
  const home = lastingHome()
  fill(home, {
    '.config/zotui/config.json': '{"boardHosts":["far"]}',
    'player.cjs': PLAYER,
    'bin/ssh': `#!/bin/sh\nexec '${process.execPath}' '${join(home.path, 'player.cjs')}'\n`,
  })
  chmodSync(join(home.path, 'bin', 'ssh'), 0o700)
  return { home, env: { PATH: `${join(home.path, 'bin')}:/usr/bin:/bin` } }
}

describe.skipIf(process.platform === 'win32')('keys', { timeout: 3_600_000 }, () => {
  test('y and n on the board answer the question that stands there, or the screen says why not yet', async () => {
    const { home, env } = homeWithAsker()
    const board = await open({ home, env, args: ['board'], columns: 120, rows: 40 })
    const told = (): string => board.screen().find(row => /Refused: |Allowed once: |press it again/.test(row)) ?? ''
    for (let number = 1; number <= TIMES; number += 1) {
      await board.see(new RegExp(`make part-${number}\\s`))
      const key = number % 2 === 0 ? 'y' : 'n'
      // Every third key comes at any moment; the others when the answer is offered.
      if (number % 3 === 0) {
        await pause(Math.random() * 500)
        await board.press(key)
        await board.see(new RegExp(`(Refused|Allowed once): make part-${number}\\b|press it again`))
        if (told().includes(`part-${number}`)) continue
      }
      await board.see(key === 'n' ? /n refuses/ : /y allows once/)
      await board.press(key)
      await board.see(new RegExp(`(Refused|Allowed once): make part-${number}\\b`))
    }
    await board.press('q')
    expect(await board.exit()).toEqual({ code: 0, signal: null })
  })

  test('q ends the board, whenever it comes after its start', async () => {
    const { home, env } = homeWithAsker()
    for (let times = 0; times < TIMES; times += 4) {
      const board = await open({ home, env, args: ['board'], columns: 120, rows: 40 })
      await pause(Math.random() * 1000)
      await board.press('q')
      expect(await board.exit()).toEqual({ code: 0, signal: null })
    }
  })

  test('q closes the page of a race, whatever changes on it', async () => {
    const home = lastingHome()
    onTestFinished(() => {
      for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
    })
    writeFileSync(join(home.project, 'a.txt'), 'one\n')
    const git = (...args: string[]) =>
      execFileSync('git', [...COMMITTER, ...args], { cwd: home.project, env: environment(home.path) })
    git('init', '-q', '-b', 'main', '--template=')
    git('add', '-A')
    git('commit', '-qm', 'first')
    const env = { ZOTUI_PERMISSIONS: 'allow', ZOTUI_TURNS_AT_ONCE: '3' }
    const zotui = await openIn(home, { agent: 'busy', rows: 40, columns: 110, env })
    await send(zotui, '/race 3 stream')
    await zotui.see(/Begin the race/)
    await zotui.press('down', 'enter')
    await zotui.see(/zot \(1\) +working[^]*zot \(2\) +working[^]*zot \(3\) +working/)
    for (let times = 0; times < TIMES; times += 1) {
      await zotui.see(/^ {2}race of 3/m)
      await zotui.press('q')
      await zotui.gone(/^ {2}race of 3/m)
      await send(zotui, '/race')
    }
    await zotui.see(/^ {2}race of 3/m)
    await zotui.press('q')
    await zotui.gone(/^ {2}race of 3/m)
    await send(zotui, '/exit')
    await zotui.exit()
  })
})
