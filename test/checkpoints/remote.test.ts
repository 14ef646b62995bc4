/** All tests of checkpoints hold for another machine, too. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCheckpoints, type CheckpointOptions } from '../../src/checkpoints/checkpoints.ts'
import type { OtherMachine } from '../../src/checkpoints/remote-disk.ts'
import { stage, stageRemote, value } from './stage.ts'

stageRemote()
await import('./checkpoints.test.ts')

test('this machine keeps no file of the other one, and makes a damaged name of the shadows there anew', async () => {
  const { options, make, stateFolder } = stage({ 'a.txt': 'one' })
  await make()
  const folder = join(stateFolder, 'checkpoints')
  expect(readdirSync(folder).toSorted()).toEqual(['in-use', 'own-id'])
  writeFileSync(join(folder, 'own-id'), 'x')
  await value(createCheckpoints(options).make(moment))
  expect(readFileSync(join(folder, 'own-id'), 'utf8')).toMatch(/^[\da-f]{16}$/)
})

type Ask = OtherMachine['machine']['ask']

/** The same checkpoints, over a connection that does something else with a script. */
function through(
  options: CheckpointOptions,
  ask: (script: string, real: (changed?: string) => ReturnType<Ask>) => ReturnType<Ask>,
) {
  const { remote: elsewhere } = options
  if (!elsewhere) throw new Error('this is another machine')
  const { machine } = elsewhere
  const other: OtherMachine['machine'] = {
    ask: (script, how) => ask(script, (changed = script) => machine.ask(changed, how)),
  }
  return createCheckpoints({ ...options, remote: { ...elsewhere, machine: other } })
}

const moment = { by: 'user', session: 's', label: '' } as const

const lost = { ok: false, why: 'lost', words: '' } as const

test('a lost connection is said, and a restore in the middle of it can be undone', async () => {
  const { options, make, at, files, checkpoints, restore } = stage({ 'a.txt': '1' })
  const id = await make()
  const refused = { ok: false, why: 'the connection was lost' }
  const dead = through(options, async () => lost)
  expect(await dead.make(moment)).toEqual(refused)
  expect(await dead.restore(id, { session: null })).toEqual(refused)

  // Links take the machine less time than files.
  for (let link = 0; link < 401; link += 1) symlinkSync('2', at(`link${link}`))
  const changed = files()
  let batches = 0
  const dying = through(options, async (script, real) => {
    if (/^step del/m.test(script)) batches += 1
    if (batches < 2) return real()
    // The second batch has done five of its files.
    if (batches === 2) await real(script.split('\n').slice(0, -195).join('\n'))
    batches = 3
    return lost
  })
  const { count, failed, undo } = await value(dying.restore(id, { session: 's' }))
  expect([count, failed.length]).toEqual([200, 201])
  const reasons = failed.map(({ why }) => why)
  expect(reasons.filter(why => why === 'may not have been restored: the connection was lost')).toHaveLength(200)
  expect(reasons.filter(why => why === 'was not restored: the connection was lost')).toHaveLength(1)
  expect(Object.keys(files())).toHaveLength(1 + 401 - 205)
  expect(await value(checkpoints.lastUndo())).toBe(undo)
  await restore(undo)
  expect(files()).toEqual(changed)
})

/** What the restore below does there, one file or link after the other. */
const STEPS = 7

test.each(Array.from({ length: STEPS + 1 }, (_, done) => done))(
  'a restore that is lost after %i of its steps is undone exactly, without a question, and leaves no file there',
  async done => {
    const s = stage({ a: '1', 'dir/b': '2', gone: '3', 'gone-dir/x': '4' })
    symlinkSync('a', s.at('link'))
    const id = await s.make()
    for (const name of ['a', 'dir/b', 'made', 'made-dir/deep/y']) s.write(name, 'agent')
    for (const name of ['gone', 'gone-dir', 'link']) rmSync(s.at(name), { recursive: true })
    s.write('link', 'a file')
    await s.make('agent')
    const changed = s.files()
    let steps = 0
    const dying = through(s.options, async (script, real) => {
      if (!/^step put/m.test(script)) return real()
      const lines = script.split('\n')
      const first = lines.findIndex(line => line.startsWith('step '))
      steps = lines.length - first
      // The next file is not written to its end.
      await real(
        [...lines.slice(0, first + done), `mkdir -p gone-dir; : >"gone-dir/$unfinished"; : >"$unfinished"`].join('\n'),
      )
      return lost
    })
    const { undo } = await value(dying.restore(id, { session: 's' }))
    expect(steps).toBe(STEPS)
    const { files: planned } = await s.preview(undo)
    expect(planned.filter(({ byUser }) => byUser)).toEqual([])
    await s.restore(undo)
    expect(s.files()).toEqual(changed)
    expect(readdirSync(s.folder).toSorted()).toEqual(['.git', 'a', 'dir', 'link', 'made', 'made-dir'])
  },
)

test('the shadow that a conversation in another folder uses is not removed', async () => {
  const s = stage({ 'a.txt': 'one', 'sub/b.txt': 'two' })
  await s.make()
  const other = join(s.top, 'other')
  mkdirSync(other)
  const pruning = createCheckpoints({ ...s.options, folder: other })
  await value(pruning.make(moment))
  const [asked, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const using = through({ ...s.options, folder: s.at('sub') }, async (script, real) => {
    if (script.includes('ls-files')) {
      asked.resolve()
      await going.promise
    }
    return real()
  })
  s.write('a.txt', 'changed')
  const made = using.make(moment)
  await asked.promise
  await value(pruning.prune({ most: 0, age: 1e12, isKept: () => true }))
  going.resolve()
  await value(made)
  expect(await value(using.list())).toHaveLength(2)
})

test('a git that took too long is ended before another one uses its index', async () => {
  const s = stage({ 'a.txt': 'one' })
  await s.make()
  const gate = join(s.top, 'gate')
  execFileSync('mkfifo', [gate])
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  const pid = join(s.top, 'pid')
  // It holds the lock and goes on until the gate is closed.
  const hang = `case "$*" in *update-index*) echo $$ >'${pid}'; : >"$GIT_INDEX_FILE.lock"; read -r x <'${gate}';; esac`
  mkdirSync(join(s.home, 'bin'))
  writeFileSync(join(s.home, 'bin/git'), `#!/bin/sh\n${hang}\nexec ${real} "$@"\n`, { mode: 0o755 })
  const slow = through(s.options, async (script, ask) => {
    if (!script.includes('update-index')) return ask()
    const { remote: elsewhere } = s.options
    void elsewhere?.machine.ask(`PATH='${s.home}/bin':$PATH\n${script}`)
    const held = await open(gate, 'w')
    onTestFinished(() => held.close())
    return { ok: false, why: 'slow', words: '' }
  })
  s.write('a.txt', 'two')
  expect(await slow.make(moment)).toEqual({ ok: false, why: 'git took too long' })
  const hanging = Number(readFileSync(pid, 'utf8'))
  const id = await s.make()
  expect(() => process.kill(hanging, 0)).toThrow('ESRCH')
  s.write('a.txt', 'three')
  await s.restore(id)
  expect(s.read('a.txt')).toBe('two')
})
