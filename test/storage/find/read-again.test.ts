/** The index of all sessions reads again what it could not read before. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isFull } from '../../../src/storage/find/database.ts'
import { shareOf } from '../../../src/storage/find/catch-up.ts'
import { ended, prompt, says } from '../../conversation/events.ts'
import { indexOf, NOW, stateFolder, writeEvents } from './stage.ts'

test('a session that cannot be read counts as searched, and a torn line is read when it is whole', async () => {
  const state = stateFolder()
  const path = writeEvents(state, 'a', [prompt('apples')])
  mkdirSync(join(dirname(path), 'no-file.jsonl'))
  const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  const more = `${line.replace('apples', 'cherries')}\n`
  appendFileSync(path, more.slice(0, 20))
  const index = indexOf(state)
  await index.catchUp()
  expect([shareOf(index.database), await index.find('cherries')]).toEqual([1, []])
  appendFileSync(path, more.slice(20))
  await index.catchUp()
  expect(await index.find('cherries')).toHaveLength(1)
})

test('an answer that gets no end is found once nobody writes it any more, also if the index has read all of it before', async () => {
  const state = stateFolder()
  writeEvents(state, 'a', [prompt('go'), says('quinces')])
  const soon = indexOf(state)
  await soon.catchUp()
  expect(await soon.find('quinces')).toEqual([])
  const later = indexOf(state, { now: NOW + 120_000 })
  await later.catchUp()
  expect(await later.find('quinces')).toHaveLength(1)
})

test('after a full disk the same program goes on when there is room again', async () => {
  const state = stateFolder()
  const index = indexOf(state)
  await index.catchUp()
  const pages = index.database.get('pragma page_count')?.['page_count']
  index.database.get(`pragma max_page_count = ${Number(pages)}`)
  for (let at = 0; at < 40; at += 1)
    writeEvents(state, `s${at}`, [prompt(`pears ${`${at}x `.repeat(300)}`), ended], { daysAgo: at })
  await expect(index.catchUp()).rejects.toSatisfy(isFull)
  await expect(index.catchUp()).rejects.toSatisfy(isFull)
  index.database.get('pragma max_page_count = 1000000')
  await index.catchUp()
  expect(await index.find('pears')).toHaveLength(40)
})
