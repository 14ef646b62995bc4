import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { listUnfinishedIn } from '../../../src/platform/unfinished-folder.ts'
import { beginUnfinished } from '../../../src/platform/unfinished.ts'
import { openOwnWrites, type OwnWrites } from '../../../src/storage/journal/own-writes.ts'

type Place = { state: string; at: (name: string) => string; put: (name: string, text: string) => string }

function place(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-own-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const project = join(root, 'project')
  mkdirSync(project)
  const at = (name: string): string => join(project, name)
  const put = (name: string, text: string): string => {
    writeFileSync(at(name), text)
    return at(name)
  }
  return { state: join(root, 'state'), at, put }
}

const opened = ({ state }: Place, now: () => number = Date.now): OwnWrites => openOwnWrites({ stateFolder: state, now })

test('A file that zotui wrote stands until somebody changes it, in every program', () => {
  const here = place()
  const file = here.put('talk.md', 'one')
  opened(here).add('export', [file])
  expect([...opened(here).standing([file, here.at('other')], 0)]).toEqual([[file, 'export']])
  here.put('talk.md', 'one, and more')
  expect(opened(here).standing([file], 0).size).toBe(0)
})

test('What another program noted counts here', () => {
  const here = place()
  const file = here.put('talk.md', 'one')
  const module = fileURLToPath(new URL('../../../src/storage/journal/own-writes.ts', import.meta.url))
  const script = `import { openOwnWrites } from ${JSON.stringify(module)}
    openOwnWrites({ stateFolder: process.argv[1], now: Date.now }).add('merge', [process.argv[2]])`
  execFileSync(process.execPath, ['--input-type=module', '-e', script, here.state, file])
  expect([...opened(here).standing([file], 0).values()]).toEqual(['merge'])
})

test('A file counts by its real folder, and only since then', () => {
  const here = place()
  const file = here.put('talk.md', 'one')
  symlinkSync(here.at('.'), here.at('link'))
  opened(here, () => 1_000_000).add('note', [join(here.at('link'), 'talk.md')])
  expect(opened(here, () => 1_000_001).standing([file], 999_999).size).toBe(1)
  expect(opened(here, () => 1_000_001).standing([file], 1_000_001).size).toBe(0)
})

test('During a merge all of its files count, and afterwards those that it wrote or deleted', async () => {
  const here = place()
  const files = [here.put('kept', 'a'), here.put('written', 'b'), here.put('gone', 'c')]
  const writes = opened(here)
  await writes.during('merge', files, async () => {
    here.put('written', 'new')
    rmSync(here.at('gone'))
    expect(opened(here).standing(files, 0).size).toBe(3)
  })
  expect([...opened(here).standing(files, 0).keys()]).toEqual([here.at('written'), here.at('gone')])
})

test('A merge that fails notes what it wrote, and throws', async () => {
  const here = place()
  const files = [here.put('kept', 'a'), here.put('written', 'b')]
  const failing = opened(here).during('merge', files, async () => {
    here.put('written', 'new')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([...opened(here).standing(files, 0).keys()]).toEqual([here.at('written')])
})

test('A merge that was killed counts for two minutes only', () => {
  const here = place()
  let now = 5_000_000
  const writes = opened(here, () => now)
  const file = here.put('written', 'b')
  void writes.during('merge', [file], () => new Promise(() => undefined))
  now += 119_999
  expect(writes.standing([file], 0).size).toBe(1)
  now += 1
  expect(writes.standing([file], 0).size).toBe(0)
})

test('Thousands of files fit, and days that are long past are removed', () => {
  const here = place()
  const day = 86_400_000
  let now = 100 * day
  opened(here, () => now).add('merge', [here.put('old', 'a')])
  now += 60 * day
  const files = Array.from({ length: 1200 }, (_, index) => here.put(`file-${index}`, 'x'))
  const writes = opened(here, () => now)
  writes.add('merge', files)
  expect(writes.standing(files, now).size).toBe(1200)
  expect(readdirSync(join(here.state, 'own-writes'))).toHaveLength(1)
})

test('A damaged journal, and one that cannot be written, stop nothing', () => {
  const here = place()
  const file = here.put('talk.md', 'one')
  const told: string[] = []
  opened(here).add('export', [file])
  const [name = ''] = readdirSync(join(here.state, 'own-writes'))
  writeFileSync(join(here.state, 'own-writes', name), '{"at":1,"kind":"constructor"}\nnot JSON\n', { flag: 'a' })
  expect(opened(here).standing([file], 0).size).toBe(1)
  const blocked = openOwnWrites({ stateFolder: file, now: Date.now, onProblem: words => void told.push(words) })
  blocked.add('export', [file])
  blocked.add('export', [file])
  expect(told).toHaveLength(1)
})

test('A file that is being written under another name is none of the agent, and one of such a name that stands and is not listed is', () => {
  const here = place()
  listUnfinishedIn(here.state)
  const unfinished = beginUnfinished(here.at('talk.md'))
  writeFileSync(unfinished.fresh, 'half')
  const alike = here.put('.zotui-0123456789ab.tmp', 'of the agent')
  const gone = here.at('.zotui-ba9876543210.tmp')
  expect([...opened(here).standing([unfinished.fresh, alike, gone, here.put('other', '')], 0)]).toEqual([
    [unfinished.fresh, 'unfinished'],
    [gone, 'unfinished'],
  ])
})
