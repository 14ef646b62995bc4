import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRecentModels, type RecentModels } from '../../../src/storage/journal/recent-models.ts'

let stateFolder: string
const problems: string[] = []
beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'zotui-models-'))
  problems.length = 0
})
afterEach(() => rmSync(stateFolder, { recursive: true, force: true }))

const opened = (folder = stateFolder): RecentModels =>
  openRecentModels({ stateFolder: folder, onProblem: words => problems.push(words) })

test('the newest model is first, each is listed once, and other programs see it', () => {
  const models = opened()
  expect(models.list()).toEqual([])
  for (const name of ['p/a', 'p/b', 'p/a', 'p/c']) models.note(name)
  expect(opened().list()).toEqual(['p/c', 'p/a', 'p/b'])
  expect(readdirSync(stateFolder)).toEqual(['recent-models.json'])
})

test('two programs add to one list of recent models', () => {
  const [one, two] = [opened(), opened()]
  one.note('p/a')
  two.note('p/b')
  one.note('p/c')
  expect(two.list()).toEqual(['p/c', 'p/b', 'p/a'])
})

test('no more than ten recent models are kept', () => {
  const models = opened()
  for (let number = 0; number < 50; number += 1) models.note(`p/${number}`)
  expect(models.list()).toEqual(Array.from({ length: 10 }, (_, index) => `p/${49 - index}`))
})

test('the model in use is not saved again', () => {
  const models = opened()
  models.note('p/a')
  const { ino } = statSync(join(stateFolder, 'recent-models.json'))
  models.note('p/a')
  expect(statSync(join(stateFolder, 'recent-models.json')).ino).toBe(ino)
})

test.each(['', '{', '{"a":1}', 'null', '[1, {"x": 2}, null]'])('a damaged file (%j) is an empty list', content => {
  writeFileSync(join(stateFolder, 'recent-models.json'), content)
  const models = opened()
  expect(models.list()).toEqual([])
  models.note('p/a')
  expect(models.list()).toEqual(['p/a'])
  expect(problems).toEqual([])
})

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a full or closed disk is said once', () => {
  chmodSync(stateFolder, 0o500)
  const models = opened()
  models.note('p/a')
  models.note('p/b')
  expect(problems).toHaveLength(1)
})

test('a folder that cannot be created is reported once', () => {
  writeFileSync(join(stateFolder, 'file'), '')
  const models = opened(join(stateFolder, 'file', 'below'))
  models.note('p/a')
  models.note('p/b')
  expect(problems).toEqual([expect.stringMatching(/^Recent models cannot be saved: /)])
})
