/**
 * Programs that write rules to the same file at once, and programs that are killed at it: no rule is lost that was said to be stored, the file
 * is never a part of one, and nothing is in it that nobody answered.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openFolderPermissions } from '../../src/config/trust/folder-permissions.ts'
import { removeUnfinished } from '../../src/platform/remove-unfinished.ts'
import { isLong } from '../helpers/length.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const KILLS = isLong ? 60 : 6
let top = ''

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-writers-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
})

const places = {
  'the rules of a folder': () => join(top, 'state', 'permissions'),
  'the settings of the user': () => join(top, 'config', 'zotui'),
}

type Place = keyof typeof places

/** Adds the rules one after the other, or all at once, and says each one that is stored. */
function writer(place: Place, rules: readonly string[], how: 'one by one' | 'at once' = 'one by one') {
  const code = `
    import { writeSync } from 'node:fs'
    import { loadSettings } from '${source}/config/settings.ts'
    import { openFolderPermissions } from '${source}/config/trust/folder-permissions.ts'
    import { listUnfinishedIn } from '${source}/platform/unfinished-folder.ts'
    const stateFolder = '${join(top, 'state')}'
    listUnfinishedIn(stateFolder)
    const flags = { values: {}, names: new Map() }
    const options = { projectFolder: null, stateFolder, env: {}, flags, label: path => path, home: '/' }
    const store = ${place === 'the rules of a folder'}
      ? await openFolderPermissions(stateFolder, '/the/folder')
      : (await loadSettings(options)).settings
    const add = async rule => {
      await store.addRule('allow', rule)
      if (!store.rules().some(({ text }) => text === rule)) throw new Error('not among the rules: ' + rule)
      writeSync(1, rule + '\\n')
    }
    const rules = ${JSON.stringify(rules)}
    if (${how === 'at once'}) await Promise.all(rules.map(add))
    else for (const rule of rules) await add(rule)
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, XDG_CONFIG_HOME: join(top, 'config') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<void>(resolve => void child.once('close', () => resolve()))
  return { child, ended, stored: () => said.split('\n').filter(Boolean) }
}

function rulesIn(place: Place): string[] {
  const folder = places[place]()
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  expect(names).toHaveLength(1)
  return (JSON.parse(readFileSync(join(folder, names[0] ?? ''), 'utf8')) as { allow: string[] }).allow
}

const named = (who: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Bash(=${who} ${index})`)

describe.each(Object.keys(places) as Place[])('%s', place => {
  test('has the rules of all programs that write at once', async () => {
    const all = ['a', 'b', 'c'].map(who => named(who, 20))
    const writers = all.map(rules => writer(place, rules))
    await Promise.all(writers.map(({ ended }) => ended))
    expect(writers.map(({ stored }) => stored())).toEqual(all)
    expect(rulesIn(place).toSorted()).toEqual(all.flat().toSorted())
  })

  test('has all rules that one program writes at once', async () => {
    const rules = named('a', 20)
    const { ended, stored } = writer(place, rules, 'at once')
    await ended
    expect(stored().toSorted()).toEqual(rules.toSorted())
    expect(rulesIn(place).toSorted()).toEqual(rules.toSorted())
  })

  test('is whole after a kill, has what was stored before, and lets the next program write', async () => {
    const known: string[] = []
    for (let round = 0; round < KILLS; round += 1) {
      const rules = named(`round ${round}`, 500)
      const { child, ended, stored } = writer(place, rules)
      const wanted = 1 + Math.floor(Math.random() * 8)
      await expect.poll(() => stored().length, { interval: 1, timeout: 10_000 }).toBeGreaterThanOrEqual(wanted)
      child.kill('SIGKILL')
      await ended
      const found = rulesIn(place)
      expect(found).toEqual(expect.arrayContaining([...known, ...stored()]))
      // At most one that was written and not yet said.
      expect(found.length - known.length - stored().length).toBeLessThanOrEqual(1)
      expect(found.filter(rule => !known.includes(rule) && !rules.includes(rule))).toEqual([])
      known.splice(0, known.length, ...found)
    }
    removeUnfinished(join(top, 'state'), Date.now())
    const left = readdirSync(top, { recursive: true, withFileTypes: true })
    expect(left.filter(entry => entry.isFile()).map(({ name }) => name)).toEqual([expect.stringMatching(/\.json$/)])
  })
})

test('a rule is stored where no lock can be made', async () => {
  // A folder's place is taken by a file.
  mkdirSync(join(top, 'state'))
  writeFileSync(join(top, 'state', 'writing'), '')
  const permissions = await openFolderPermissions(join(top, 'state'), '/the/folder')
  await permissions.addRule('allow', 'Bash(a)')
  expect(rulesIn('the rules of a folder')).toEqual(['Bash(a)'])
})
