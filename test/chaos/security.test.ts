/** Things that must never happen, whoever writes what: see docs/threat-model.md. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { lastingHome, openQuickDemo, openZot, ready, run, send } from '../stories/stage.ts'

const keys = {
  ANTHROPIC_API_KEY: `sk-ant-api03-${'Ab3_'.repeat(20)}-QAA`,
  OPENAI_API_KEY: `sk-proj-${'x9Zq'.repeat(12)}`,
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzzzzzzKEY',
  GITHUB_TOKEN: `ghp_${'a1B2'.repeat(9)}`,
}
const passed = `sk-passed-${'0f'.repeat(16)}`
const all = [...Object.values(keys), passed]

/** Every dozen of characters of a key: a key that was cut is one, too, and its first three may be seen. */
const pieces = all.flatMap(key => Array.from({ length: key.length - 11 }, (_, at) => key.slice(at, at + 12)))
const leaked = (text: string): string[] => {
  const withoutColours = text.replaceAll(/(?:\u001B|\\u001b|\\\\u001b)\[[\d;]*m/g, '')
  return pieces.filter(piece => text.includes(piece) || withoutColours.includes(piece))
}
/** With a colour change behind every sixth character, as a program that marks what was found prints it. */
const coloured = all.map(key => key.replaceAll(/.{6}/g, '$&\u001B[1;31m\u001B[0m')).join(' ')

/** Every file and folder below, with what it is. */
function below(folder: string): { path: string; mode: number; isFile: boolean }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
    const path = join(folder, name)
    const found = statSync(path)
    return { path, mode: found.mode & 0o777, isFile: found.isFile() }
  })
}

/** A turn in which every key is said: as text, by a tool, in pieces, and where nothing is understood. */
function leak(home: Home): void {
  const shown = all.join(' ')
  const frames = [
    { type: 'user_message', content: [] },
    { type: 'turn_start', step: 1 },
    { type: 'assistant_start' },
    ...Array.from(shown, delta => ({ type: 'text_delta', delta })),
    { type: 'tool_call', id: 'a', name: 'bash', args: { command: `echo ${shown}` } },
    { type: 'tool_progress', id: 'a', text: `${shown}\n${coloured}\n` },
    { type: 'tool_call', id: 'b', name: 'bash', args: { command: `echo ${coloured}` } },
    // Both print at once, a character at a time.
    ...Array.from(coloured).flatMap(text => ['a', 'b'].map(id => ({ type: 'tool_progress', id, text }))),
    { type: 'tool_result', id: 'a', is_error: true, content: [{ type: 'text', text: `${shown}\n${coloured}` }] },
    { type: 'tool_call', id: 'c', name: 'write', args: { path: 'x', content: coloured } },
    { type: 'tool_progress', id: 'b', text: shown.slice(0, 30) },
    { type: 'tool_result', id: 'c', content: [] },
    { type: 'tool_progress', id: 'b', text: shown.slice(30) },
    { type: 'tool_result', id: 'b', is_error: false, content: [{ type: 'text', text: coloured }] },
    { type: 'text_delta', delta: coloured },
    { type: 'from_tomorrow', shown },
    // The log and the last words are cut within a key, at every place.
    ...[400, 420, 440, 460, 480].map(length => ({ type: 'from_tomorrow', shown: 'x'.repeat(length) + shown })),
    { type: 'ext_notify', extension: 'x', level: 'warn', message: shown },
    { type: 'turn_end', stop: 'error', error: `anthropic: http 401: ${shown}` },
    { type: 'error', message: `anthropic: http 401: ${shown}` },
    { type: 'done' },
  ]
  writeFileSync(join(home.path, 'leak.json'), JSON.stringify(frames))
  const dies = `zot: ${'y'.repeat(280)}${shown}`
  writeFileSync(join(home.path, 'die.json'), JSON.stringify([{ dies }]))
}

