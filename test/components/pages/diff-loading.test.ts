/** What /diff loads before anybody asks for it: in few questions, never twice, and never what is out of date. */
import { expect, test } from 'vitest'
import { DiffLoader, type Collected } from '../../../components/pages/diff/loading.ts'
import type { SearchedText } from '../../../components/pages/diff/search.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { unnumbered } from '../../../src/text/diff-line.ts'

function change(path: string, added = 10): FileChange {
  const counts = { added, removed: 0, isEstimate: false, calls: 1 }
  return { file: `/${path}`, path, from: null, kind: 'changed', form: 'text', ...counts }
}

const diffOf = (...lines: readonly string[]): FileDiff => ({
  hunks: [{ title: '', lines: lines.map(text => unnumbered('+', text)) }],
  notes: [],
  exact: { encoding: 'utf8', by: 'bytes' },
})

/** Changes of which each question is noted. A file whose diff is not given has its path as its only line. */
function collected(files: readonly FileChange[], diffs: Readonly<Record<string, FileDiff>> = {}) {
  const asked: string[][] = []
  const answer = ({ path }: FileChange): FileDiff => diffs[path] ?? diffOf(path)
  const changes: Collected = {
    list: { session: files, before: [], unsure: 0, notes: [] },
    async diffOf(of) {
      asked.push([of.path])
      return answer(of)
    },
    async diffsOf(all) {
      asked.push(all.map(({ path }) => path))
      return all.map(answer)
    },
  }
  return { changes, asked }
}

function loaderOf(toLoad: () => readonly FileChange[], redact = (text: string): string => text) {
  const texts = new Map<string, SearchedText>()
  let times = 0
  const onLoaded = (): void => void (times += 1)
  const loader = new DiffLoader({ texts, redact, isOpen: () => true, toLoad, onLoaded })
  return { loader, texts, loaded: () => times }
}

const files = Array.from({ length: 100 }, (_, at) => change(`file-${at}`))

test('what is needed next is loaded in few questions, and no file twice', async () => {
  const { loader, texts, loaded } = loaderOf(() => files)
  const { changes, asked } = collected(files)
  loader.begin(changes)
  await Promise.all([loader.work(), loader.work()])
  expect(asked.map(({ length }) => length)).toEqual([40, 40, 20])
  expect(loaded()).toBe(3)
  expect([texts.size, loader.digests().size]).toEqual([100, 100])
  expect(loader.known(change('file-7'))?.hunks[0]?.lines[0]?.text).toBe('file-7')
  await loader.work()
  await loader.load(change('file-7'))
  expect(asked).toHaveLength(3)
})

test('a question is about few lines, so that its answer never holds up a key, and a long file is asked for alone', async () => {
  const some = [change('long', 9000), change('a', 3000), change('b', 900), change('c', 900)]
  const { loader } = loaderOf(() => some)
  const { changes, asked } = collected(some)
  loader.begin(changes)
  await loader.work()
  expect(asked).toEqual([['long'], ['a', 'b'], ['c']])
})

test('of a collection that was replaced meanwhile nothing is kept, and the new one is loaded instead', async () => {
  const some = [change('a'), change('b')]
  const { loader, texts } = loaderOf(() => some)
  const first = collected(some, { a: diffOf('old'), b: diffOf('old') })
  const second = collected(some, { a: diffOf('new'), b: diffOf('new') })
  loader.begin(first.changes)
  const working = loader.work()
  loader.begin(second.changes)
  await working
  expect([...texts.values()].map(({ diff }) => diff?.hunks[0]?.lines[0]?.text)).toEqual(['new', 'new'])
  expect(await loader.loadAll(some)).toBe(true)
  expect(second.asked).toHaveLength(1)
})

test('a file whose diff is the same as before is not searched again, and one that left the list is forgotten', async () => {
  const some = [change('a'), change('b'), change('c')]
  const { loader, texts } = loaderOf(() => some)
  loader.begin(collected(some).changes)
  await loader.work()
  const [a, b] = [texts.get('/a'), texts.get('/b')]
  loader.begin(collected(some.slice(0, 2), { b: diffOf('another') }).changes)
  expect([...texts.keys()]).toEqual(['/a', '/b'])
  await loader.loadAll(some.slice(0, 2))
  expect(texts.get('/a')).toBe(a)
  expect(texts.get('/b')).not.toBe(b)
})

test('secrets are masked, and the lines of such a file no longer say what its bytes are', async () => {
  const some = [change('a'), change('b')]
  const { loader } = loaderOf(
    () => some,
    text => text.replaceAll('secret', '[hidden]'),
  )
  loader.begin(collected(some, { a: diffOf('a secret', 'x'), b: diffOf('plain') }).changes)
  await loader.work()
  expect(loader.known(change('a'))?.hunks[0]?.lines.map(({ text }) => text)).toEqual(['a [hidden]', 'x'])
  expect([loader.known(change('a'))?.exact, loader.known(change('b'))?.exact?.by]).toEqual([undefined, 'bytes'])
})

test('a file that is too long is searched by its path, and counts as read only until the changes are collected again', async () => {
  const long = change('long', 200_000)
  const { loader, texts } = loaderOf(() => [])
  loader.begin(collected([long]).changes)
  expect(texts.get('/long')).toEqual({ path: 'long', diff: null })
  await loader.load(long)
  expect([texts.get('/long')?.diff, loader.digests().has('/long')]).toEqual([null, true])
  loader.begin(collected([long]).changes)
  expect(loader.digests().has('/long')).toBe(false)
})
