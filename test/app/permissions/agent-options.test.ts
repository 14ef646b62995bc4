import { describe, expect, test, vi } from 'vitest'
import type { PermissionAnswer } from '../../../src/agent/requests.ts'
import { offeredAnswers } from '../../../src/app/permissions/agent-options.ts'
import { startedStage, type Stage } from '../stage.ts'
import type { FakeBackend } from '../fake-backend.ts'

const options = [
  { id: 'proceed_always', name: 'Allow all edits', kind: 'allow_always' },
  { id: 'proceed_once', name: 'Allow once', kind: 'allow_once' },
  { id: 'cancel', name: 'No, suggest changes', kind: 'reject_once' },
]

const request = {
  type: 'permission_requested',
  id: 'p1',
  callId: null,
  tool: 'edit',
  kind: 'other',
  arguments: {},
  folder: '/',
  because: '',
  title: 'Write notes.md',
  options,
} as const

async function asking(): Promise<{ stage: Stage; given: [string, PermissionAnswer][]; quiet: () => void }> {
  const given: [string, PermissionAnswer][] = []
  const armed = Promise.withResolvers<() => void>()
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({ answerPermission: (id: string, answer: PermissionAnswer) => given.push([id, answer]) })
  const after = (_ms: number, run: () => void): (() => void) => {
    armed.resolve(run)
    return () => undefined
  }
  const stage = await startedStage(make, { after })
  stage.backend.tell({ ...request, options: [...options] })
  await vi.waitFor(() => expect(stage.state().question).not.toBeNull())
  return { stage, given, quiet: await armed.promise }
}

describe('A question with the answers of the agent', () => {
  test('lists them in its order, and says the effect of each', async () => {
    const { stage } = await asking()
    const { answers = [], selected } = stage.state().question ?? {}
    expect(answers.map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
      'Allow all edits: allows it always',
      'Allow once: allows it once',
      'No, suggest changes: refuses it once',
      'No, and stop the turn: ',
    ])
    // Enter alone never allows more than this call.
    expect(selected).toBe(1)
  })

  test('has no reason of zotui, because the agent has its own', async () => {
    const { stage } = await asking()
    expect(stage.state().question?.content).toMatchObject({ request: { because: '', title: 'Write notes.md' } })
  })

  test('is answered by a digit, and by its id', async () => {
    const { stage, given, quiet } = await asking()
    quiet()
    await stage.type('1')
    expect(given).toEqual([['p1', { answer: 'option', option: 'proceed_always' }]])
  })

  test('is answered by Enter on a row', async () => {
    const { stage, given, quiet } = await asking()
    quiet()
    await stage.press('down', 'enter')
    expect(given).toEqual([['p1', { answer: 'option', option: 'cancel' }]])
  })

  test('takes no key at first: it belongs to the draft', async () => {
    const { stage, given } = await asking()
    await stage.type('1')
    expect(given).toEqual([])
    expect(stage.state().editor.text).toBe('1')
  })

  test('stops the turn at Esc', async () => {
    const { stage, given, quiet } = await asking()
    quiet()
    await stage.press('escape')
    expect(given).toEqual([['p1', { answer: 'stop' }]])
  })
})

test('Options of the same kind are not folded, and have no letter', () => {
  const { answers } = offeredAnswers([
    { id: 'a', name: 'a', kind: 'allow_once' },
    { id: 'b', name: 'b', kind: 'allow_once' },
    { id: 'c', name: 'No', kind: 'reject_once' },
  ])
  expect(answers.map(({ label, move }) => [label, move])).toEqual([
    ['a', null],
    ['b', null],
    ['No', 'no'],
  ])
})

test('The first row refuses if no answer allows a call once', () => {
  const { selected } = offeredAnswers([
    { id: 'a', name: 'Always', kind: 'allow_always' },
    { id: 'n', name: 'Never', kind: 'reject_always' },
  ])
  expect(selected).toBe(1)
})