async function openLeaking(home: Home): Promise<Screen> {
  leak(home)
  mkdirSync(join(home.path, '.local', 'zotui-recordings'), { recursive: true, mode: 0o700 })
  const record = join(home.path, '.local', 'zotui-recordings', 'one.ndjson')
  const zotui = await openZot('hostile', { home, env: keys, args: ['--api-key', passed, '--record', record] })
  await zotui.see(/^ {2}anthropic\/sonnet/m)
  await send(zotui, 'leak')
  await zotui.see(turnEnd)
  await zotui.type(String.raw`!!printf '%s\033[31m%s' $(printf "$GITHUB_TOKEN" | sed 's/..../& /')`)
  await zotui.press('enter')
  await zotui.see('You ran this')
  await send(zotui, '/export md')
  await zotui.see(/\.md/)
  await send(zotui, '/export html')
  await zotui.see(/\.html/)
  // More than is kept of it, and no line to cut it at.
  await zotui.type('!!for i in $(seq 1 8000); do printf "$OPENAI_API_KEY"; done')
  await zotui.press('enter')
  await zotui.until('both to have run', {
    check: () => zotui.history().filter(row => row.includes('You ran this')).length === 2,
  })
  await send(zotui, 'die')
  await zotui.see('zot has ended')
  await zotui.press('esc')
  await zotui.type('a draft')
  return zotui
}

test('API keys reach neither the screen nor the disk, and files are readable by their owner only', async () => {
  const home = lastingHome()
  const before = process.umask(0)
  const zotui = await openLeaking(home).finally(() => process.umask(before))
  const shown = zotui
    .history()
    .join('')
    .replaceAll(/\s|[│┃▌]/g, '')
  const titles = zotui.around.titles.join('\n')
  await zotui.close()
  const kept = below(join(home.path, '.local'))
  const files = kept.filter(({ isFile }) => isFile)
  expect(files.map(({ path }) => path).join('\n')).toMatch(
    /sessions.*\.jsonl[^]*zotui\.log|zotui\.log[^]*sessions.*\.jsonl/,
  )
  expect(shown).toContain('[hidden]')
  expect(leaked(shown + titles)).toEqual([])
  const exports = readdirSync(home.project).map(name => ({ path: join(home.project, name) }))
  expect(exports.length).toBe(2)
  for (const { path } of [...files, ...exports])
    expect({ path, leaked: leaked(readFileSync(path, 'utf8')) }).toEqual({ path, leaked: [] })
  const ours = kept.filter(({ path }) => path.includes('zotui'))
  const open = ours.filter(({ mode }) => (mode & 0o077) !== 0)
  expect(open).toEqual([])
})

test('an API key on the command line causes a warning that others can read it, and no process shows a prompt', async () => {
  // Elsewhere a process keeps the words that it was started with.
  const isRenamed = process.platform === 'linux'
  const prompt = isRenamed ? ['--prompt', 'a private matter'] : []
  const zotui = await openZot('echo', { args: ['--api-key', passed, ...prompt] })
  await zotui.see(/--api-key is visible to other users.*ANTHROPIC_API_KEY/s)
  await zotui.see(isRenamed ? 'You said: a private matter.' : ready)
  await send(zotui, 'another private matter')
  await zotui.see('You said: another private matter.')
  const others = [...zotui.children(), ...zotui.watchdogs(), ...zotui.guards()]
  expect([zotui.itself(), ...others].map(({ command }) => command).join('\n')).not.toContain('private')
  expect(isRenamed ? zotui.itself().command : 'zotui').toBe('zotui')
})

test('no signal opens a debugger, through which a command of the agent could answer its own questions', async () => {
  const zotui = await openZot('echo')
  await zotui.see(ready)
  process.kill(zotui.pid, 'SIGUSR1')
  await send(zotui, 'still here')
  await zotui.see('You said: still here.')
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(9229, '127.0.0.1', () => resolve('open'))
  socket.once('error', () => resolve('closed'))
  expect(await promise).toBe('closed')
  await zotui.close()
})

