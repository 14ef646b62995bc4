/** An agent with sessions of its own remembers what zotui continues with: each answer is what the agent knows. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { homeAfter, installAgent, installZot, program, send } from './stage.ts'

/** Installs an agent under the name of a known one. Returns the variables for it. */
function install(home: Home, can: string): Record<string, string> {
  const first = `export ACP_CAN=${can} ACP_STORE='${join(home.path, 'store.json')}'`
  const path = installAgent(home, { name: 'claude-agent-acp', agent: 'acp-sessions', first })
  return { PATH: `${dirname(path)}:/usr/bin:/bin`, ZOTUI_ZOT: installZot(home, 'echo') }
}

const EVERYTHING = 'list,resume,load,fork'

async function start(home: Home, can: string, ...args: string[]): Promise<Screen> {
  const zotui = await open({ home, args, env: () => install(home, can) })
  await zotui.see(/claude 1\.0\.0|Resumed the session/)
  return zotui
}

/** Sends a prompt and waits for the answer. */
async function ask(zotui: Screen, prompt: string, answer: string): Promise<void> {
  await send(zotui, prompt)
  await zotui.see(answer)
  await zotui.gone(/\ds\s+Esc stops/)
}

/** A home with a session of two prompts. An agent that opens it later may have other abilities than the one that began it. */
const conversed = homeAfter(async home => {
  const zotui = await start(home, EVERYTHING, '--agent', 'claude')
  await ask(zotui, 'one', 's1 knows one.')
  await ask(zotui, 'two', 's1 knows one, two.')
  await zotui.close()
})

describe('--continue', () => {
  test.each([
    ['resumes', EVERYTHING],
    ['loads, and repeats', 'load'],
  ])(
    'of an agent that %s its session continues in it, shows the conversation once, and does so after a restart and a death',
    async (_how, can) => {
      const zotui = await start(await conversed(), can, '--continue')
      await zotui.see('claude remembers all of it.')
      expect(zotui.screen().join('\n')).not.toContain('summary')
      await ask(zotui, 'three', 's1 knows one, two, three.')
      const all = zotui.screen().join('\n')
      expect(all.match(/s1 knows one\./g)).toHaveLength(1)
      expect(all).not.toContain('I was told')
      await send(zotui, '/restart')
      await zotui.see(/Restarted claude\. claude remembers all of it/)
      await ask(zotui, 'four', 's1 knows one, two, three, four.')
      zotui.forget()
      await send(zotui, 'die')
      await zotui.see('restart it')
      await zotui.press('down', 'enter')
      await zotui.see(/Restarted claude\. claude remembers all of it/)
      await ask(zotui, 'five', 's1 knows one, two, three, four, five.')
      expect(zotui.history().join('\n')).not.toContain('I was told')
    },
  )

  test('says that the agent cannot open its session, and sends a summary', async () => {
    const zotui = await start(await conversed(), '', '--continue')
    await zotui.see('claude did not open its own session: It cannot open earlier sessions.')
    await zotui.see(/Your\s+next prompt includes this conversation/)
    await ask(zotui, 'three', 's2 knows a summary.')
    await zotui.close()
  })

  test('says that the agent has lost its session, sends a summary, and continues in the new session the next time, or in a copy if it is open elsewhere', async () => {
    const home = await conversed()
    writeFileSync(join(home.path, 'store.json'), '[]')
    const zotui = await start(home, EVERYTHING, '--continue')
    await zotui.see('claude did not open its own session: Resource not found.')
    await ask(zotui, 'three', 's1 knows a summary.')
    await zotui.close()
    const again = await start(home, EVERYTHING, '--continue')
    await again.see('claude remembers all of it.')
    await ask(again, 'four', 's1 knows a summary, four.')
    const second = await start(home, EVERYTHING, '--continue')
    await second.see(/you\s+continue\s+in\s+a\s+fork/)
    await second.see('claude remembers all of it.')
    await ask(second, 'five', 's2 knows a summary, four, five.')
    await ask(again, 'six', 's1 knows a summary, four, six.')
    await second.close()
    await again.close()
  })

  test('with another agent sends it a summary, and the first one has its own session back if nothing was said; the mode is shown with zot only', async () => {
    const home = await conversed()
    const other = await open({ home, args: ['--continue', '--agent', 'zot'], env: () => install(home, EVERYTHING) })
    await other.see('Your next prompt includes this conversation')
    await other.see(/all allowed/)
    await send(other, '/agent claude')
    await other.see('Switched to claude. claude remembers all of it.')
    await other.gone(/all allowed/)
    await ask(other, 'three', 's1 knows one, two, three.')
    await send(other, '/agent zot')
    await other.see(/all allowed/)
  })

  test('continues with -p in the session of the agent, or says why not', async () => {
    const home = await conversed()
    const run = (can: string) =>
      execa(process.execPath, [program, '--continue', '-p', 'three'], {
        env: environment(home.path, install(home, can)),
        extendEnv: false,
        stdin: 'ignore',
        cwd: home.project,
      })
    const found = await run(EVERYTHING)
    expect(found.stdout).toBe('s1 knows one, two, three.')
    expect(found.stderr).not.toContain('session')
    const without = await run('list')
    expect(without.stdout).toMatch(/^s\d knows a summary\.$/)
    expect(without.stderr).toContain('claude did not open its own session: It cannot open earlier sessions.')
  })
})

