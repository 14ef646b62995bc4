/** Whom a key is for, when something is open that may want it. */
import { describe, expect, test } from 'vitest'
import { startedStage, type Stage } from '../stage.ts'

const asks = ({ state }: Stage): string => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.title : (picker?.kind ?? '')
}

/** Somebody is asked what to do about a turn that failed, and did not ask for that. */
async function asked(): Promise<Stage> {
  const stage = await startedStage()
  await stage.say('one')
  await stage.done('failed')
  expect(asks(stage)).toBe('what now?')
  stage.asked()
  return stage
}

describe('a question that appears by itself', () => {
  test.each([
    ['ctrl+r', 'history'],
    ['ctrl+t', ''],
    ['up', 'what now?'],
    ['escape', ''],
  ])('passes %s to the composer, unless the question uses it', async (key, open) => {
    const stage = await asked()
    await stage.press(key)
    expect(asks(stage)).toBe(open)
  })

  test('is dismissed by such a key, and the typed text goes into the draft', async () => {
    const stage = await asked()
    await stage.press('ctrl+a')
    expect(asks(stage)).toBe('')
    await stage.type('two')
    expect(stage.state().editor.text).toBe('two')
  })
})

async function together(stage: Stage, key: string, character: string): Promise<void> {
  stage.controller.press(key, `\u001B${character}`)
  await stage.settle()
}

describe('Esc and a letter that were read in one go', () => {
  test('close a list, and the letter is typed', async () => {
    const stage = await startedStage()
    await stage.press('ctrl+r')
    await together(stage, 'alt+/', '/')
    expect(asks(stage)).toBe('')
    expect(stage.state().editor.text).toBe('/')
    await together(stage, 'alt+m', 'm')
    expect(stage.state().editor.text).toBe('/m')
  })

  test('count as Alt and that letter without a list', async () => {
    const stage = await startedStage()
    await stage.type('draft')
    await together(stage, 'alt+m', 'm')
    expect(stage.state().editor.text).toBe('draft')
  })

  test('count as Alt and that letter if the terminal says so', async () => {
    const stage = await startedStage()
    await stage.press('ctrl+r')
    stage.controller.press('alt+m', '\u001B[109;3u')
    await stage.settle()
    expect(asks(stage)).toBe('history')
  })
})
