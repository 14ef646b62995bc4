/** The output of zotui on a terminal without the UI: nothing that others wrote acts there. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, fill, homeWith, type Home } from '../helpers/home.ts'
import { open, type OpenOptions } from '../helpers/screen.ts'
import { homeAfter, installZot, program } from './stage.ts'

/** A title, the clipboard, a cleared screen, the same with C1, and text from right to left. */
const hostile = '\u001B]0;owned\u0007\u001B]52;c;b3duZWQ=\u0007\u001B[2J\u001B[3J\u009B2J\u202Edesrever'

/** Runs zotui to its end on a terminal and returns what it wrote there. */
async function written({ home, args = [], ...more }: OpenOptions & { home: Home }): Promise<string> {
  const text = await writtenIn(home, args, more)
  home.remove()
  return text
}

async function writtenIn(home: Home, args: readonly string[], more: OpenOptions): Promise<string> {
  const zotui = await open({ home, args, columns: 200, ...more })
  await zotui.exit()
  expect(zotui.around.titles).toEqual([])
  await zotui.close()
  return zotui.bytes().toString()
}

/** Runs zotui without a terminal, on an agent that says what is hostile, and returns its output. */
async function piped(home: Home, ...words: readonly string[]): Promise<string> {
  const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'hostile') })
  const options = { cwd: home.project, env, extendEnv: false, input: '' }
  return (await execa(process.execPath, [program, ...words], options)).stdout
}

function expectHarmless(text: string): void {
  // It was said, and can be read.
  expect(text).toContain('␛]0;owned')
  for (const mark of ['\u001B]0;', '\u001B]52;', '\u001B[2J', '\u001B[3J', '\u009B', '\u202E'])
    expect(text).not.toContain(mark)
}

describe('command-line arguments are sanitised', () => {
  test.each([
    ['a folder', ['--cwd', hostile, 'hi']],
    ['a session to show', ['show', hostile]],
    ['a session to export', ['export', hostile]],
    ['a format', ['export', 'last', '--format', hostile]],
    ['a file to import', ['import', hostile]],
    ['a file to replay', ['replay', hostile]],
    ['a session to resume', ['--resume', hostile]],
    ['a session to resume with a prompt', ['-p', '--resume', hostile, 'hi']],
    ['a flag', [`--${hostile}`]],
    ['a flag of a command', ['sessions', `--${hostile}`]],
    ['a word too many', ['sessions', hostile]],
    ['a number', ['--max-steps', hostile]],
    ['a cost', ['--max-cost', hostile]],
    ['a time', ['-p', '--timeout', hostile, 'hi']],
    ['a zot', ['--zot', hostile, '-p', 'hi']],
    ['a recording', ['--demo', '--record', `/no/such/folder/${hostile}`, '-p', 'hi']],
    ['a shell', ['completion', hostile]],
    ['days', ['usage', '--days', hostile]],
  ])('%s', async (_, args) => {
    const home = homeWith({})
    expectHarmless(await written({ home, args, env: { ZOTUI_ZOT: installZot(home, 'echo') } }))
  })
})

describe('foreign text without the UI is sanitised', () => {
  test('a key name in a project’s settings; one with a line break does not begin another message', async () => {
    const names = { [hostile]: 1, 'x\nzotui: all is well': 1 }
    const home = homeWith({ 'project/.zotui/config.json': JSON.stringify(names) })
    mkdirSync(join(home.project, '.git'))
    const text = await written({ home, args: ['-p', 'hi'], env: { ZOTUI_ZOT: installZot(home, 'echo') } })
    expectHarmless(text)
    expect(text).toContain('all is well')
    expect(text).not.toMatch(/^zotui: all is well/m)
  })

  test('the output of `zot --version`', async () => {
    const home = homeWith({ version: `zot ${hostile}` })
    const zot = join(home.path, 'zot')
    writeFileSync(zot, `#!/bin/sh\ncat '${join(home.path, 'version')}'\n`)
    chmodSync(zot, 0o755)
    expectHarmless(await written({ home, args: ['--version'], env: { ZOTUI_ZOT: zot } }))
  })

  test('the path of zot', async () => {
    const home = homeWith({})
    const zot = join(home.path, hostile.replaceAll('/', ''))
    writeFileSync(zot, '#!/bin/sh\necho zot 0.1.62\n')
    chmodSync(zot, 0o755)
    expectHarmless(await written({ home, args: ['--version'], env: { ZOTUI_ZOT: zot } }))
  })

  test.each([['-p', 'hi'], ['usage']])('the message of a bug, with %s', async (...args) => {
    const throwing = `const thrower = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return
      clearInterval(thrower)
      throw new Error(${JSON.stringify(hostile)})
    })`
    const home = homeWith({ 'bug.mjs': `if (process.argv[1]?.endsWith('zotui.js')) { ${throwing} }` })
    const under = `NODE_OPTIONS='--import ${join(home.path, 'bug.mjs')}' exec "$@"`
    const text = await written({ home, args, under, env: { ZOTUI_ZOT: installZot(home, 'silent') } })
    expectHarmless(text)
    expect(text).toContain('this is a bug in zotui')
  })
})

describe('the content of a session is sanitised', () => {
  const frames = [
    { type: 'user_message', content: [] },
    { type: 'turn_start', step: 1 },
    { type: 'assistant_start' },
    { type: 'text_delta', delta: hostile },
    { type: 'assistant_message', content: [{ type: 'text', text: hostile }] },
    { type: 'turn_end', stop: 'end' },
    { type: 'done' },
  ]
  let printed = ''
  const afterSession = homeAfter(async home => {
    fill(home, { 'say.json': JSON.stringify(frames) })
    printed = await writtenIn(home, ['-p', 'say'], { env: { ZOTUI_ZOT: installZot(home, 'hostile') } })
  })

  test('printed', async () => {
    await afterSession()
    expectHarmless(printed)
  })

  test.each([
    ['shown', ['show', 'last']],
    ['as Markdown', ['export', 'last', '-o', '-']],
    ['as HTML', ['export', 'last', '-o', '-', '-f', 'html']],
  ])('%s', async (_, args) => {
    const home = await afterSession()
    expectHarmless(await written({ home, args, env: { ZOTUI_ZOT: installZot(home, 'hostile') } }))
  })

  test.each([
    ['events', ['-p', '--json', 'say']],
    ['an export', ['export', 'last', '-o', '-', '-f', 'json']],
    ['a session of zot', ['export', 'last', '-o', '-', '-f', 'zotsession']],
  ])('%s as JSON, in which it is escaped, also where no terminal is', async (_, args) => {
    const stdout = await piped(await afterSession(), ...args)
    expect(stdout).toContain(String.raw`\u001b]0;owned\u0007`)
    expect(stdout).toContain(String.raw`\u009b2J\u202edesrever`)
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })
})
