/**
 * The disks are full or read-only: those of the state, of the settings and of the project. Each trouble is one line, nothing that was typed or
 * said is lost, no part of a file is left, and all of it works again when there is room.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { installZot, lastingHome, openZot, program, ready, withCheckpoints } from '../stories/stage.ts'

/** Some systems let nobody mount without more rights. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

/** Small disks for what zotui writes. */
const SMALL = ['state', 'config'].map(
  (name, index) => `mount -t tmpfs -o size=${index ? '64k' : '1m'} none "$HOME/${name}"`,
)
const mounted = [...SMALL, 'mount -t tmpfs -o size=256k none "$PWD"', 'cd "$PWD"'].join(' && ')
const FILL =
  'for d in ~/state ~/config .; do for f in fill rest; do head -c 3000000 /dev/zero >$d/$f 2>/dev/null; done; done'
const EMPTY = 'rm ~/state/fill ~/config/fill fill ~/state/rest ~/config/rest rest'

function homeWithDisks(): Home {
  const home = lastingHome()
  for (const name of ['state', 'config']) mkdirSync(join(home.path, name))
  return home
}

const places = ({ path }: Home): Record<string, string> => ({
  XDG_STATE_HOME: join(path, 'state'),
  XDG_CONFIG_HOME: join(path, 'config'),
})

async function enter(zotui: Screen, line: string, words: RegExp | string): Promise<void> {
  await zotui.type(line)
  await zotui.press('enter')
  await zotui.seeInHistory(words)
}

/** Runs a command of the user's, which is to end with this word. */
async function shell(zotui: Screen, line: string, word: string): Promise<void> {
  await enter(zotui, `!!${line}; echo ${word}`, new RegExp(`^ +${word}$`, 'm'))
}

async function say(zotui: Screen, ...prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    await enter(zotui, prompt, `You said: ${prompt}.`)
    await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
  }
}

test.runIf(canMount)('everything is full, is used, and has room again', async () => {
  const home = homeWithDisks()
  const zotui = await openZot('long-lived', {
    home,
    rows: 80,
    columns: 140,
    under: `exec unshare -rm sh -c '${mounted} && exec "$@"' sh "$@"`,
    env: { ...withCheckpoints, ...places(home), ZOTUI_PERMISSIONS: undefined },
    isGuarded: true,
  })
  await zotui.see(ready)
  await shell(zotui, 'mkdir -p ~/config/zotui; echo "{}" >~/config/zotui/config.json; echo a >a', 'made')
  await say(zotui, 'before')
  await shell(zotui, FILL, 'filled')
  await say(zotui, 'first', 'second', 'third', 'fourth')
  await enter(zotui, '/settings detail full', /The setting could not be saved: ENOSPC/)
  await enter(zotui, '/export out.md', /out\.md cannot be written: ENOSPC/)
  await enter(zotui, '/permissions edits', /The mode was not saved: ENOSPC/)
  await enter(zotui, '# a note', /The note was not added: ENOSPC/)
  await enter(zotui, 'wait', 'You said: wait.')
  await enter(zotui, 'queued', /1 queued/)
  const told = zotui.history().join('\n')
  for (const words of ['The session cannot be saved right now', 'Files are not saved before your prompts'])
    expect({ words, count: told.split(words).length - 1 }).toEqual({ words, count: 1 })
  expect(told).not.toMatch(/\.tmp|bug/)
  await shell(zotui, 'ls -A . ~/config/zotui | tr "\\n" ,; cat ~/config/zotui/config.json', 'listed')
  await zotui.see(/^ +\.:,a,fill,rest,,\S+config\/zotui:,config\.json,\{\}$/m)

  await shell(zotui, EMPTY, 'emptied')
  writeFileSync(join(home.path, 'wait'), '')
  await zotui.seeInHistory('You said: queued.')
  await say(zotui, 'after')
  await zotui.seeInHistory('Files are saved before your prompts again.')
  await enter(zotui, '/settings detail full', /detail is now full/)
  await enter(zotui, '/export out.md', /Written: \S+out\.md/)
  await enter(zotui, '/permissions edits', /Mode edits, from now on/)
  await shell(
    zotui,
    'for w in before first second third fourth wait queued after; do grep -l "\\"text\\":\\"$w\\"" ~/state/zotui/sessions/*/*.jsonl; done | wc -l',
    'counted',
  )
  await zotui.see(/^ +8\n +counted$/m)
})

test.runIf(canMount).each([
  ['full', mounted.concat(` && { ${FILL}; true; }`), 'ENOSPC'],
  [
    'read-only',
    '{ for d in ~/state ~/config "$PWD"; do mount --bind "$d" "$d" && mount -o remount,bind,ro "$d"; done; } && cd "$PWD"',
    'EROFS',
  ],
])('without the UI the answer comes, and one line says why the rest does not: the disk is %s', (_, disks, code) => {
  const home = homeWithDisks()
  installZot(home, 'long-lived')
  const env = environment(home.path, { ...places(home), ZOTUI_ZOT: join(home.path, 'bin', 'zot') })
  const run = (args: string): { code: number | null; out: string; lines: string[] } => {
    const script = `${disks} && exec "$0" "$1" ${args}`
    const options = { cwd: home.project, env, encoding: 'utf8', input: '', timeout: 20_000 } as const
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', script, process.execPath, program],
      options,
    )
    return { code: status, out: stdout, lines: stderr.split('\n').filter(Boolean) }
  }
  const answer = run('-p --no-guard hello')
  expect(answer).toMatchObject({ code: 0, out: 'You said: hello.\n' })
  expect(answer.lines.filter(line => line.includes('session cannot be saved'))).toEqual([expect.stringContaining(code)])
  expect(run('-p --no-guard --background hello')).toEqual({ code: 1, out: '', lines: [expect.stringContaining(code)] })
  const recorded = run('-p --no-guard --record record hello')
  expect(recorded.lines.join('\n')).toMatch(new RegExp(`record\\b.*${code}`))
  expect(execFileSync('ls', ['-A', home.project], { encoding: 'utf8' })).toBe('')
  expect(existsSync(join(home.path, 'state', 'zotui'))).toBe(false)
})
