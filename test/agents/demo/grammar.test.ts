import { describe, expect, test } from 'vitest'
import { demoScripts } from '../../../src/agents/demo/scripts.ts'
import { grammarErrors } from './grammar.ts'
import { recordings } from './recordings.ts'
import { Demo } from './stage.ts'

describe('the grammar of a prompt', () => {
  const recorded = [...recordings('zot-0.1.62'), ...recordings('zot-0.3.3x')]

  test.each(recorded)('holds for $name', ({ out }) => {
    expect(grammarErrors(out)).toEqual([])
  })

  test('notices a missing frame', () => {
    const text = recorded.find(({ name }) => name === 'zot-0.3.3x/bash-ok-and-fail')?.out ?? []
    const accepted = text.map((_, at) => text.toSpliced(at, 1)).filter(frames => grammarErrors(frames).length === 0)
    // These frames may be missing unnoticed: progress and pieces of arguments.
    expect(accepted.length).toBe(
      text.filter(({ type }) => ['tool_progress', 'tool_use_args', 'tool_use_end'].includes(type)).length,
    )
  })

  test.each(demoScripts.filter(script => !script.ignoresAbort))('holds for the script $name', async script => {
    const demo = new Demo()
    await demo.prompt(script.name)
    expect(grammarErrors(demo.frames, { cutOff: script.name === 'crash' })).toEqual([])
  })
})