test("/resume continues in the agent's session of another conversation, and both are listed once", async () => {
  const home = await conversed()
  const zotui = await start(home, EVERYTHING, '--agent', 'claude')
  // Zotui's mode decides nothing here.
  expect(zotui.screen().join('\n')).not.toContain('all allowed')
  await ask(zotui, 'other', 's2 knows other.')
  await zotui.type('/resume')
  await zotui.press('enter')
  await zotui.see(/^ {2}› .*other/m)
  await zotui.see(/^ {4}.*one/m)
  expect(zotui.screen().join('\n')).not.toContain("the agent's s")
  await zotui.press('down', 'enter')
  await zotui.see('Resumed the session')
  await zotui.see('claude remembers all of it.')
  await ask(zotui, 'three', 's1 knows one, two, three.')
  await zotui.type('/resume other')
  await zotui.press('enter')
  await zotui.see(/^ {2}› .*other/m)
  await zotui.press('enter')
  await zotui.see(/Resumed the session[^\n]*1 turn/)
  await ask(zotui, 'more', 's2 knows other, more.')
  await zotui.close()
})

describe('/fork', () => {
  test("continues after the last turn in a copy of the agent's session, sends a summary after an earlier one, and /clear begins another session, saved as another one", async () => {
    const home = await conversed()
    const zotui = await start(home, EVERYTHING, '--continue')
    await zotui.see('claude remembers all of it.')
    await send(zotui, '/fork')
    await zotui.see(/fork after/)
    await zotui.press('enter')
    await zotui.see('This is a fork after "two"')
    await ask(zotui, 'three', 's2 knows one, two, three.')
    await zotui.close()
    const again = await start(home, EVERYTHING, '--continue')
    await ask(again, 'four', 's2 knows one, two, three, four.')
    await send(again, '/fork')
    await again.see(/fork after/)
    await again.press('down', 'enter')
    await again.see('This is a fork after "three"')
    await again.see(/Your\s+next prompt includes this conversation/)
    await ask(again, 'five', 's3 knows a summary.')
    await send(again, '/clear')
    await ask(again, 'new', 's4 knows new.')
    await send(again, '/restart')
    await again.see(/Restarted claude\. claude remembers/)
    await ask(again, 'newer', 's4 knows new, newer.')
    await again.close()
    const folder = join(home.path, '.local/state/zotui/sessions')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /-\w{8}\.jsonl$/.test(name))
    const opened = files.map(name => readFileSync(join(folder, name), 'utf8').match(/"agent_session_opened"[^}]*/g))
    const ids = opened.map(lines => (lines ?? []).map(line => /"id":"(s\d)"/.exec(line)?.[1]).join(' '))
    expect(ids.filter(each => each.includes('s4'))).toEqual(['s4 s4'])
  })

  test('says that the agent cannot copy its session, and sends a summary', async () => {
    const home = await conversed()
    const zotui = await start(home, 'resume', '--continue')
    await zotui.see('claude remembers all of it.')
    await send(zotui, '/fork')
    await zotui.see(/fork after/)
    await zotui.press('enter')
    await zotui.see('claude did not open its own session: It cannot open earlier sessions.')
    await ask(zotui, 'three', 's2 knows a summary.')
    await zotui.close()
  })
})
