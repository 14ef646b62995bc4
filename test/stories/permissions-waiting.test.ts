/** Calls of a guarded zot that wait: what an edited command, answers to a batch, a switch of the mode and another session let run. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installZot, lastingHome, logged, ready, send } from './stage.ts'

type Call = { id: string; name: string; args: Record<string, unknown> }

const bash = (command: string): Call => ({ id: command, name: 'bash', args: { command } })
const files = (zotui: Screen): string[] => readdirSync(zotui.home.project).filter(name => name !== '.zotui')

/** A home with a zot whose model makes these calls in one step, and then is done. */
function homeWith(calls: readonly Call[], more: Record<string, string> = {}): Home {
  const home = lastingHome()
  const script = JSON.stringify([{ calls }, { text: 'Done.' }, { text: 'Later.' }])
  for (const [name, text] of Object.entries({ 'script.json': script, ...more })) {
    mkdirSync(dirname(join(home.path, name)), { recursive: true })
    writeFileSync(join(home.path, name), text)
  }
  return home
}

async function openIn(
  home: Home,
  args: readonly string[] = [],
  { ready: seen, ...more }: Record<string, string | undefined> = {},
): Promise<Screen> {
  const env = {
    ZOTUI_ZOT: installZot(home, 'guardable'),
    ZOT_SCRIPT: join(home.path, 'script.json'),
    ZOTUI_PERMISSIONS: 'ask',
    ...more,
  }
  const zotui = await open({ args, home, env })
  await zotui.see(seen ?? ready)
  return zotui
}

/** Asks about these calls, and waits until the question takes keys. */
async function asked(calls: readonly Call[]): Promise<Screen> {
  const zotui = await openIn(homeWith(calls))
  await send(zotui, 'go')
  await armed(zotui)
  return zotui
}

async function armed(zotui: Screen): Promise<void> {
  await zotui.see(/› \d/)
}

/** Writes another command in the place of the one that is asked about. */
async function edit(zotui: Screen, command: string): Promise<void> {
  await zotui.type('e')
  await zotui.see('Run this instead:')
  await zotui.press('ctrl+u')
  await zotui.type(command)
  await zotui.press('enter')
  await zotui.see('Yes, run what you wrote')
}

const nested = (...commands: string[]): Call => ({
  id: 'batch',
  name: 'nested',
  args: { calls: commands.map(command => ({ name: 'bash', args: { command } })) },
})

describe('An edited command', () => {
  test('is what runs when the mode then allows it', async () => {
    const zotui = await asked([bash('touch asked')])
    await edit(zotui, 'touch written')
    await zotui.press('shift+tab')
    await zotui.see('mode edits')
    await zotui.see('Reason: touch written')
    await armed(zotui)
    await zotui.type('y')
    await zotui.see('Done.')
    expect(files(zotui)).toEqual(['written'])
  })

  test('runs in place of the original if the mode would run it unasked', async () => {
    const zotui = await asked([bash('touch asked')])
    await edit(zotui, 'ls -a')
    await zotui.press('shift+tab')
    await zotui.see('Done.')
    expect(files(zotui)).toEqual([])
  })

  test('runs in place of its own call only when a batch is answered', async () => {
    const zotui = await asked([nested('touch asked', 'touch second')])
    await zotui.type('y')
    await zotui.see('1 of 2')
    await armed(zotui)
    await edit(zotui, 'ls -a')
    await zotui.press('shift+tab')
    await zotui.gone('1 of 2')
    await zotui.see('touch second')
    await armed(zotui)
    expect(files(zotui)).toEqual([])
    await zotui.type('n')
    await zotui.see('Done.')
    expect(files(zotui)).toEqual([])
  })

  test('is what Y runs', async () => {
    const zotui = await asked([nested('touch asked', 'touch second')])
    await zotui.type('y')
    await zotui.see('1 of 2')
    await armed(zotui)
    await edit(zotui, 'touch written')
    await zotui.type('Y')
    await zotui.see('Done.')
    expect(files(zotui)).toEqual(['second', 'written'])
  })

  test('is judged again: a denied one is not taken', async () => {
    const home = homeWith([bash('touch asked')], {
      '.config/zotui/config.json': '{ "deny": ["Bash(rm:*)"] }',
    })
    const zotui = await openIn(home)
    await send(zotui, 'go')
    await armed(zotui)
    await zotui.type('e')
    await zotui.see('Run this instead:')
    await zotui.type('; rm -r src')
    await zotui.press('enter')
    await zotui.see('That would be refused')
    expect(files(zotui)).toEqual([])
  })
})

