/** A person limits what a day may cost, in all folders and programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLedger } from '../../src/storage/usage/ledger.ts'
import { accepted, costs, ended, prompt, started, timed } from '../conversation/events.ts'
import type { Home } from '../helpers/home.ts'
import { homeOf, zotui } from './holders.ts'
import { expectDraft, openEcho, send } from './stage.ts'

/** A home with a limit of five dollars a day, of which another program has used some. */
function limitedHome(used: number): { home: Home; env: Record<string, string> } {
  const { home, env } = homeOf('echo')
  const config = join(home.path, '.config/zotui')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.json'), '{ "maxCostPerDayUsd": 5 }')
  const ledger = openLedger({
    stateFolder: join(home.path, '.local', 'state', 'zotui'),
    projectFolder: '/elsewhere',
    now: Date.now,
    onProblem: words => expect.fail(words),
  })
  ledger.add(timed([started, prompt('go'), accepted, costs({ input: 1, costUsd: used }), ended], Date.now()), 'another')
  return { home, env }
}

test('zotui asks before the next prompt, /usage shows the sum, and what is raised holds for all programs', async () => {
  const { home, env } = limitedHome(6)
  const refused = await zotui(home, ['-p', 'go'], env)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('Not started: all conversations have cost $6.00 today of at most $5.00')
  const json = await zotui(home, ['-p', '--json', 'go'], env)
  expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ outcome: 'max_cost', exitCode: 1 })
  const background = await zotui(home, ['-p', '--background', 'go'], env)
  expect([background.code, background.stderr]).toEqual([1, expect.stringContaining('$6.00 today of at most $5.00')])
  const screen = await openEcho({ home, rows: 40 })
  await send(screen, '/usage')
  await screen.see(/All conversations have cost \$6\.00 today of at most \$5\.00/)
  await screen.press('esc')
  await screen.until('the page closed', { check: () => !screen.alternate })
  await send(screen, '/spawn fix it')
  await screen.see(/Nothing was started: all conversations have cost \$6\.00/)
  await expectDraft(screen, '/spawn fix it')
  await screen.press('ctrl+u')
  await send(screen, 'hello')
  await screen.see(/raise it to \$9\.00 and continue/)
  await screen.press('enter')
  await screen.see('You said: hello.')
  const allowed = await zotui(home, ['-p', 'go'], env)
  expect([allowed.code, allowed.stdout.trim()]).toEqual([0, 'You said: go.'])
  await screen.close()
})

test('a limit that is lowered in the settings file holds in a zotui that runs, from its next prompt on', async () => {
  const { home } = limitedHome(6)
  const config = join(home.path, '.config/zotui/config.json')
  writeFileSync(config, '{ "maxCostPerDayUsd": 50 }')
  const screen = await openEcho({ home, rows: 40 })
  await send(screen, 'hello')
  await screen.see('You said: hello.')
  writeFileSync(config, '{ "maxCostPerDayUsd": 5 }')
  await send(screen, 'again')
  await screen.see(/all conversations have cost \$6\.\d\d today of at most \$5\.00/)
  await screen.see(/raise it to \$\d+\.00 and continue/)
  writeFileSync(config, '{ "maxCostPerDayUsd": 50 }')
  await screen.press('esc')
  await screen.gone('raise it to')
  await screen.press('enter')
  await screen.see('You said: again.')
  await screen.close()
})
