/** A user writes down what passes between zotui and zot. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterEach, expect, test } from 'vitest'
import { parseRecording } from '../../src/agents/recording/recording.ts'
import { readAcpRecording } from '../helpers/acp-recordings.ts'
import { makeHome, type Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { exitAtRest, installZot, openZot, run, send } from './stage.ts'

const player = fileURLToPath(new URL('../../scripts/play-recording.ts', import.meta.url))
/** Plays recordings without a terminal. */
const playing = (...args: string[]) => execa(process.execPath, [player, ...args], { reject: false, stdin: 'ignore' })

const homes: Home[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

function home(): Home {
  const made = makeHome()
  homes.push(made)
  return made
}

test('a recording of the UI has no keys in it, and the tool for bug reports plays it', async () => {
  const here = home()
  const file = join(here.path, 'wire.ndjson')
  const key = 'a-key-that-nobody-sees'
  const zotui = await openZot('echo', { home: here, args: ['--record', file], env: { SOME_API_KEY: key } })
  await zotui.see(/zot 0\.3\.36/)
  await send(zotui, `say ${key}`)
  await zotui.see(/You said: say/)
  await exitAtRest(zotui)
  await zotui.exit()
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(key)
  expect(parseRecording(text).unread).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const again = await open({ home: here, program: [player], args: [file, '--at-once'] })
  await again.see(/^▌ say a-k\[hidden\]$/m)
  await again.see(/You said: say a-k/)
  await again.see('End of the replay')
  await again.press('q')
  expect(await again.exit()).toEqual({ code: 0, signal: null })
})

test('-p can be recorded', async () => {
  const here = home()
  const file = join(here.path, 'wire.ndjson')
  const env = { ZOTUI_ZOT: installZot(here, 'echo') }
  expect(await run(['-p', 'hello', '--record', file], { env })).toMatchObject({ code: 0, stdout: 'You said: hello.' })
  expect((await playing(file)).stdout).toMatch(/^> hello\n\n {2}You said: hello\./)
})

test('arguments that are nested too deep are recorded shortened, and a recording that has them whole can be played', async () => {
  const here = home()
  const file = join(here.path, 'wire.ndjson')
  const env = { ZOTUI_ZOT: installZot(here, 'chaos'), SOME_API_KEY: 'a-key-that-nobody-sees' }
  const printed = await run(['-p', 'arguments nested too deep', '--record', file], { env })
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/After it\.$/) as string })
  const text = readFileSync(file, 'utf8')
  expect(parseRecording(text).unread).toEqual([])
  const deep = `${'['.repeat(4500)}${']'.repeat(4500)}`
  const whole = text.replaceAll(/"\[omitted: nested too deep\]"/g, deep)
  expect(whole.length).toBeGreaterThan(text.length + 4500)
  for (const recorded of [text, whole]) {
    writeFileSync(file, recorded)
    expect(await playing(file)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/bash +ls -la.*some files.*After it/s) as string,
    })
  }
})

test('--record rejects an existing file and a folder that cannot be written', async () => {
  const file = join(home().path, 'precious')
  writeFileSync(file, 'precious')
  const there = await run(['--demo', '-p', 'thanks', '--record', file])
  expect(there).toMatchObject({ code: 2, stdout: '' })
  expect(there.stderr).toMatch(/^zotui: The file .*precious already exists\. Choose another file for --record\.$/)
  expect(readFileSync(file, 'utf8')).toBe('precious')
  const nowhere = await run(['--demo', '-p', 'thanks', '--record', '/nowhere/at/all'])
  expect(nowhere).toMatchObject({ code: 2, stdout: '' })
  expect(nowhere.stderr).toMatch(/cannot be written \(ENOENT\)/)
})

test('a recording that cannot grow is reported once, and the session continues', async () => {
  const here = home()
  const file = join(here.path, 'wire.ndjson')
  // A file may have one block.
  const zotui = await openZot('echo', {
    home: here,
    args: ['--record', file],
    under: 'ulimit -f 1; exec "$@"',
    rows: 40,
    columns: 160,
  })
  await zotui.see(/zot 0\.3\.36/)
  for (const prompt of ['first', 'second']) {
    await send(zotui, prompt)
    await zotui.see(new RegExp(`You said: ${prompt}`))
  }
  await zotui.seeInHistory(/Recording to .*wire\.ndjson stopped \((EFBIG|ENOSPC)\)/)
  expect(zotui.history().filter(line => line.includes('Recording to'))).toHaveLength(1)
  expect(parseRecording(readFileSync(file, 'utf8')).lines.length).toBeGreaterThan(1)
})

test('the tool plays a recording of another agent, says which lines it cannot read, and how it is used', async () => {
  const file = join(home().path, 'claude.ndjson')
  const { lines } = readAcpRecording('claude', 'write-allow')
  const text = ['{"agent":"claude"}', ...lines.map(line => JSON.stringify(line)), 'not a line'].join('\r\n')
  writeFileSync(file, `\uFEFF${text}`)
  const played = await playing(file)
  expect(played).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^> zz-write a file\n.*Write PROJECT\/new\.txt.*Finished writing/s) as string,
    stderr: expect.stringContaining(`These lines of the recording cannot be read: ${lines.length + 2}.`) as string,
  })
  for (const args of [[], [fileURLToPath(import.meta.url)]])
    expect(await playing(...args)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Usage: node scripts\/play-recording\.ts FILE/) as string,
    })
})
