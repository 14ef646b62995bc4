/** Any requests of several devices, in any order with what the person and the agent do: against what may ever come of them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Device } from '../../../src/published/outside-call.ts'
import { call, outsideStage, type Asked, type OutsideStage } from './stage.ts'

const devices: readonly Device[] = [
  { id: 'd1', name: 'Pixel 8', role: 'steer' },
  { id: 'd2', name: 'Tablet', role: 'steer' },
]

type Step =
  | { by: 'agent'; does: 'asks' | 'asks for the network' | 'asks to leave planning' | 'ends the turn'; with: string }
  | { by: 'person'; key: string }
  | {
      by: 'device'
      device: number
      at: number
      how: 'as shown' | 'as another was shown' | 'not as shown'
      allow: boolean
    }
  | { by: 'device'; device: number; text: string; does: 'prompt' | 'steer' | 'stop' }
  | { by: 'device'; device: number; at: number; text: string; does: 'change_queued' | 'send_queued' }

const text = fc.constantFrom('go', '/exit', '!touch x', '/permissions allow', 'y', '# x', 'x &', ' /compact', '')
const device = fc.nat({ max: 1 })
const at = fc.nat({ max: 3 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      by: fc.constant('agent' as const),
      does: fc.constantFrom('asks', 'asks', 'asks for the network', 'asks to leave planning', 'ends the turn'),
      with: fc.constantFrom('npm test', 'rm -rf /', 'ls'),
    }),
    fc.record({
      by: fc.constant('person' as const),
      key: fc.constantFrom('y', 'n', 'w', 'escape', 'up', 'a', 'enter'),
    }),
    fc.record({
      by: fc.constant('device' as const),
      device,
      at,
      how: fc.constantFrom('as shown', 'as shown', 'as another was shown', 'not as shown'),
      allow: fc.boolean(),
    }),
    fc.record({ by: fc.constant('device' as const), device, text, does: fc.constantFrom('prompt', 'steer', 'stop') }),
    fc.record({
      by: fc.constant('device' as const),
      device,
      at,
      text,
      does: fc.constantFrom('change_queued', 'send_queued'),
    }),
  ),
  { minLength: 1, maxLength: 14 },
)

/** What a device sends; null if there is nothing that it could mean. */
function requestOf(step: Extract<Step, { by: 'device' }>, { requests }: OutsideStage): Asked | null {
  if ('allow' in step) {
    const shown = requests.questions()
    const question = shown[step.at]
    if (!question) return null
    const other = step.how === 'as another was shown' ? shown[step.at + 1] : question
    const digest = step.how === 'not as shown' ? '0'.repeat(64) : (other?.digest ?? '1'.repeat(64))
    return { do: 'answer_call', question: question.id, digest, allow: step.allow }
  }
  if (step.does === 'stop') return { do: 'stop' }
  if (step.does === 'prompt' || step.does === 'steer') return { do: step.does, text: step.text || 'x' }
  const entry = 'at' in step ? requests.queue().entries[step.at] : undefined
  if (!entry) return null
  const { id, text: was } = entry
  return step.does === 'send_queued'
    ? { do: 'send_queued', entry: id, was }
    : { do: 'change_queued', entry: id, was, text: step.text }
}

/** Does this, and says what was answered because of a device, and what may have been. */
async function follow(
  stage: OutsideStage,
  step: Step,
  count: number,
): Promise<{ answered: unknown[]; may: unknown[] }> {
  const nothing = { answered: [], may: [] }
  if (step.by === 'agent') {
    const asked = call(`c${count}`, step.with)
    if (step.does === 'ends the turn') await stage.done()
    else if (step.does === 'asks for the network')
      stage.backend.tell({ ...asked, wants: { kind: 'host', host: 'evil.com', port: 443 } })
    else stage.backend.tell(step.does === 'asks' ? asked : { ...asked, switchesMode: true })
    stage.controller.catchUp()
    await stage.settle()
    stage.clock.now += 1000
    return nothing
  }
  if (step.by === 'person') {
    await stage.quiet()
    await (step.key.length > 1 ? stage.press(step.key) : stage.type(step.key))
    return nothing
  }
  const request = requestOf(step, stage)
  if (!request) return nothing
  const before = stage.given.length
  const reply = await stage.ask(request, devices[step.device])
  const isAnswer = 'allow' in step && step.how === 'as shown' && reply.ok
  const may = isAnswer ? [step.allow ? { answer: 'allow' } : { answer: 'refuse', words: '' }] : []
  return { answered: stage.given.slice(before).map(({ answer }) => answer), may }
}

test('Nothing is answered twice, nothing is allowed that was not shown, and no request does anything else', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const stage = await outsideStage()
      await stage.say('begin')
      const followed: Awaited<ReturnType<typeof follow>>[] = []
      for (const [index, step] of all.entries()) followed.push(await follow(stage, step, index))
      expect(followed.map(({ answered }) => answered)).toEqual(followed.map(({ may }) => may))
      const ids = stage.given.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      // No request has run a command, changed the mode or ended the program, and every prompt is words.
      expect(stage.state().chat.permissionMode).toBe('ask')
      const sent = [...stage.backend.prompts, ...stage.steered.map(({ prompt }) => prompt)].map(each => each.text)
      expect(sent.filter(each => /^\s*[/!]/.test(each))).toEqual([])
      expect(stage.exits).toEqual([])
      const done = new Set(stage.asked().map(each => each.split(' ')[0]))
      expect([...done].filter(each => each !== 'prompt' && each !== 'abort')).toEqual([])
    }),
    { numRuns: 40 },
  )
}, 120_000)