test('an error about the command line does not repeat a key, and --help names none', async () => {
  const wrong = await run(['--api-key', passed, '--no-such-flag'], { env: keys })
  expect(wrong.code).toBe(2)
  const help = await run(['--help', '--api-key', passed], { env: keys })
  for (const key of all) expect(wrong.stderr + wrong.stdout + help.stdout + help.stderr).not.toContain(key)
})

test('a bug in zotui writes no API key to the log', async () => {
  const home = lastingHome()
  const bug = join(home.path, 'bug.mjs')
  const throwing = "process.on('SIGUSR2', () => { throw new Error(`a slip with ${process.env.OPENAI_API_KEY}`) })"
  writeFileSync(bug, `if (process.argv[1]?.endsWith('zotui.js')) ${throwing}`)
  const zotui = await openQuickDemo({ home, env: keys, under: `NODE_OPTIONS='--import ${bug}' exec "$@"` })
  zotui.kill('SIGUSR2')
  await zotui.exit()
  const log = readFileSync(join(home.path, '.local', 'state', 'zotui', 'zotui.log'), 'utf8')
  expect(log).toContain('a slip with sk-[hidden]')
  expect(leaked(log)).toEqual([])
})

test('a hostile project cannot run anything', async () => {
  const home = lastingHome()
  const ran = join(home.path, 'ran')
  const program = join(home.project, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 })
  mkdirSync(join(home.project, '.zotui', 'commands'), { recursive: true })
  const everything = {
    zot: program,
    editor: program,
    extensions: [program],
    zotArgs: ['--ext', program],
    hooks: { start: program },
  }
  writeFileSync(join(home.project, '.zotui', 'config.json'), JSON.stringify(everything))
  for (const [name, words] of Object.entries({
    shell: `!${program}`,
    quiet: `!!${program}`,
    restart: `/restart --ext ${program}`,
  })) {
    writeFileSync(join(home.project, '.zotui', 'commands', `${name}.md`), words)
  }
  const zotui = await openZot('echo', { home, rows: 40, columns: 120 })
  await zotui.see(/› ignore them +they can run programs/)
  await zotui.press('esc')
  await zotui.see(/^ {2}anthropic\/sonnet/m)
  for (const [name, words] of [
    ['project:shell', '!'],
    ['project:quiet', '!!'],
    ['project:restart', '/restart --ext '],
  ]) {
    await send(zotui, `/${name}`)
    await zotui.seeInHistory(`You said: ${words}${program}.`)
  }
  expect(existsSync(ran)).toBe(false)
})

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a shell is started in few places only: for a command that was typed or allowed, here or on another machine, for the login, for the watchdog, and to exit', () => {
  const sources = ['bin', 'src', 'components'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  const shells = sources
    .filter(name => /\.tsx?$/.test(name))
    .filter(name => /\/bin\/sh|shell: true|execSync|execaCommand/.test(readFileSync(join(root, name), 'utf8')))
  expect(shells.toSorted()).toEqual([
    'bin/wiring/exit.ts',
    // Runs allowed commands on another machine.
    'src/agents/zot/guard/zotui-relay.ts',
    // Names the shell for run.ts, in which it tries the sandbox.
    'src/doctor/sandbox.ts',
    // Names the shell of a pod.
    'src/places/job/make-job.ts',
    // Names the shell there, for a connection to another machine.
    'src/platform/remote/command.ts',
    'src/platform/shell/foreground.ts',
    'src/platform/shell/run.ts',
    // Names the shell for run.ts, and the one that is asked which it is.
    'src/platform/shell/tried-shell.ts',
    'src/platform/watchdog.ts',
    // Name the shell for run.ts, in which they try a box.
    'src/sandbox/command-boxes.ts',
    'src/sandbox/working-box.ts',
  ])
})

test('dependencies are pinned, and those that run something when they are installed are known', () => {
  const { devDependencies, dependencies, allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const scripted = Object.entries(packages as Record<string, { hasInstallScript?: boolean }>)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace('node_modules/', ''))
  expect(scripted).toEqual(Object.keys(allowScripts))
})
