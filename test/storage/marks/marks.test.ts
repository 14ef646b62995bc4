/** Marked places: kept beside their sessions, by several programs at once, and gone with them. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openMarks, type Marks } from '../../../src/storage/marks/marks.ts'
import { makePlace, openProgram, type Place } from '../sessions/stage.ts'

type Opened = { marks: Marks; problems: string[]; clock: { now: number } }

function open(place: Place): Opened {
  const problems: string[] = []
  const clock = { now: 1_750_000_000_000 }
  const marks = openMarks({ ...place, now: () => (clock.now += 1), onProblem: words => problems.push(words) })
  return { marks, problems, clock }
}

/** A place with a stored session in it. */
function withSession(): { place: Place; id: string; path: string; program: ReturnType<typeof openProgram> } {
  const place = makePlace()
  const program = openProgram(place)
  program.tell({ type: 'prompt_sent', text: 'hello', images: [] })
  const { id } = program.sessions.current()
  return { place, id, path: program.sessions.pathOf(id) ?? '', program }
}

const beside = (path: string): string => path.replace(/\.jsonl$/, '.marks.jsonl')

test('a mark is listed by every program, the newest first, with the words and the line that is there', () => {
  const { place, id } = withSession()
  const [one, other] = [open(place), open(place)]
  expect(one.marks.add({ session: id, at: 5, call: null }, ' cause ', 'the parser is slow')).toBe(true)
  other.clock.now += 10
  expect(other.marks.add({ session: id, at: 7, call: 'c1' }, '', 'npm test')).toBe(true)
  expect(one.marks.all().map(({ word, line, place: at }) => [word, line, at.at, at.call])).toEqual([
    ['', 'npm test', 7, 'c1'],
    ['cause', 'the parser is slow', 5, null],
  ])
})

test('of two changes of a mark the later one counts, and a removed mark keeps none of its words in the newest version', () => {
  const { place, id, path } = withSession()
  const [one, other] = [open(place), open(place)]
  one.marks.add({ session: id, at: 5, call: null }, 'cause', 'a line')
  const [mark] = one.marks.all()
  if (!mark) throw new Error('there is no mark')
  other.clock.now += 100
  expect(other.marks.rename(mark, 'the real cause')).toBe(true)
  expect(one.marks.all().map(({ word }) => word)).toEqual(['the real cause'])
  expect(one.marks.remove(one.marks.all()[0] ?? mark)).toBe(true)
  expect(other.marks.all()).toEqual([])
  const last = readFileSync(beside(path), 'utf8').trimEnd().split('\n').at(-1) ?? ''
  expect(last).not.toContain('cause')
})

test('the file is private, and a torn or strange line costs only itself', () => {
  const { place, id, path } = withSession()
  const { marks } = open(place)
  marks.add({ session: id, at: 5, call: null }, 'first', '')
  appendFileSync(beside(path), '{"id":"x"}\n{"id":"torn","pla')
  marks.add({ session: id, at: 6, call: null }, 'second', '')
  expect(marks.all().map(({ word }) => word)).toEqual(['second', 'first'])
  expect(statSync(beside(path)).mode & 0o777).toBe(0o600)
})

test.each(['deleted', 'expired'])('marks go with their session when it is %s', async way => {
  const { place, id, path, program } = withSession()
  const { marks } = open(place)
  marks.add({ session: id, at: 5, call: null }, 'word', '')
  program.sessions.close()
  const later = openProgram(place)
  later.clock.now = Date.now() + 40 * 86_400_000
  if (way === 'deleted') later.sessions.remove(id)
  else await later.sessions.expire(30)
  expect([existsSync(path), existsSync(beside(path)), marks.all()]).toEqual([false, false, []])
})

test('a session without a file, such as one of another program, has its marks in the folder of the project', () => {
  const place = makePlace()
  const { marks } = open(place)
  expect(marks.add({ session: 'zot-7', at: 1, call: null }, 'there', '')).toBe(true)
  expect(marks.all().map(({ place: at }) => at.session)).toEqual(['zot-7'])
})

test('a file that cannot be written is one line for the user, and nothing is marked', () => {
  const { place, id, path } = withSession()
  const { marks, problems } = open(place)
  mkdirSync(beside(path))
  expect(marks.add({ session: id, at: 5, call: null }, 'word', '')).toBe(false)
  expect(marks.add({ session: id, at: 6, call: null }, 'word', '')).toBe(false)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^Marks cannot be read or saved[^\n]*$/)
})

test('very long words and lines are cut', () => {
  const { place, id } = withSession()
  const { marks } = open(place)
  marks.add({ session: id, at: 5, call: null }, 'w'.repeat(5000), 'l'.repeat(5000))
  expect(marks.all().map(({ word, line }) => [word.length, line.length])).toEqual([[200, 300]])
})

test('a session whose folder is not there any more has no marks, and the others are still listed', () => {
  const { place, id } = withSession()
  const { marks } = open(place)
  marks.add({ session: id, at: 5, call: null }, 'word', '')
  const strange = join(dirname(place.projectFolder), 'state', 'sessions', 'not-a-folder')
  writeFileSync(strange, 'x')
  expect(marks.all().map(({ word }) => word)).toEqual(['word'])
})