describe('While a call waits', () => {
  test('Shift+Tab neither refuses it nor lets a command run', async () => {
    const zotui = await openIn(homeWith([bash('touch asked')]))
    await send(zotui, '/permissions allow')
    await zotui.see('allow everything?')
    await zotui.type('yes')
    await zotui.press('enter')
    await zotui.see('Mode allow')
    await zotui.press('shift+tab')
    await zotui.see('Mode ask')
    await send(zotui, 'go')
    await armed(zotui)
    for (const mode of ['edits', 'ask', 'edits', 'ask']) {
      await zotui.press('shift+tab')
      await zotui.see(`mode ${mode}`)
    }
    await zotui.see('Run this command?')
    expect(files(zotui)).toEqual([])
  })

  test('mode allow is confirmed again, and says that the call then runs', async () => {
    const zotui = await asked([bash('touch asked')])
    await zotui.type('/permissions allow')
    await zotui.see('draft  /permissions allow')
    await zotui.press('enter')
    await zotui.see('also what waits')
    expect(files(zotui)).toEqual([])
    await zotui.press('esc')
    await zotui.see('Run this command?')
    expect(files(zotui)).toEqual([])
  })

  test.each([
    ['/fork', '1 queued'],
    ['/rewind', '1 queued'],
    ['/clear', '1 queued'],
    ['/resume', 'this one'],
    ['/diff', 'changed by this session'],
    ['/permissions', 'in use'],
    ['/restart', 'Restarted zot'],
    ['/plan', 'Refused: plan mode is on'],
    ['/exit', '› continue in the background'],
  ])('%s runs nothing', async (line, seen) => {
    const zotui = await asked([bash('touch asked')])
    await zotui.type(line)
    await zotui.see(`draft  ${line}`)
    await zotui.press('enter')
    await zotui.see(seen)
    if (line === '/diff') await zotui.see('a question waits')
    if (line === '/exit') {
      await zotui.press('down')
      await zotui.press('enter')
      await zotui.see('Resume this session')
      await zotui.exit()
    }
    expect(files(zotui)).toEqual([])
  })

  test.each(['--continue', '/resume'])(
    'and zotui is killed, %s shows it as not answered, and asks no more',
    async how => {
      const home = homeWith([bash('touch asked')])
      const first = await openIn(home)
      await send(first, 'go')
      await armed(first)
      first.kill('SIGKILL')
      await first.exit()
      const zotui = await openIn(home, how === '--continue' ? [how] : [])
      if (how === '/resume') {
        await send(zotui, how)
        await zotui.see('1 turn')
        await zotui.press('enter')
      }
      await zotui.see(/touch asked +(?:not answered|aborted)/)
      await zotui.see('Resumed the session')
      await send(zotui, 'and now')
      await zotui.see('Done.')
      expect(files(zotui)).toEqual([])
    },
  )
})

describe('The text of a call', () => {
  const clear = '\u001B[2J'
  const title = '\u001B]0;taken\u0007'
  const turned = '\u202Etxt.exe\u2066'
  const command = `touch asked ${clear}${title}${turned}\rls`

  test('cannot reach the terminal from a question, a list, the viewer or an export', async () => {
    const zotui = await asked([bash(command)])
    await zotui.see('⟦U+202E⟧')
    await zotui.see('has hidden characters')
    await zotui.type('a')
    await zotui.see('Exactly this command')
    await zotui.press('enter')
    await zotui.see('For this session')
    await zotui.press('enter')
    await zotui.see('Done.')
    await send(zotui, '/permissions')
    await zotui.see(/Bash\(=touch asked ␛\[2J␛\]0;taken␇⟦/)
    await zotui.press('esc')
    await zotui.gone('in use')
    await zotui.press('ctrl+o')
    await zotui.see('q back')
    await zotui.type('q')
    for (const name of ['out.md', 'out.html', 'out.json']) {
      await send(zotui, `/export ${name}`)
      await zotui.see(new RegExp(`Written: .*${name}`))
      const text = readFileSync(join(zotui.home.project, name), 'utf8')
      expect(text).toContain('touch asked')
      expect(text).not.toMatch(/[\u001B\u0007\u202E\u2066\r]/u)
    }
    expect(zotui.around.titles.join(' ')).not.toContain('taken')
    expect(zotui.bytes().toString()).not.toMatch(/[\u202E\u2066]/u)
  })

  test('shows no secret of the environment, and runs with it', async () => {
    const secret = 'hunter2hunter2hunter2'
    const home = homeWith([bash(`printf %s ${secret} > asked`)])
    const zotui = await openIn(home, [], { MY_API_KEY: secret })
    await send(zotui, 'go')
    await armed(zotui)
    await zotui.type('y')
    await zotui.see('Done.')
    expect(readFileSync(join(home.project, 'asked'), 'utf8')).toBe(secret)
    expect(zotui.bytes().toString()).not.toContain(secret)
    expect(logged(home)).not.toContain(secret)
  })
})

describe('A project that is not trusted', () => {
  test.each([
    ['its settings', 'config.json', '{ "permissions": "allow", "allow": ["Bash", "Edit"] }', 'go'],
    [
      'a command',
      'commands/run.md',
      '---\npermissions: allow\nallowed-tools: Bash(touch:*)\n---\n!`touch ran`\ngo',
      '/run',
    ],
  ])('lets nothing run by %s', async (_what, name, text, line) => {
    const home = homeWith([bash('touch asked')], { [`project/.zotui/${name}`]: text })
    const zotui = await openIn(home, [], {
      ZOTUI_PERMISSIONS: undefined,
      ready: 'What may the agent do without asking?',
    })
    await armed(zotui)
    await zotui.type('1')
    if (name === 'config.json') {
      await zotui.see('ignore them')
      await zotui.press('esc')
    }
    await zotui.see(/^▌$/m)
    await send(zotui, line)
    await zotui.see('Run this command?')
    await armed(zotui)
    expect(files(zotui)).toEqual([])
  })
})
