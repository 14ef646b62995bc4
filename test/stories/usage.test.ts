/** A user looks at what was used. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { turnEnd } from '../helpers/turn-end.ts'
import { openLedger } from '../../src/storage/usage/ledger.ts'
import type { Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { usageReportSchema } from '../../src/usage/report.ts'
import { accepted, costs, ended, prompt, started, timed } from '../conversation/events.ts'
import { attach, begin, homeOf } from './holders.ts'
import { lastingHome, openEcho, openQuickDemo, send, startAfresh } from './stage.ts'

const DAY = 24 * 3600 * 1000

/** Usage of another program, so many days ago. */
function used(home: Home, ago: number, costUsd: number): void {
  const ledger = openLedger({
    stateFolder: join(home.path, '.local', 'state', 'zotui'),
    projectFolder: '/elsewhere',
    now: Date.now,
    onProblem: words => expect.fail(words),
  })
  const turn = [prompt('go'), accepted, costs({ input: 100, cacheRead: 900, output: 50, costUsd }), ended]
  ledger.add(timed([started, ...turn], Date.now() - ago * DAY), 'another')
}

const closed = (zotui: Screen): Promise<void> => zotui.until('the page closed', { check: () => !zotui.alternate })

test.each(['/usage', '/cost', '/stats', '/status', '/tokens'])(
  '%s opens the page, which leaves nothing behind',
  async name => {
    const zotui = await openQuickDemo({ columns: 80, rows: 24, args: ['thanks'] })
    await zotui.see(turnEnd)
    const before = zotui.history()
    await send(zotui, name)
    await zotui.see(/usage by day, 30 days/)
    await zotui.see(/this session +1 turn /)
    await zotui.see('The demo made up the days before today.')
    await zotui.press('esc')
    await closed(zotui)
    expect(zotui.history()).toEqual(before)
  },
)

test('the usage of all programs is shown by day, model and folder, also at 40 columns, and grows with a turn', async () => {
  const home = lastingHome()
  used(home, 2, 2)
  const zotui = await openEcho({ home, columns: 100, rows: 30 })
  await send(zotui, 'hello')
  await zotui.see('You said: hello.')
  await zotui.see(turnEnd)
  await send(zotui, '/usage')
  await zotui.see(/^› \d{4}-\d\d-\d\d \w{3} +[█-▏]* +\$0\.\d+ .* 1 turn$/m)
  await zotui.see(/^ {2}\d{4}-\d\d-\d\d \w{3} +█+ +\$2\.00 .* 1 turn$/m)
  await zotui.press(']', ']', ']')
  await zotui.see(/usage by folder, 30 days/)
  await zotui.see(/^› \/elsewhere +█+ +\$2\.00/m)
  await zotui.press('enter')
  await zotui.see(/usage of \/elsewhere by day/)
  await zotui.press('esc')
  await zotui.see(/usage by folder/)
  zotui.resize(40, 20)
  await zotui.see(/^› \/elsewhere +█+ +\$2\.00/m)
  await zotui.see(/1,?0?00? in|100 in/)
  await zotui.press('-')
  await zotui.see(/usage by folder, 7 days/)
  await zotui.press('esc')
  await closed(zotui)
  await startAfresh(zotui)
  await send(zotui, 'again')
  await zotui.see('You said: again.')
  await send(zotui, '/cost')
  // The grouping and the time stay as they were chosen.
  await zotui.see(/usage by folder, 7 days/)
  await zotui.see(/this session +2 turns/)
})

test('what is shown is saved as CSV, as JSON and as a page, and never over another file', async () => {
  const home = lastingHome()
  used(home, 1, 2)
  // Not those that are still being written.
  const saved = (): string[] => readdirSync(home.project).filter(name => /^usage-.*\.(?:csv|json|html)$/.test(name))
  const zotui = await openEcho({ home, columns: 120, rows: 30 })
  await send(zotui, '/usage')
  await zotui.see(/\$2\.00/)
  for (const key of ['C', 'C', 'J', 'H']) {
    const count = saved().length
    await zotui.type(key)
    await zotui.until('a saved file', { check: () => saved().length > count })
  }
  await zotui.see(/Written: \S+\.html/)
  const names = saved()
  expect(names.map(name => name.replace(/\d{4}-\d\d-\d\d/, 'DAY')).toSorted()).toEqual([
    'usage-DAY-2.csv',
    'usage-DAY.csv',
    'usage-DAY.html',
    'usage-DAY.json',
  ])
  const read = (extension: string): string =>
    readFileSync(join(home.project, names.find(name => name.endsWith(extension)) ?? ''), 'utf8')
  expect(read('.csv')).toMatch(/^day,turns,.*\r\n\d{4}-\d\d-\d\d,1,1,100,900,0,50,2,/)
  const report = usageReportSchema.parse(JSON.parse(read('.json')))
  expect([report.total.costUsd, report.by, report.rows?.length]).toEqual([2, 'day', 1])
  expect(read('.html')).toContain('<svg role="img"')
  expect(names.map(name => statSync(join(home.project, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600])
  await zotui.press('esc')
  await closed(zotui)
  await zotui.see(/Written: \S+\.html/)
})

test('a UI of a conversation in the background shows what all programs recorded', async () => {
  const { home, env } = homeOf('busy')
  used(home, 1, 2)
  const id = await begin(home, ['stream'], env)
  const zotui = await attach(home, id)
  await zotui.see('And on.')
  await send(zotui, '/usage')
  await zotui.see(/█+ +\$2\.00/)
  await zotui.press('esc')
  await closed(zotui)
})
