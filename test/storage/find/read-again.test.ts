/** The index of all sessions reads again what it could not read before. */
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPace } from '../../../src/platform/pace.ts'
import { catchUp, shareOf } from '../../../src/storage/find/catch-up.ts'
import { FindDatabase, isFull } from '../../../src/storage/find/database.ts'
import { search } from '../../../src/storage/find/search.ts'
import { makePlace, openProgram, type Place } from '../sessions/stage.ts'

type Index = {
  database: FindDatabase
  read: () => Promise<void>
  /** The excerpts that have the words. */
  find: (words: string) => Promise<string[]>
  share: () => number
}

const LATER = 1_900_000_000_000

function openIndex({ stateFolder }: Place, now = LATER): Index {
  const database = new FindDatabase(join(stateFolder, 'find.db'), path => new DatabaseSync(path))
  onTestFinished(() => database.close())
  const root = join(stateFolder, 'sessions')
  return {
    database,
    read: () => catchUp({ database, root, owner: 'me', pace: createPace(1000), now: () => now, isClosed: () => false }),
    async find(words) {
      const options = {
        database,
        root,
        now: () => now,
        pace: createPace(1000),
        patience: Infinity,
        isOver: () => false,
      }
      const query = { words, folder: null, agent: null, since: null, kinds: null, failed: false }
      const answer = await search(query, 100, options)
      return answer.ok ? answer.found.map(({ excerpt }) => excerpt) : []
    },
    share: () => shareOf(database),
  }
}

/** A session for each prompt; their files. */
function tell(place: Place, ...prompts: string[]): string[] {
  return prompts.map((text, at) => {
    const program = openProgram(place)
    program.clock.now += at
    program.tell({ type: 'prompt_sent', text, images: [] })
    return program.sessions.pathOf(program.sessions.current().id) ?? ''
  })
}

test('a session that cannot be read counts as searched, and a torn line is read when it is whole', async () => {
  const place = makePlace()
  const [path = ''] = tell(place, 'apples')
  mkdirSync(join(dirname(path), 'no-file.jsonl'))
  const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  const more = `${line.replace('apples', 'cherries')}\n`
  appendFileSync(path, more.slice(0, 20))
  const index = openIndex(place)
  await index.read()
  expect([index.share(), await index.find('cherries')]).toEqual([1, []])
  appendFileSync(path, more.slice(20))
  await index.read()
  expect([index.share(), await index.find('cherries')]).toEqual([1, ['cherries']])
})

test('an answer that gets no end is found once nobody writes it any more', async () => {
  const place = makePlace()
  const program = openProgram(place)
  program.tell({ type: 'prompt_sent', text: 'go', images: [] }, { type: 'text_received', text: 'quinces' })
  program.wait()
  const path = program.sessions.pathOf(program.sessions.current().id) ?? ''
  const soon = statSync(path).mtimeMs + 1000
  const index = openIndex(place, soon)
  await index.read()
  expect(await index.find('quinces')).toEqual([])
  const later = openIndex(place, soon + 120_000)
  await later.read()
  expect(await later.find('quinces')).toEqual(['quinces'])
})

test('on a full disk what was read before is found, and the rest is read when there is room again', async () => {
  const place = makePlace()
  tell(place, 'apples')
  const index = openIndex(place)
  await index.read()
  const pages = index.database.get('pragma page_count')?.['page_count']
  index.database.get(`pragma max_page_count = ${Number(pages)}`)
  tell(place, ...Array.from({ length: 40 }, (_, at) => `pears ${`${at}x `.repeat(300)}`))
  await expect(index.read()).rejects.toSatisfy(isFull)
  await expect(index.read()).rejects.toSatisfy(isFull)
  expect(await index.find('apples')).toEqual(['apples'])
  index.database.get('pragma max_page_count = 1000000')
  await index.read()
  expect([(await index.find('pears')).length, index.share()]).toEqual([40, 1])
})
