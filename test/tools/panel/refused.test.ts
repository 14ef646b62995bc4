/** The panels of calls that did not run: what is said to the user instead of the texts for the model. */
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../src/agent/refusal.ts'
import type { CallPermission, ToolCall } from '../../../src/conversation/part.ts'
import type { Detail } from '../../../src/tools/panel/tool-context.ts'
import { renderTool } from '../../../src/tools/panel/panel.ts'
import { calls, returns, step, stops } from '../../conversation/events.ts'
import { textsOf } from '../../helpers/lines.ts'
import { plainTheme, toolOf } from '../samples.ts'

function panelOf(result: string, state: ToolCall['state'], permission?: CallPermission, detail: Detail = 'short') {
  const events = [step(1), calls('a', 'bash', { command: 'rm x' }), stops('tool_use'), returns('a', result, true)]
  const tool = { ...toolOf(events).tool, startedAt: null, state, ...(permission && { permission }) }
  return textsOf(renderTool(tool, [], { theme: plainTheme, width: 60, now: 0, maxBody: 20, detail }))
}

describe('A refused call', () => {
  const forModel = 'Refused: plan mode is on. Do not try it again.'
  const refused = (more: Partial<Extract<CallPermission, { state: 'refused' }>>, detail?: Detail): string[] =>
    panelOf(forModel, 'not_run', { state: 'refused', by: 'rule', because: '', words: '', ...more }, detail)

  test.each([
    ['plan mode', 'refused: plan mode'],
    ['the rule Bash(rm:*) (config.json line 3)', 'refused by the rule Bash(rm:*) (config.json line 3)'],
  ])('because of %s says so in its title, and not what the model gets', (because, words) => {
    const [title = '', ...rest] = refused({ because })
    expect([title.replaceAll(/ +/g, ' '), ...rest.map(line => line.trim())].join(' ')).toBe(`⊘ bash rm x ${words}`)
  })

  test('shows what the user said to the model, and nothing else of what the model gets', () => {
    expect(refused({ by: 'user', words: refusal('use trash') }).slice(1)).toEqual(['    use trash'])
    expect(refused({ by: 'user', words: refusal('') })).toHaveLength(1)
    expect(refused({ by: 'user', words: 'Not run: the user stopped the turn.' })).toHaveLength(1)
  })

  test('shows the text for the model if there is no reason', () => {
    expect(refused({ by: 'program', words: 'use trash' }).slice(1)).toEqual(['    use trash'])
  })

  test('shows the text for the model in full detail', () => {
    expect(refused({ because: 'plan mode' }, 'full').slice(1)).toEqual([`    ${forModel}`])
  })

  test('breaks a long reason between words', () => {
    const because = 'deleting is not allowed here, as this folder is shared with other people who need it'
    expect(refused({ because }).slice(1)).toEqual([
      '    refused: deleting is not allowed here, as this folder is',
      '    shared with other people who need it',
    ])
  })
})

test.each(['aborted: start: context canceled', 'aborted: context canceled', 'context canceled'])(
  'A call whose result is only "%s" is shown as stopped',
  text => {
    expect(panelOf(text, 'aborted').map(line => line.replaceAll(/ +/g, ' '))).toEqual(['⊘ bash rm x stopped'])
  },
)
