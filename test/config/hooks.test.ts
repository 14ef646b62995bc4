/** The setting `hooks`: its form, and how the hooks of several files come together. */
import { describe, expect, test } from 'vitest'
import { countHooks, type HookSettings } from '../../src/config/hooks.ts'
import { hooksOf } from '../../src/config/layers.ts'
import { readSettingsDocument } from '../../src/config/document/document.ts'
import { noLayer, resolveSettings } from '../../src/config/layers.ts'
import { checkSetting } from '../../src/config/schema.ts'
import { unsavedSettings } from '../../src/config/settings.ts'
import { ignoredWords, projectValues } from '../../src/config/document/ignored.ts'

const one = (command: string): HookSettings => ({ Stop: [{ hooks: [{ command }] }] })

describe('the setting hooks', () => {
  test.each([
    {},
    one('true'),
    {
      PreToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'x', timeout: 5 }, { command: 'y' }] }],
    },
    { Stop: [{ matcher: '*', hooks: [] }], SessionStart: [] },
  ])('takes %j', value => expect(checkSetting('hooks', value)).toEqual({ ok: true, value: { hooks: value } }))

  test.each<[unknown, string]>([
    [[], 'must be an object of events'],
    [{ stop: [] }, 'has an unknown event stop; the events are SessionStart,'],
    [{ Stop: 'x' }, 'must be an object of events'],
    [{ Stop: [{ command: 'x' }] }, 'must be an object of events'],
    [{ Stop: [{ hooks: [{}] }] }, 'command is missing'],
    [{ Stop: [{ hooks: [{ command: '' }] }] }, 'must not be empty'],
    [{ Stop: [{ hooks: [{ command: 'x', type: 'prompt' }] }] }, 'the only type is command'],
    [{ Stop: [{ hooks: [{ command: 'x', timeout: 0 }] }] }, 'whole number of seconds from 1 to 600'],
    [{ Stop: [{ matcher: '(', hooks: [] }] }, 'not a regular expression'],
    [{ Stop: [{ hooks: [{ command: 'x', async: true }] }] }, 'the fields of a hook are command, type and timeout'],
  ])('does not take %j', (value, words) => {
    const checked = checkSetting('hooks', value)
    expect(checked.ok ? '' : checked.reason).toContain(words)
  })
})

describe('hooks of several files', () => {
  const layers = {
    user: { ...noLayer, values: { hooks: one('mine') }, places: new Map([['hooks' as const, 'mine line 3']]) },
    project: {
      ...noLayer,
      values: { hooks: { ...one('theirs'), SessionStart: [{ hooks: [{ command: 'begin', timeout: 2 }] }] } },
    },
    environment: noLayer,
    flag: noLayer,
  }

  const rows = (isTrusted: boolean) =>
    hooksOf(layers, () => isTrusted).map(hook => [hook.event, hook.command, hook.timeout, hook.place, hook.isTrusted])

  test('all run, and those of a project only once it is trusted', () => {
    expect(rows(false)).toEqual([
      ['SessionStart', 'begin', 2000, 'project', false],
      ['Stop', 'mine', 60_000, 'mine line 3', true],
      ['Stop', 'theirs', 60_000, 'project', false],
    ])
    expect(rows(true).every(row => row[4] === true)).toBe(true)
  })

  test('a project that is not trusted sets none, and one that is replaces none', () => {
    const without = resolveSettings(layers, () => false)
    expect([without.needingTrust, without.values.hooks]).toEqual([['hooks'], one('mine')])
    const { hooks } = resolveSettings(layers, () => true).values
    expect(countHooks(hooks)).toBe(3)
    expect(hooks.Stop?.map(group => group.hooks[0]?.command)).toEqual(['mine', 'theirs'])
  })

  test('the question about trust counts them', () => {
    const wanted = { projectValue: () => layers.project.values.hooks as never }
    expect(projectValues(['hooks'], wanted)).toBe('hooks = 2 commands (/hooks lists them)')
    expect(ignoredWords({ ignored: () => ['hooks'] })).toContain('(/settings trust): hooks.')
  })

  test('those of a file that cannot be read leave every call to the user', () => {
    const { values, notices } = readSettingsDocument('{\n "hooks": { "PreToolUse": [{ "command": "guard" }] }\n}')
    expect(notices[0]?.text).toMatch(/^hooks must be .*; until you fix it, you are asked about every call$/)
    const [hook, ...others] = hooksOf({ ...layers, user: { ...noLayer, values } }, () => false).filter(
      each => each.isTrusted,
    )
    expect([hook?.event, hook?.matcher, hook?.command, others.length]).toEqual(['PreToolUse', null, 'exit 1', 0])
  })

  test('a change holds at once', async () => {
    const settings = unsavedSettings()
    expect(settings.hooks()).toEqual([])
    await settings.change('hooks', one('new'))
    expect(settings.hooks().map(({ command }) => command)).toEqual(['new'])
  })
})
