import { describe, expect, test, vi } from 'vitest'
import type { FormField, FormValues } from '../../../src/agent/session-events.ts'
import type { FakeBackend } from '../fake-backend.ts'
import { startedStage, type Stage } from '../stage.ts'

type Given = { id: string; values: FormValues | null; how: string }

/** A program whose agent asks with these fields; `quiet` is the moment at which the form takes keys. */
async function asking(fields: FormField[]): Promise<{ stage: Stage; given: Given[]; title: () => string | undefined }> {
  const given: Given[] = []
  const armed = Promise.withResolvers<() => void>()
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({
      answerQuestion: (id: string, values: FormValues | null, how: string) => given.push({ id, values, how }),
    })
  const after = (_ms: number, run: () => void): (() => void) => {
    armed.resolve(run)
    return () => undefined
  }
  const stage = await startedStage(make, { after })
  stage.backend.tell({ type: 'question_asked', id: 'f1', message: 'Which tests?', fields })
  await vi.waitFor(() => expect(stage.state().question).not.toBeNull())
  const quiet = await armed.promise
  quiet()
  return { stage, given, title: () => stage.state().question?.title }
}

const suite: FormField = {
  name: 'suite',
  label: 'The suite',
  kind: 'choice',
  required: true,
  choices: [
    { value: 'unit', label: 'Unit tests', about: 'without a terminal' },
    { value: 'all', label: 'All of them' },
  ],
}

describe('A form', () => {
  test('is filled in field by field, and sent when the last one is', async () => {
    const { stage, given, title } = await asking([
      suite,
      { name: 'times', label: 'How often', kind: 'number', required: true },
      { name: 'watch', label: 'Watch files', kind: 'boolean', required: true },
      { name: 'note', label: 'A note', kind: 'text', required: false },
    ])
    expect(title()).toBe('The agent asks you (1 of 4)')
    await stage.type('2')
    await stage.type('3')
    await stage.press('enter')
    await stage.type('n')
    expect(title()).toBe('The agent asks you (4 of 4), optional')
    await stage.press('enter')
    expect(given).toEqual([{ id: 'f1', values: { suite: 'all', times: 3, watch: false }, how: 'given' }])
  })

  test('says what each choice means', async () => {
    for (const kind of ['choice', 'choices'] as const) {
      const { stage } = await asking([{ ...suite, kind }])
      expect(
        stage
          .state()
          .question?.answers.slice(0, 2)
          .map(({ detail }) => detail),
      ).toEqual(['without a terminal', ''])
    }
  })

  test('takes any number of choices', async () => {
    const { stage, given } = await asking([{ ...suite, kind: 'choices' }])
    await stage.type('1')
    await stage.type('2')
    await stage.type('1')
    expect(stage.state().question?.answers.map(({ label }) => label)).toEqual([
      '[ ] Unit tests',
      '[x] All of them',
      'Done',
    ])
    await stage.type('3')
    expect(given).toEqual([{ id: 'f1', values: { suite: ['all'] }, how: 'given' }])
  })

  test('is declined with Esc, also in a later field', async () => {
    const { stage, given } = await asking([suite, { ...suite, name: 'other' }])
    await stage.type('1')
    await stage.press('escape')
    expect(given).toEqual([{ id: 'f1', values: null, how: 'declined' }])
  })

  test('without fields is a question', async () => {
    const { stage, given } = await asking([])
    await stage.type('y')
    expect(given).toEqual([{ id: 'f1', values: {}, how: 'given' }])
  })

  test('accepts neither a word for a number nor an empty required field', async () => {
    const { stage, given } = await asking([{ name: 'times', label: 'How often', kind: 'number', required: true }])
    await stage.press('enter')
    expect(stage.state().hint).toContain('needs an answer')
    await stage.type('often')
    await stage.press('enter')
    expect(stage.state().hint).toBe('"often" is not a number.')
    expect(given).toEqual([])
  })

  test("begins with the agent's suggestion", async () => {
    const { stage, given } = await asking([{ ...suite, initial: 'all' }])
    expect(stage.state().question?.selected).toBe(1)
    await stage.press('enter')
    expect(given[0]?.values).toEqual({ suite: 'all' })
  })

  test('closes when the agent no longer waits', async () => {
    const { stage } = await asking([suite])
    stage.backend.tell({ type: 'question_answered', id: 'f1', answer: 'cancelled' })
    await vi.waitFor(() => expect(stage.state().question).toBeNull())
  })
})
