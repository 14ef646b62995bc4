/** Hooks of the user in the real program: they see prompts, calls and turns, and answer where that matters. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { environment, homeWith, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, openDemo, program, quick, send, type Outcome } from './stage.ts'

type Hooks = Record<string, readonly (string | { matcher: string; command: string })[]>

const settingsOf = (hooks: Hooks): string =>
  JSON.stringify({
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, rows]) => [
        event,
        rows.map(row =>
          typeof row === 'string'
            ? { hooks: [{ type: 'command', command: row }] }
            : { matcher: row.matcher, hooks: [{ command: row.command }] },
        ),
      ]),
    ),
  })

function homeOf(hooks: Hooks): Home {
  const home = homeWith({ '.config/zotui/config.json': settingsOf(hooks) })
  onTestFinished(() => home.remove())
  return home
}

const openIn = (home: Home, env: Record<string, string> = {}): Promise<Screen> =>
  openDemo({ home, rows: 40, env: { ...quick, ZOTUI_PERMISSIONS: 'ask', ...env } })

/** The lines of JSON that hooks with `cat >>../log` have got. */
const logged = (home: Home): Record<string, unknown>[] => {
  const path = join(home.path, 'log')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

const LOG = 'cat >>../log'
const answer = (fields: object): string => `echo '${JSON.stringify(fields)}'`
const request = (behavior: string, message = ''): string =>
  answer({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, message } } })

test('a prompt returns to the composer if a hook blocks it or is stopped, and is sent with the text of hooks', async () => {
  const check = `case "$(cat)" in
    *secret*) echo keep it to yourself >&2; exit 2;;
    *slowly*) sleep 4741.1;;
    *) echo branch main;;
  esac`
  const zotui = await openIn(homeOf({ SessionStart: ['echo on call today'], UserPromptSubmit: [check] }))
  await send(zotui, 'my secret')
  await zotui.see('A hook blocked the prompt: Keep it to yourself.')
  await expectDraft(zotui, 'my secret')
  await zotui.press('ctrl+u')
  await send(zotui, 'help slowly')
  await zotui.see('waiting for a hook')
  await zotui.press('esc')
  await zotui.see('Stopped the hooks that check the prompt.')
  await expectDraft(zotui, 'help slowly')
  await zotui.gone('waiting for a hook')
  await zotui.press('ctrl+u')
  await send(zotui, 'help')
  await zotui.see('with text from a hook')
  await zotui.see('I am the demo agent of zotui')
  expect(zotui.history().join('\n')).not.toMatch(/▌ my secret|▌ help slowly/)
})

