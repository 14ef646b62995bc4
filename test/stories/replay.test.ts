/** A user looks at what was recorded. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { alive } from '../helpers/processes.ts'
import { fileURLToPath } from 'node:url'
import { readAcpRecording } from '../helpers/acp-recordings.ts'
import { recordingFile } from '../helpers/recording.ts'
import { open } from '../helpers/screen.ts'
import { lastingHome, program, run } from './stage.ts'

const text = recordingFile('zot-0.3.3x', 'text')
const tools = recordingFile('zot-0.3.3x', 'bash-ok-and-fail')

test('a replay runs in the UI at the pace of --speed, shows its position, and takes no prompt', async () => {
  const zotui = await open({ args: ['replay', '--speed', '60', recordingFile('zot-0.3.3x', 'http-503-persistent')] })
  await zotui.see('Replaying http-503-persistent.ndjson')
  await zotui.see(/overloaded or unavailable/)
  await zotui.see(/End of the recording/)
  expect(zotui.history().join('\n')).not.toContain('Enter sends')
  await zotui.type('hello')
  expect(zotui.screen().join('\n')).not.toContain('hello')
  await zotui.press('q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('a paused replay waits, and keys step or continue', async () => {
  const zotui = await open({ args: ['replay', text, '--paused'] })
  await zotui.see('Replaying text.ndjson')
  await zotui.press('right')
  await zotui.see(/Paused at .*Space resumes/)
  expect(zotui.history().join('\n')).not.toContain('Hello world')
  await zotui.press('space')
  await zotui.see('Hello world')
  await zotui.press('ctrl+c')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('a torn recording is played up to its end, which is reported, and the viewer has its own keys and does not move the replay', async () => {
  const home = lastingHome()
  const torn = join(home.path, 'torn.ndjson')
  writeFileSync(torn, readFileSync(tools, 'utf8').slice(0, -20))
  const reported = `Line ${readFileSync(torn, 'utf8').split('\n').length} of the recording could not be read.`
  const printed = await run(['replay', torn])
  expect(printed).toMatchObject({ code: 0, stderr: `zotui: ${reported}` })
  expect(printed.stdout).toContain('Done.')
  const zotui = await open({ args: ['replay', torn, '--at-once'] })
  await zotui.seeInHistory(reported)
  await zotui.seeInHistory(/● bash +echo one/)
  await zotui.seeInHistory('Done.')
  await zotui.see(/End of the recording/)
  await zotui.press('ctrl+o')
  await zotui.type('/')
  await zotui.type('bad')
  await zotui.see('/bad')
  await zotui.press('enter')
  await zotui.see(/1 of \d/)
  await zotui.type('q')
  await zotui.gone(/1 of \d/)
  await zotui.type('q')
  await zotui.see(/End of the recording/)
  await zotui.type('q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('closing the terminal ends a replay, with nothing in the log', async () => {
  const home = lastingHome()
  const zotui = await open({ home, args: ['replay', '--at-once', tools], job: 'of the shell' })
  await zotui.see(/End of the recording/)
  const itself = zotui.itself()
  zotui.hangUp()
  await expect.poll(() => alive(itself), { timeout: 8000 }).toBe(false)
  expect(existsSync(join(home.path, '.local', 'state', 'zotui', 'zotui.log'))).toBe(false)
})

test('without a terminal the transcript is printed', async () => {
  const { code, stdout, stderr } = await run(['replay', tools])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^> go\n\n {2}Running\.\n\n● bash +echo one/)
})

test('a recording that was changed in an editor is played', async () => {
  const home = lastingHome()
  const file = join(home.path, 'edited.ndjson')
  const lines = readFileSync(text, 'utf8').trimEnd().split('\n')
  const later = lines.map((line, at) => (at < 3 ? line : line.replace(/"t":\s*\d+/, '"t": 1e13')))
  writeFileSync(file, `\uFEFF${later.join('\r\n')}\r\n${'not a line\n'.repeat(7)}`)
  const printed = await run(['replay', file])
  const first = lines.length + 1
  const named = [0, 1, 2, 3, 4].map(number => first + number).join(', ')
  expect(printed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Hello world'),
    stderr: `zotui: Lines ${named} and 2 more of the recording could not be read.`,
  })
  // It waits for three centuries: a key goes on.
  const zotui = await open({ args: ['replay', file] })
  await zotui.see(/▌ hi/)
  await zotui.press('end')
  await zotui.see('Hello world')
  expect(zotui.history().join('\n')).not.toContain('Warning')
})

test.each([
  [['replay', '--speed', 'quick', text], 2, /--speed needs a number .*"quick"/],
  [['replay', '/nowhere/x'], 1, /\/nowhere\/x cannot be read \(ENOENT\)/],
  [['replay', program], 1, /is not a recording/],
])('%j is one line and exit code %d', async (args, exitCode, words) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).toMatch(/^zotui: [^\n]+$/)
})

test('a recording of another agent is played with its questions and their answers, from before the first prompt, step by step or to its end', async () => {
  const home = lastingHome()
  const file = join(home.path, 'claude.ndjson')
  const { lines } = readAcpRecording('claude', 'write-allow')
  writeFileSync(file, ['{"agent":"claude"}', ...lines.map(line => JSON.stringify(line))].join('\n'))
  const printed = await run(['replay', file])
  expect(printed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^> zz-write a file\n.*Write PROJECT\/new\.txt/s) as string,
  })

  const zotui = await open({ home, args: ['replay', file, '--paused'] })
  await zotui.see(/claude \d+\.\d/)
  await zotui.see(/Paused at/)
  expect(zotui.screen().join('\n')).not.toContain('starting')
  expect(zotui.history().join('\n')).not.toMatch(/^▌ ./m)
  await zotui.press('right')
  await zotui.press('end')
  await zotui.see('Finished writing')
  await zotui.see(/End of the recording/)
  // Keys that arrive together all count.
  await zotui.type(' q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('a session with another agent is recorded, and its recording replayed', async () => {
  const home = lastingHome()
  const file = join(home.path, 'wire.ndjson')
  const agent = fileURLToPath(new URL('../fixtures/agents/acp-replay.ts', import.meta.url))
  const words = `${process.execPath} ${agent}`
  const env = { ACP_RECORDING: 'codex/text' }
  const live = await run(['--agent', words, '-p', 'hello', '--record', file], { env })
  expect(live.code).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"agent":"[^"]+"\}\n/)
  expect((await run(['replay', file])).stdout).toMatch(/^> hello$/m)
})
