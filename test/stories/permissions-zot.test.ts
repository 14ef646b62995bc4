/** Permissions of a guarded zot: what is stored for a folder, what is off, and a zot that dies while it asks. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { descendants } from '../helpers/processes.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { expectDraft, installZot, lastingHome, logged, ready, send } from './stage.ts'

const touch = (file: string) => ({ calls: [{ id: file, name: 'bash', args: { command: `touch ${file}` } }] })

/** A zot whose model wants to run commands, in a home with these files. */
function homeOf(files: Record<string, string> = {}): Home {
  const home = lastingHome()
  const script = JSON.stringify([touch('one'), touch('two'), { text: 'Done.' }])
  for (const [name, text] of Object.entries({ 'script.json': script, ...files })) {
    mkdirSync(dirname(join(home.path, name)), { recursive: true })
    writeFileSync(join(home.path, name), text)
  }
  return home
}

async function openGuarded(home: Home, args: readonly string[] = []): Promise<Screen> {
  const env = {
    ZOTUI_ZOT: installZot(home, 'guardable'),
    ZOT_SCRIPT: join(home.path, 'script.json'),
    ZOTUI_PERMISSIONS: undefined,
  }
  return open({ args, home, env })
}

const asksHere = { '.config/zotui/config.json': '{\n  "permissions": "ask"\n}\n' }

function folderFile(home: Home): Record<string, unknown> {
  const folder = join(home.path, '.local', 'state', 'zotui', 'permissions')
  // A file that is being written has another name.
  const name = existsSync(folder) ? readdirSync(folder).find(each => each.endsWith('.json')) : undefined
  if (name === undefined) return {}
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
}

async function armed(zotui: Screen, words: string | RegExp): Promise<void> {
  await zotui.see(words)
  await zotui.see(/› \d/)
}

describe('The mode', () => {
  const title = 'What may the agent do without asking?'

  test('is not asked for at the start, but with the first call that needs it, and the call waits for the answer', async () => {
    const home = homeOf()
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await send(zotui, 'go')
    await armed(zotui, title)
    expect(
      zotui
        .history()
        .join('\n')
        .match(/without asking\?/g),
    ).toHaveLength(1)
    await zotui.see(/In ~\/project it asks for bash touch one/)
    await zotui.see(/1 ask .*\n.*2 edits .*\n.*3 contained .*\n.*4 plan .*\n.*5 more/)
    expect(zotui.screen().join('\n')).not.toMatch(/\d (read|allow)\b/)
    expect(existsSync(join(home.project, 'one'))).toBe(false)
    await zotui.type('1')
    await armed(zotui, 'Run this command?')
    await zotui.until('the stored mode', { check: () => folderFile(home)['mode'] === 'ask' })
    await zotui.type('y')
    await zotui.see('touch two')
    await armed(zotui, 'Run this command?')
    expect(existsSync(join(home.project, 'one'))).toBe(true)
  })

  test('that is left with Esc is ask, and is not asked for again in this folder', async () => {
    const home = homeOf({ 'script.json': JSON.stringify(['one', 'two', 'three', 'four'].map(touch)) })
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await send(zotui, 'go')
    await armed(zotui, title)
    await zotui.press('esc')
    await armed(zotui, 'Run this command?')
    await zotui.press('esc')
    await zotui.see('Stopped')
    await zotui.close()
    const again = await openGuarded(home)
    await again.see(ready)
    await send(again, 'go')
    await armed(again, 'Run this command?')
  })

  test('may be one of those behind "more", from which Esc goes back', async () => {
    const home = homeOf()
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await send(zotui, 'go')
    await armed(zotui, title)
    await zotui.type('5')
    await zotui.see(/1 read .*\n.*2 allow [^]*Esc goes back/)
    await zotui.press('esc')
    await zotui.see(/5 more/)
    await zotui.type('5')
    await zotui.see(/2 allow /)
    await zotui.type('2')
    await zotui.see('Done.')
    expect(existsSync(join(home.project, 'one')) && existsSync(join(home.project, 'two'))).toBe(true)
  })

  test('that is switched before the first call is not asked for', async () => {
    const zotui = await openGuarded(homeOf())
    await zotui.see(ready)
    await zotui.press('shift+tab')
    await zotui.see('Mode edits')
    await send(zotui, 'go')
    await armed(zotui, 'Run this command?')
    expect(zotui.history().join('\n')).not.toContain(title)
  })

  test('is not asked for by a turn that only talks', async () => {
    const home = homeOf({ 'script.json': JSON.stringify([{ text: 'Just words.' }]) })
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await send(zotui, 'go')
    await zotui.see(/Just words\.\n+ +\d\d:\d\d/)
    expect(zotui.history().join('\n')).not.toContain(title)
  })
})

