/** The tools that zotui carries out for a zot answer its model as zot's own do. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { allow } from '../agents/zot/guard/guarded.ts'
import { bash, read, write, type Call } from '../agents/zot/guard/suite.ts'
import { makeRealZot } from './guarded-zot.ts'
import { zot } from './talk.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const files = {
  'a.txt': 'one\ntwo\r\nthree',
  binary: Buffer.from([1, 0, 2]),
  latin: Buffer.from('caf\xe9 \xe2\x82\n', 'latin1'),
  'dot.png': png,
  'lines.txt': Array.from({ length: 3000 }, (_, at) => `${at + 1}\n`).join(''),
  'wide.txt': `${'x'.repeat(99)}\n`.repeat(3000),
  'sub/b': 'b',
}
const reads: readonly object[] = [
  { path: 'a.txt' },
  { path: 'a.txt', offset: 2, limit: 1 },
  { path: 'a.txt', offset: -1 },
  { path: 'binary' },
  { path: 'latin' },
  { path: 'dot.png' },
  { path: 'lines.txt', offset: 2000 },
  { path: 'no' },
]
const calls: readonly Call[] = [
  ...reads.map((args, at) => ({ id: `r${at}`, name: 'read', args })),
  write('new/c', 'made\n', 'w1'),
  { id: 'e1', name: 'edit', args: { path: 'sub/b', edits: [{ oldText: 'b', newText: 'zwei' }] } },
  bash('echo out; echo err >&2; exit 3', 'b1'),
  bash('true', 'b2'),
  bash("printf 'no newline'; cat", 'b3'),
]

/** The results that the model got, for calls that a zot carries out itself, or that zotui carries out for it. */
async function resultsOf(isBare: boolean, made: readonly Call[]): Promise<unknown[]> {
  const stage = await makeRealZot([{ calls: made }, { text: 'Done.' }], { isBare, judge: allow })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(stage.project, name)), { recursive: true })
    writeFileSync(path.join(stage.project, name), content)
  }
  await stage.backend.open()
  await stage.backend.prompt({ text: 'go', images: [] })
  const heard = (await stage.heard(2)).replaceAll(stage.project, 'PROJECT').replaceAll(/Took \d+\.\ds/g, 'Took 0.0s')
  const messages = JSON.parse(heard) as { content: unknown }[]
  return [messages.at(-1)?.content].flat()
}

describe.skipIf(!zot)('a real zot', () => {
  test.each(calls)('answers $name $args in the same way with and without a guard', async call => {
    const [own] = await resultsOf(true, [call])
    const [ours] = await resultsOf(false, [call])
    expect(ours).toEqual(own)
  })

  test('a cut file ends with the same words, before which later versions put an empty line', async () => {
    const cut = [read('wide.txt', 'c1'), read('lines.txt', 'c2')]
    const own = JSON.stringify(await resultsOf(true, cut)).replaceAll(/(?:\\n)+\.\.\. \[/g, '\\n\\n... [')
    expect(JSON.stringify(await resultsOf(false, cut))).toEqual(own)
  })
})
