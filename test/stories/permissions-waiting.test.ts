/** Calls of a guarded zot that wait: what an edited command, answers to a batch, a switch of the mode and another session let run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fill, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { homeAfter, installZot, lastingHome, logged, ready, send } from './stage.ts'

type Call = { id: string; name: string; args: Record<string, unknown> }

const bash = (command: string): Call => ({ id: command, name: 'bash', args: { command } })
const files = (zotui: Screen): string[] => readdirSync(zotui.home.project).filter(name => name !== '.zotui')

/** A home whose zot has a model that makes each of these calls in a turn, and then is done. */
function calling(home: Home, calls: readonly Call[], more: Record<string, string> = {}): Home {
  const turns = calls.flatMap(call => [{ calls: [call] }, { text: `Done: ${call.id}.` }])
  fill(home, { 'script.json': JSON.stringify(turns), ...more })
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

/** Asks about the first of these calls, and waits until the question takes keys. */
async function asked(...calls: readonly Call[]): Promise<Screen> {
  const zotui = await openIn(calling(lastingHome(), calls))
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

const nested = (id: string, ...commands: string[]): Call => ({
  id,
  name: 'nested',
  args: { calls: commands.map(command => ({ name: 'bash', args: { command } })) },
})

describe('An edited command', () => {
  test('is judged again, and is what runs in a mode that allows it, and in place of an original that the mode would run without asking', async () => {
    const config = { '.config/zotui/config.json': '{ "deny": ["Bash(rm:*)"] }' }
    const zotui = await openIn(calling(lastingHome(), [bash('touch asked'), bash('touch again')], config))
    await send(zotui, 'go')
    await armed(zotui)
    await zotui.type('e')
    await zotui.see('Run this instead:')
    await zotui.type('; rm -r src')
    await zotui.press('enter')
    await zotui.see('That would be refused')
    expect(files(zotui)).toEqual([])
    await zotui.press('ctrl+u')
    await zotui.type('touch written')
    await zotui.press('enter')
    await zotui.see('Yes, run what you wrote')
    await zotui.press('shift+tab')
    await zotui.see('mode edits')
    await zotui.see('    touch written')
    await armed(zotui)
    await zotui.type('y')
    await zotui.see('Done: touch asked.')
    expect(files(zotui)).toEqual(['written'])
    await send(zotui, '/permissions ask')
    await zotui.see('Mode ask')
    await send(zotui, 'go')
    await zotui.see('touch again')
    await armed(zotui)
    await edit(zotui, 'ls -a')
    await zotui.press('shift+tab')
    await zotui.see('Done: touch again.')
    expect(files(zotui)).toEqual(['written'])
  })

  test('of a batch is what Y runs, and runs in place of its own call only', async () => {
    const zotui = await asked(
      nested('first', 'touch asked', 'touch second'),
      nested('next', 'touch third', 'touch last'),
    )
    await zotui.type('y')
    await zotui.see('1 of 2')
    await armed(zotui)
    await edit(zotui, 'touch written')
    await zotui.type('Y')
    await zotui.see('Done: first.')
    expect(files(zotui)).toEqual(['second', 'written'])
    await send(zotui, 'go')
    await zotui.see('touch third')
    await armed(zotui)
    await zotui.type('y')
    await zotui.see('1 of 2')
    await armed(zotui)
    await edit(zotui, 'ls -a')
    await zotui.press('shift+tab')
    await zotui.gone('1 of 2')
    await zotui.see('touch last')
    await armed(zotui)
    await zotui.type('n')
    await zotui.see('Done: next.')
    expect(files(zotui)).toEqual(['second', 'written'])
  })
})

/** Writes a line below the open question, and waits for what it brings. */
async function say(zotui: Screen, line: string, seen: string): Promise<void> {
  await zotui.type(line)
  await zotui.see(`▌ ${line}`)
  await zotui.see(/Enter (?:runs|queues) \/.*no answer/)
  await zotui.press('enter')
  await zotui.see(seen)
}

describe('While a call waits', () => {
  test('Shift+Tab neither refuses it nor lets a command run, and no command runs it', async () => {
    const zotui = await openIn(calling(lastingHome(), [bash('touch asked')]))
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
    await armed(zotui)
    for (const [line, seen] of [
      ['/permissions allow', 'waiting calls too'],
      ['/permissions', 'in use'],
      ['/resume', 'this one'],
      ['/diff', 'changed by this session'],
    ] as const) {
      await say(zotui, line, seen)
      if (line === '/diff') await zotui.see('a question waits')
      expect(files(zotui)).toEqual([])
      await zotui.press('esc')
      await zotui.see('Run this command?')
      await armed(zotui)
    }
    await say(zotui, '/fork', '1 queued')
    await say(zotui, '/rewind', '2 queued')
    await say(zotui, '/clear', '3 queued')
    await say(zotui, '/exit', '› continue in the background')
    expect(files(zotui)).toEqual([])
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see('Resume this session')
    await zotui.exit()
    expect(files(zotui)).toEqual([])
  })

  test('neither another zot nor plan mode runs it', async () => {
    const zotui = await asked(bash('touch asked'), bash('touch again'))
    await say(zotui, '/restart', 'Restarted zot')
    await zotui.see(ready)
    expect(files(zotui)).toEqual([])
    // The next zot goes on where the last one stopped.
    await send(zotui, 'go')
    await zotui.see('Done: touch asked.')
    await send(zotui, 'go')
    await zotui.see('touch again')
    await armed(zotui)
    await say(zotui, '/plan', 'refused: plan mode')
    await zotui.see('Done: touch again.')
    expect(files(zotui)).toEqual([])
  })

  const afterKill = homeAfter(async home => {
    const zotui = await openIn(calling(home, [bash('touch asked')]))
    await send(zotui, 'go')
    await armed(zotui)
    zotui.kill('SIGKILL')
    await zotui.exit()
  })

  test.each(['--continue', '/resume'])(
    'and zotui is killed, %s shows it as not answered, and does not ask again',
    async how => {
      const zotui = await openIn(await afterKill(), how === '--continue' ? [how] : [])
      if (how === '/resume') {
        await send(zotui, how)
        await zotui.see('1 turn')
        await zotui.press('enter')
      }
      await zotui.see(/touch asked +(?:not answered|stopped)/)
      await zotui.see('Resumed the session')
      await send(zotui, 'and now')
      await zotui.see('Done: touch asked.')
      expect(files(zotui)).toEqual([])
    },
  )
})

describe('The text of a call', () => {
  const clear = '\u001B[2J'
  const title = '\u001B]0;taken\u0007'
  const turned = '\u202Etxt.exe\u2066'
  const command = `touch asked ${clear}${title}${turned}\rls`

  test('cannot reach the terminal from a question, a list, the viewer or an export, and shows no secret of the environment', async () => {
    const key = 'hunter2hunter2hunter2'
    const secret = { ...bash(`printf %s ${key} > asked`), id: 'secret' }
    const zotui = await openIn(calling(lastingHome(), [bash(command), secret]), [], { MY_API_KEY: key })
    await send(zotui, 'go')
    await armed(zotui)
    await zotui.see('⟦U+202E⟧')
    await zotui.see('has hidden characters')
    await zotui.type('m')
    await zotui.see(/Exactly this command[^]*stores Bash\(=touch asked ␛/)
    await zotui.press('esc')
    await zotui.see('Run this command?')
    await zotui.type('a')
    await zotui.see('Done: ')
    await send(zotui, '/permissions')
    await zotui.see(/Bash\(=touch asked ␛\[2J␛\]0;taken␇⟦/)
    await zotui.press('esc')
    await zotui.gone('in use')
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    await zotui.type('q')
    for (const name of ['out.md', 'out.html', 'out.json']) {
      await send(zotui, `/export ${name}`)
      await zotui.see(new RegExp(`Written: .*${name}`))
      const text = readFileSync(join(zotui.home.project, name), 'utf8')
      expect(text).toContain('touch asked')
      expect(text).not.toMatch(/[\u001B\u0007\u202E\u2066\r]/u)
    }
    await send(zotui, 'go')
    await zotui.see('Run this command?')
    await armed(zotui)
    await zotui.type('y')
    await zotui.see('Done: secret.')
    expect(readFileSync(join(zotui.home.project, 'asked'), 'utf8')).toBe(key)
    const shown = zotui.bytes().toString()
    expect(shown).not.toContain(key)
    expect(logged(zotui.home)).not.toContain(key)
    expect(zotui.around.titles.join(' ')).not.toContain('taken')
    expect(shown).not.toMatch(/[\u202E\u2066]/u)
  })
})

test('A project that is not trusted lets nothing run by its settings, nor by a command', async () => {
  const config = '{ "permissions": "allow", "allow": ["Bash", "Edit"] }'
  const command = '---\npermissions: allow\nallowed-tools: Bash(touch:*)\n---\n!`touch ran`\ngo'
  const own = { 'project/.zotui/config.json': config, 'project/.zotui/commands/run.md': command }
  const zotui = await openIn(calling(lastingHome(), [bash('touch asked'), bash('touch again')], own), [], {
    ZOTUI_PERMISSIONS: undefined,
    ready: 'ignore them',
  })
  await zotui.press('esc')
  await zotui.see(/^▌$/m)
  await send(zotui, 'go')
  await zotui.see('What may the agent do without asking?')
  await armed(zotui)
  await zotui.type('1')
  await zotui.see('Run this command?')
  await armed(zotui)
  expect(files(zotui)).toEqual([])
  await zotui.type('n')
  await zotui.see('Done: touch asked.')
  await send(zotui, '/run')
  await zotui.see('touch again')
  await armed(zotui)
  expect(files(zotui)).toEqual([])
})
