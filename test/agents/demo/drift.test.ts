/** The demo must not drift from real zots: every frame is compared with the recordings. */
import { describe, expect, test } from 'vitest'
import { demoScripts } from '../../../src/agents/demo/scripts.ts'
import { decode } from '../../../src/agents/zot/decode.ts'
import { recordings } from './recordings.ts'
import { frameShapes } from './shape.ts'
import { Demo } from './stage.ts'

const recorded = recordings('zot-0.3.3x')

const counts = 'cache_read:number cache_write:number cost_usd:number'

/** Shapes that no recording holds, and why the demo may write them anyway. */
const documented: readonly [path: string, shape: string, why: string][] = [
  [
    'usage',
    `${counts} cumulative:object input:number output:number reasoning:number type:string`,
    '1.5: number or null',
  ],
  [
    'usage',
    `auxiliary:boolean ${counts} cumulative:object input:number output:number reasoning:number type:string`,
    '1.5, later versions: auxiliary usage',
  ],
  ['usage.cumulative', `${counts} input:number output:number reasoning:number`, '1.5: number or null'],
  ['response get_state.data.usage', `${counts} input:number output:number reasoning:number`, '1.4: number or null'],
  [
    'ext_notify',
    'extension:string level:string message:string type:string',
    '1.5: the recorded zots had no extensions',
  ],
  ['ext_display', 'extension:string text:string type:string', '1.5: the recorded zots had no extensions'],
  ['refusal', 'command:string error:string success:boolean type:string', '1.3: malformed, so without an id'],
]

/** Everything that the demo can be asked for. */
async function everything(): Promise<string[]> {
  const lines: string[] = []
  for (const script of demoScripts) {
    const demo = new Demo()
    await demo.prompt(script.name)
    for (const type of ['get_state', 'get_messages', 'clear', 'compact', 'abort', 'bogus']) await demo.send({ type })
    await demo.finish()
    lines.push(...demo.lines)
  }
  const demo = new Demo()
  await demo.send({ type: 'hello' })
  await demo.line('no json')
  for (const type of ['get_state', 'get_models', 'ping', 'compact']) await demo.send({ type })
  await demo.send({ type: 'set_model', model: 'demo-small' })
  await demo.send({ type: 'set_reasoning', reasoning: 'high' })
  await demo.send({ type: 'prompt', message: 'tour', images: [{ mime_type: 'image/png', data: 'iVBORw0KGgo=' }] })
  await demo.finish()
  await demo.send({ type: 'compact' })
  await demo.finish()
  await demo.send({ type: 'get_messages' })
  return [...lines, ...demo.lines]
}

const written = await everything()
const frames = written.map(line => decode(line))

const kinds = (frames: readonly { type: string; command?: string | undefined }[]) =>
  new Set(frames.map(({ type, command }) => `${type} ${command ?? ''}`))

describe('the output of the demo', () => {
  const known = new Set(
    recorded.flatMap(({ out }) => out.flatMap(frameShapes)).map(([path, shape]) => `${path}: ${shape}`),
  )
  const allowed = new Set(documented.map(([path, shape]) => `${path}: ${shape}`))

  test('has the fields and types of recorded frames', () => {
    const own = new Set(
      written.flatMap(line => frameShapes(JSON.parse(line))).map(([path, shape]) => `${path}: ${shape}`),
    )
    expect([...own].filter(shape => !known.has(shape) && !allowed.has(shape))).toEqual([])
    expect(
      [...allowed].filter(shape => !own.has(shape) || known.has(shape)),
      'documented, but not needed',
    ).toEqual([])
  })

  test('covers every kind of frame that was recorded', () => {
    const own = kinds(written.map(line => JSON.parse(line)))
    expect([...kinds(recorded.flatMap(({ out }) => out))].filter(kind => !own.has(kind))).toEqual([])
  })

  test('is understood by the client', () => {
    expect(frames.filter(frame => frame.kind === 'unknown')).toEqual([])
  })
})