describe('a call', () => {
  test('is refused with the words of a hook, or runs if it allows it, without a question or a notification', async () => {
    const wait = `touch ../asked; until [ -e ../go ]; do sleep 0.05; done; ${request('allow')}`
    const command = `if [ -e ../allow ]; then ${wait}; else ${request('deny', 'not today')}; fi`
    const home = homeOf({ PermissionRequest: [{ matcher: 'Bash', command }] })
    const zotui = await openIn(home)
    await send(zotui, 'tools')
    await zotui.see(/npm test .*blocked by your hook: not today/)
    await zotui.see('Two went well')
    await send(zotui, '/hooks')
    await zotui.see(/PermissionRequest Bash if/)
    await zotui.see(/exit code 0, refused, not\s+today/)
    writeFileSync(join(home.path, 'allow'), '')
    await send(zotui, 'tools again')
    await zotui.see('waiting for a hook')
    expect(zotui.screen().join('\n')).not.toMatch(/Run this command|waiting for your answer/)
    expect(zotui.around.title).not.toContain('?')
    writeFileSync(join(home.path, 'go'), '')
    await zotui.see('Tests  49 passed')
    await zotui.seeInHistory(/Two went well[^]*Two went well/)
    expect(zotui.around.titles.filter(title => title.includes('?'))).toEqual([])
    expect(zotui.history().join('\n')).not.toMatch(/Run this command|waiting for your answer/)
  })

  test('stays denied by a rule, whatever a hook says', async () => {
    const home = homeWith({
      '.config/zotui/config.json': settingsOf({ PreToolUse: [answer({ decision: 'approve' })] }).replace(
        /^\{/,
        '{ "deny": ["Bash(npm test:*)"], ',
      ),
    })
    onTestFinished(() => home.remove())
    const zotui = await openIn(home)
    await send(zotui, 'tools')
    await zotui.see(/npm test\s+refused by the rule Bash\(npm test:\*\)/)
    await zotui.see('Two went well')
    expect(zotui.history().join('\n')).not.toContain('Tests  49 passed')
  })
})

describe('hooks', () => {
  test('get the events of the session, calls and turns, and leave a call to the user if they fail, also where the mode allows it', async () => {
    const fail = { matcher: 'write', command: '[ ! -e ../fails ]' }
    const home = homeOf({
      SessionStart: [LOG],
      PreToolUse: [LOG, fail],
      PostToolUse: [LOG],
      Stop: [LOG],
      Notification: [LOG],
    })
    const zotui = await openIn(home, { ZOTUI_PERMISSIONS: 'allow' })
    await send(zotui, 'write')
    await zotui.see('in a manner of speaking')
    await zotui.until('the end of the turn', {
      check: () => logged(home).some(each => each['hook_event_name'] === 'Stop'),
    })
    const told = logged(home).filter(({ tool_name: tool }) => tool === undefined || tool === 'write')
    expect(told.map(({ hook_event_name: event }) => event)).toEqual([
      'SessionStart',
      'PreToolUse',
      'PostToolUse',
      'Stop',
    ])
    expect(told[0]).toMatchObject({ source: 'startup', cwd: home.project, permission_mode: 'allow', agent: 'demo' })

    writeFileSync(join(home.path, 'fails'), '')
    await send(zotui, 'write')
    await zotui.see('Create hello.html?')
    await zotui.see('A hook failed with exit code 1')
    await zotui.see(/› \d/)
    await zotui.type('y')
    await zotui.seeInHistory(/in a manner of speaking[^]*in a manner of speaking/)
    expect(logged(home).find(each => each['hook_event_name'] === 'Notification')).toMatchObject({
      notification_type: 'permission_prompt',
    })
  })

  test('do not run for an untrusted project, and /hooks shows them', async () => {
    const home = homeWith({ 'project/.zotui/config.json': settingsOf({ UserPromptSubmit: ['touch ../ran; exit 2'] }) })
    onTestFinished(() => home.remove())
    const zotui = await openIn(home)
    await zotui.see(/until you trust this project \(\/settings trust\):\s+hooks\.$/m)
    await zotui.see('hooks = 1 commands (/hooks lists them)')
    await zotui.press('esc')
    await send(zotui, '/hooks')
    await zotui.see(/UserPromptSubmit touch ..\/ran; exit 2\n.*does not run until you trust/)
    await send(zotui, 'help')
    await zotui.see('I am the demo agent of zotui')
    expect(existsSync(join(home.path, 'ran'))).toBe(false)
    await send(zotui, '/settings trust')
    await zotui.see(/trust them/)
    await zotui.press('down', 'enter')
    await zotui.see('Trusted.')
    await send(zotui, 'help')
    await zotui.see('A hook blocked the prompt')
    expect(existsSync(join(home.path, 'ran'))).toBe(true)
    await zotui.press('ctrl+u')
    await send(zotui, '/hooks off')
    await zotui.see('No hook runs: you turned hooks off with /hooks off.')
  })

  test('end when zotui exits', async () => {
    const home = homeOf({ Stop: ['touch ../stopped; trap "" TERM; sleep 4742.1; sleep 4742.1'] })
    const zotui = await openIn(home)
    await send(zotui, 'help')
    await zotui.until('the hook', { check: () => existsSync(join(home.path, 'stopped')) })
    await zotui.close()
  })
})

async function print(home: Home, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, '--demo', '-p', ...args], {
    cwd: home.project,
    env: environment(home.path, { ...quick, ZOTUI_PERMISSIONS: 'ask', ...env }),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 15_000,
  })
  return { code: exitCode, stdout, stderr }
}

describe('with -p', () => {
  test('a hook allows a call that would be refused, and gets the end before the exit; a zotui that it starts runs no hooks', async () => {
    const inner = `cat >/dev/null; ${process.execPath} ${program} --demo -p help >../inner </dev/null; echo x >>../times`
    const home = homeOf({ PermissionRequest: [request('allow')], Stop: [`sleep 0.3; ${LOG}`, inner] })
    expect(await print(home, ['danger'])).toMatchObject({ code: 0, stderr: '' })
    expect(logged(home)[0]).toMatchObject({ hook_event_name: 'Stop', permission_mode: 'ask' })
    expect(readFileSync(join(home.path, 'times'), 'utf8')).toBe('x\n')
    expect(readFileSync(join(home.path, 'inner'), 'utf8')).toContain('I am the demo agent')
  })

  test('a hook refuses a call that the mode allows', async () => {
    const home = homeOf({ PreToolUse: [{ matcher: 'bash', command: 'echo no commands >&2; exit 2' }] })
    const { code, stdout } = await print(home, ['--json', 'danger'], { ZOTUI_PERMISSIONS: 'allow' })
    expect(code).toBe(0)
    expect(stdout.match(/"call_refused".*your hook: no commands/g)).toHaveLength(2)
    expect(stdout).not.toContain('permission_requested')
  })

  test('a hook that fails refuses the call', async () => {
    const home = homeOf({ PermissionRequest: ['exit 1'] })
    const { code, stderr } = await print(home, ['danger'])
    expect(code).toBe(3)
    expect(stderr.match(/cannot ask: a hook failed with exit code 1/g)).toHaveLength(4)
  })

  test('hooks answer in the background while no UI is attached', async () => {
    const home = homeOf({ PermissionRequest: [request('allow')], Stop: [LOG] })
    expect((await print(home, ['--background', 'danger'])).code).toBe(0)
    await vi.waitFor(() => expect(logged(home)[0]).toMatchObject({ hook_event_name: 'Stop' }), { timeout: 15_000 })
  })

  test('a blocked prompt is an error, and nothing is sent', async () => {
    const home = homeOf({ UserPromptSubmit: ['echo not on Fridays >&2; exit 2'] })
    const { code, stderr, stdout } = await print(home, ['help'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('A hook blocked the prompt: Not on Fridays.')
  })
})
