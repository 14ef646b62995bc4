/** In a real tmux, which reflows its history itself. Skipped where there is none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { environment, makeHome } from '../helpers/home.ts'
import { installZot, program } from './stage.ts'

const hasTmux = await execa('tmux', ['-V']).then(
  () => true,
  () => false,
)
if (!hasTmux) process.stderr.write('There is no tmux: the stories in a real tmux are skipped.\n')

const words = Array.from({ length: 800 }, (_, index) => `w${String(index + 1).padStart(4, '0')}`)

type Pane = {
  send: (...keys: string[]) => Promise<void>
  resize: (columns: number, rows: number) => Promise<void>
  /** Scrollback and screen. */
  rows: () => Promise<string[]>
}

/** A shell in a tmux of its own, with zotui in it. */
async function openPane(columns: number, rows: number): Promise<Pane> {
  const home = makeHome()
  const socket = join(mkdtempSync(join(tmpdir(), 'zotui-tmux-')), 'socket')
  const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'streaming'), TERM: 'xterm-256color' })
  const tmux = async (...args: string[]): Promise<string> => {
    const all = ['-S', socket, '-f', '/dev/null', ...args]
    return (await execa('tmux', all, { env, extendEnv: false, cwd: home.project })).stdout
  }
  onTestFinished(async () => {
    await tmux('kill-server')
    rmSync(join(socket, '..'), { recursive: true })
    home.remove()
  })
  const run = `echo shell one; echo shell two; exec '${process.execPath}' '${program}'`
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), run)
  await tmux('set', '-g', 'status', 'off')
  return {
    send: async (...keys) => void (await tmux('send-keys', ...keys)),
    resize: async (width, height) => void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    rows: async () => (await tmux('capture-pane', '-p', '-S', '-')).split('\n'),
  }
}

const see = async (pane: Pane, text: RegExp): Promise<void> => {
  await expect.poll(async () => (await pane.rows()).join('\n'), { timeout: 20_000 }).toMatch(text)
}

test.skipIf(!hasTmux)('resizes in tmux while an answer streams neither duplicate nor lose a line', async () => {
  const pane = await openPane(100, 30)
  await see(pane, /sonnet/)
  await pane.send('-l', '40')
  await see(pane, /^▌ 40$/m)
  await pause(80)
  await pane.send('Enter')
  await see(pane, /w0040/)
  for (const [columns, rows] of [
    [80, 30],
    [64, 30],
    [90, 24],
    [72, 36],
    [110, 30],
  ] as const) {
    await pane.resize(columns, rows)
    await pause(300)
  }
  await see(pane, /That was all/)
  await see(pane, /^ {2}(anthropic\/)?sonnet/m)
  const rows = await pane.rows()
  const text = rows.map(row => row.trim()).join('')
  const wanted = ['shell one', 'shell two', ...words, 'That was all.']
  expect(wanted.filter(word => text.split(word).length !== 2)).toEqual([])
  expect(rows.filter(row => /Enter queues/.test(row))).toEqual([])
  expect(rows.filter(row => /^ {2}(anthropic\/)?sonnet/.test(row))).toHaveLength(1)
  expect(rows.filter(row => row === '▌')).toHaveLength(1)
})

test.skipIf(!hasTmux)(
  'the background of the terminal around tmux is learnt where tmux lets questions through',
  async () => {
    const home = makeHome()
    const folder = mkdtempSync(join(tmpdir(), 'zotui-tmux-'))
    const socket = join(folder, 'socket')
    const config = join(folder, 'tmux.conf')
    writeFileSync(config, 'set -gq allow-passthrough on\nset -g status off\n')
    const env = environment(home.path, { TERM: 'xterm-256color' })
    const run = `exec '${process.execPath}' '${program}' --demo`
    const args = ['-S', socket, '-f', config, 'new-session', run]
    const outer = spawn('tmux', args, { cols: 80, rows: 24, cwd: home.project, env })
    onTestFinished(async () => {
      await execa('tmux', ['-S', socket, 'kill-server'], { reject: false })
      outer.kill()
      rmSync(folder, { recursive: true })
      home.remove()
    })
    outer.onData(data => {
      if (data.includes('\x1b]11;?')) outer.write('\x1b]11;rgb:ffff/ffff/ffff\x1b\\')
    })
    const colours = async (): Promise<string> =>
      (await execa('tmux', ['-S', socket, 'capture-pane', '-p', '-e'], { reject: false })).stdout
    // The light theme's bar, where the terminal's own colours would have been `36`.
    await expect.poll(colours, { timeout: 20_000 }).toMatch(/\x1b\[38;2;10;68;160m(?:\x1b\[48;2;[\d;]+m)?▌/)
  },
)
