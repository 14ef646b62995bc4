/** Folders that the user opens, and MCP servers, with an agent of the Agent Client Protocol. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fill, makeHome, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installAgent, installZot, send, withCheckpoints } from './stage.ts'

/** Installs an agent that says what it was opened with. Returns the variables for it. */
function install(home: Home): Record<string, string> {
  const first = `export ACP_CAN=resume,additionalDirectories ACP_STORE='${join(home.path, 'store.json')}'`
  const path = installAgent(home, { name: 'claude-agent-acp', agent: 'acp-sessions', first })
  return {
    PATH: `${dirname(path)}:/usr/bin:/bin`,
    ZOTUI_ZOT: installZot(home, 'echo'),
    TRACKER_TOKEN: 'a-long-secret-0123',
  }
}

async function start(home: Home, ...args: string[]): Promise<Screen> {
  const zotui = await open({ home, args, env: () => install(home) })
  await zotui.see(/claude 1\.0\.0|Resumed the session/)
  return zotui
}

/** Sends a prompt and waits for the answer. */
async function ask(zotui: Screen, prompt: string, answer: string | RegExp): Promise<void> {
  await send(zotui, prompt)
  await zotui.see(answer)
  // A turn may go on for a moment after its last word.
  await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
}

test('/add-dir opens a folder to the running session, and --continue opens it again', async () => {
  const home = makeHome()
  const beside = join(home.path, 'beside')
  mkdirSync(beside)
  const zotui = await start(home, '--agent', 'claude')
  await ask(zotui, 'one', 's1 knows one.')
  await send(zotui, '/add-dir ..')
  await zotui.see('.. cannot be opened: it')
  await send(zotui, `/add-dir ${beside}`)
  await zotui.see('Opened ~/beside for this session.')
  await ask(zotui, 'opened with', `s1 has ["${beside}"]`)
  await zotui.close()
  const later = await start(home, '--continue')
  await send(later, 'opened with')
  // The answer of the earlier run stands above it.
  const answers = (): number => later.screen().filter(line => line.includes('s1 has [')).length
  await later.until('a second answer', { check: () => answers() === 2 })
  await later.gone('Esc stops')
  await send(later, '/add-dir')
  await later.see(/~\/beside +close it/)
  await later.press('enter')
  await later.see('Closed ~/beside.')
  await ask(later, 'opened with', 's1 has nothing')
  await later.close()
})

test('/rewind restores the files of an opened folder, and /rewind undo brings them back', async () => {
  const home = makeHome()
  const beside = join(home.path, 'beside')
  const file = join(beside, 'b.txt')
  mkdirSync(beside)
  writeFileSync(file, 'one')
  const env = () => ({ ...install(home), ...withCheckpoints })
  const zotui = await open({ home, args: ['--agent', 'claude'], env })
  await zotui.see('claude 1.0.0')
  await send(zotui, `/add-dir ${beside}`)
  await zotui.see('Opened ~/beside for this session.')
  await ask(zotui, 'first', 's2 knows first.')
  writeFileSync(file, 'two')
  await send(zotui, '/rewind first')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await zotui.see(/restores \+1 -1 +\S*beside/)
  await zotui.see('Files only')
  await zotui.press('down', 'down', 'enter')
  await zotui.see('Restored 1 file.')
  expect(readFileSync(file, 'utf8')).toBe('one')
  await send(zotui, '/rewind undo')
  await zotui.see('undo the last restore')
  await zotui.press('enter')
  await zotui.until('the file as it was', { check: () => readFileSync(file, 'utf8') === 'two' })
  await zotui.close()
})

test('an agent gets the servers of the settings, and /mcp says which one it does not take', async () => {
  const home = makeHome()
  const mcp = {
    files: { command: 'files', env: { TOKEN: '$TRACKER_TOKEN' } },
    tracker: { type: 'http', url: 'https://mcp.example/' },
    other: { command: 'other', env: { KEY: '$NOT_SET_ANYWHERE' } },
  }
  fill(home, { '.config/zotui/config.json': JSON.stringify({ mcp }) })
  const zotui = await start(home, '--agent', 'claude')
  await zotui.see('The MCP server tracker is left out: claude takes no servers of the type http.')
  await zotui.see('The MCP server other is left out: the variable NOT_SET_ANYWHERE is not set.')
  await send(zotui, 'servers')
  // The secret is masked after its first characters.
  await zotui.see(/s1 has files a-l\[hidden\]/)
  await send(zotui, '/mcp')
  await zotui.see('passed to claude, which has reported no problem with it')
  await zotui.see(/did not start: .*claude takes no servers of the type http/)
  expect(zotui.screen().join('\n')).not.toContain('a-long-secret')
  await zotui.close()
})