describe('/permissions', () => {
  test('remembers the mode for the folder; Shift+Tab is for the session', async () => {
    const home = homeOf(asksHere)
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await zotui.press('shift+tab')
    await zotui.see('Mode edits:')
    expect(folderFile(home)).toEqual({})
    await send(zotui, '/permissions plan')
    await zotui.see('Mode plan, from now on in this folder.')
    await zotui.until('the stored mode', { check: () => folderFile(home)['mode'] === 'plan' })
    await zotui.close()
    const again = await openGuarded(home)
    await again.see('plan mode')
    await send(again, '/permissions allow')
    await again.see('also after a restart')
    await again.type('yes')
    await again.press('enter')
    await again.see('Mode allow: runs everything without asking')
    expect(folderFile(home)).toMatchObject({ mode: 'plan' })
  })

  test('names broken rules with file and line, and removes a stored one after confirmation', async () => {
    const home = homeOf({
      '.config/zotui/config.json':
        '{\n  "permissions": "ask",\n  "allow": ["Bash(touch:*)"],\n  "deny": ["Bash(rm"]\n}\n',
    })
    const zotui = await openGuarded(home)
    await zotui.see(ready)
    await send(zotui, '/permissions')
    await zotui.see(/Bash\(touch:\*\).*allow/)
    await zotui.see(/Bash\(rm.*broken.*config\.json line 4/)
    await zotui.type('touch')
    await zotui.press('enter')
    await zotui.see('remove Bash(touch:*)?')
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see(/Removed Bash\(touch:\*\) from .*config\.json line 3\./)
    expect(readFileSync(join(home.path, '.config/zotui/config.json'), 'utf8')).not.toContain('touch')
    await send(zotui, 'go')
    await zotui.see('Run this command?')
    expect(existsSync(join(home.project, 'one'))).toBe(false)
  })
})

test('Extensions that are off while zotui asks are named once, and a zot that dies while it asks closes its question with a reason', async () => {
  const home = homeOf({
    ...asksHere,
    'project/.zot/extensions/beeper/extension.json': '{ "name": "beeper", "exec": "x" }',
  })
  const zotui = await openGuarded(home)
  await zotui.see('the extension beeper is off')
  await zotui.see(ready)
  await send(zotui, '/restart')
  await zotui.see(/restart/i)
  await send(zotui, 'go')
  await zotui.see('Run this command?')
  expect(zotui.history().join('\n').split('beeper')).toHaveLength(2)
  await zotui.type('and then')
  const zot = descendants(zotui.pid).find(({ command }) => command.includes('guardable.ts'))
  expect(zot).toBeDefined()
  process.kill(zot?.pid ?? 0, 'SIGKILL')
  await zotui.gone('Run this command?')
  await zotui.see('not answered')
  await zotui.see(/\/restart starts/)
  await expectDraft(zotui, 'and then')
  expect(existsSync(join(home.project, 'one'))).toBe(false)
})

test('--read-only is shown, and refused calls say why', async () => {
  const home = homeOf()
  const zotui = await openGuarded(home, ['--read-only'])
  await zotui.see('zot can only read here')
  await zotui.see(/zotui [\d.]+ +read-only/)
  await zotui.see(/sonnet.* read-only/)
  await send(zotui, 'go')
  await zotui.see('refused: read-only mode')
  await zotui.see('Done.')
  await zotui.until('the reason in the session', { check: () => logged(home).includes('read-only mode') })
  expect(existsSync(join(home.project, 'one'))).toBe(false)
})

const stars = (count: number): string => `${'*a'.repeat(count)}*b`

test('A project that nobody trusts has rules that no expression would finish, and zotui names one, asks and answers', async () => {
  const command = `echo ${'a'.repeat(2000)} ${'a '.repeat(500)}`
  const calls = [{ id: 'long', name: 'bash', args: { command } }]
  const deny = [
    `Bash(echo ${stars(13)})`,
    `Bash(echo ${stars(11)})`,
    `Bash(echo ${'* a '.repeat(12)}b)`,
    `Read(${stars(11)})`,
  ]
  const home = homeOf({
    ...asksHere,
    'script.json': JSON.stringify([{ calls }, { text: 'Done.' }]),
    'project/.zotui/config.json': JSON.stringify({ deny, ask: [`Read(${'**/'.repeat(6)}${'a/'.repeat(50)}b)`] }),
  })
  const zotui = await openGuarded(home)
  await zotui.see(
    /the deny rule "Bash\(echo\s+\*a.*cannot\s+be\s+read, so zotui asks: a project's rule\s+has at most 12 stars, not 14/,
  )
  await zotui.see(ready)
  await send(zotui, 'go')
  await zotui.see('Run this command?')
  await zotui.see(/› \d/)
  await zotui.type('n')
  await zotui.see('Done.')
})
