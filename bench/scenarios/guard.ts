/** The cost of asking zotui before each call: a zot that runs its calls, with a guard and without. */
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { launchGuardedZot } from '../../src/agents/zot/guard/guarded-launch.ts'
import { launchZot } from '../../src/agents/zot/program/zot-process.ts'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { zotTools } from '../../src/local-tools/as-zot/zot-tools.ts'
import { median, type Figure } from '../figures.ts'

const agent = fileURLToPath(new URL('../../test/fixtures/agents/guardable.ts', import.meta.url))
const script = fileURLToPath(new URL('../../dist/zotui-guard.js', import.meta.url))
const ROUNDS = 15
const CALLS = 200

type Measured = { hello: number; read: number; write: number }

export async function guard(): Promise<Figure[]> {
  const bare: Measured[] = []
  const guarded: Measured[] = []
  // Alternately, so that other work of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await measure(false))
    guarded.push(await measure(true))
  }
  return (['hello', 'read', 'write'] as const).map(name => ({
    name: name === 'hello' ? 'hello' : `a ${name} call`,
    unit: 'ms',
    value: median(guarded.map(each => each[name])),
    floor: median(bare.map(each => each[name])),
  }))
}

async function measure(isGuarded: boolean): Promise<Measured> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'b-')))
  try {
    const path = join(folder, 'zot')
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`)
    chmodSync(path, 0o755)
    writeFileSync(join(folder, 'facts'), 'forty-two\n')
    const calls = (name: string, args: object) =>
      Array.from({ length: CALLS }, (_, index) => ({ id: `${name}-${index}`, name, args }))
    const steps = [
      { calls: calls('read', { path: 'facts' }) },
      { calls: calls('write', { path: 'made', content: 'forty-two\n' }) },
    ]
    writeFileSync(join(folder, 'script'), JSON.stringify(steps))
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      ZOT_SCRIPT: join(folder, 'script'),
      ZOT_TIMES: join(folder, 'times'),
    }
    const launch = { path, options: { cwd: folder }, env }
    const backend = createZotBackend({
      connect: () => launchZot(launch),
      connectGuarded: () =>
        launchGuardedZot({
          ...launch,
          places: { script, node: process.execPath, parents: [folder] },
          toolsOf: project => createLocalTools({ folder: project, env, tools: zotTools }),
          home: folder,
        }),
    })
    if (isGuarded) backend.judgeWith(() => ({ verdict: 'allow', because: 'the bench allows' }))
    const began = performance.now()
    await backend.open()
    const hello = performance.now() - began
    await backend.prompt({ text: 'go', images: [] })
    await backend.close()
    const at = new Map(JSON.parse(readFileSync(join(folder, 'times'), 'utf8')) as [id: string, at: number][])
    // The first call of each kind also loads code.
    const each = (name: string): number =>
      ((at.get(`${name}-${CALLS - 1}`) ?? NaN) - (at.get(`${name}-0`) ?? NaN)) / (CALLS - 1)
    return { hello, read: each('read'), write: each('write') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
