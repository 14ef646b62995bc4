/** Hooks and mentioned files with a real zot: what reaches its model, and what does not run. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith, type Home } from '../helpers/home.ts'
import { reply, startModel, type Model, type Step } from '../helpers/model.ts'
import type { Screen } from '../helpers/screen.ts'
import { idle, openZot, say, zot } from './talk.ts'

type Hook = { matcher?: string; command: string }

function homeOf(hooks: Readonly<Record<string, Hook>>): Home {
  const groups = Object.entries(hooks).map(([event, { command, matcher = '*' }]) => [
    event,
    [{ matcher, hooks: [{ command }] }],
  ])
  return homeWith({ '.config/zotui/config.json': JSON.stringify({ hooks: Object.fromEntries(groups) }) })
}

async function open(
  hooks: Readonly<Record<string, Hook>>,
  script: readonly Step[],
): Promise<{ zotui: Screen; model: Model }> {
  const model = await startModel(script)
  const zotui = await openZot({ args: model.flags, home: homeOf(hooks) })
  await zotui.see('anthropic/claude-sonnet-4-5')
  return { zotui, model }
}

const bodyOf = async (model: Model, request: number): Promise<string> =>
  JSON.stringify((await model.request(request)).body)

describe.skipIf(!zot)('hooks with a real zot', () => {
  test('add their text to the first prompt, and block one', async () => {
    const { zotui, model } = await open(
      {
        SessionStart: { command: 'echo the otters are awake' },
        UserPromptSubmit: { command: "if grep -q secret; then echo 'no keys' >&2; exit 2; fi" },
      },
      [reply().text('Good to know.')],
    )
    await say(zotui, 'a secret')
    await zotui.see('A hook blocked the prompt: No keys.')
    expect(model.requests).toHaveLength(0)
    await zotui.press('ctrl+u')
    await zotui.gone('a secret')
    await say(zotui, 'hello there')
    await zotui.see('Good to know.')
    await zotui.see('with text from a hook')
    expect(await bodyOf(model, 1)).toContain('the otters are awake')
  })

  test('refuse a call, whose reason reaches the model, and allow one that would be asked', async () => {
    const { zotui, model } = await open(
      {
        PreToolUse: { matcher: 'bash', command: "if grep -q refused; then echo 'not here' >&2; exit 2; fi" },
        PermissionRequest: { command: `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'` },
      },
      [
        reply().tool('bash', { command: 'touch refused' }),
        reply().tool('bash', { command: 'touch allowed' }),
        reply().text('Both tried.'),
      ],
    )
    await say(zotui, 'go')
    await zotui.see('Both tried.')
    await idle(zotui)
    await zotui.see(/touch refused .*blocked by your hook: not here/)
    expect(await bodyOf(model, 2)).toMatch(/Not here/)
    expect(existsSync(path.join(zotui.cwd, 'refused'))).toBe(false)
    expect(existsSync(path.join(zotui.cwd, 'allowed'))).toBe(true)
  })
})

describe.skipIf(!zot)('a file that is mentioned to a real zot', () => {
  test('goes along with its content, and its name stays in the prompt', async () => {
    const { zotui, model } = await open({}, [reply().text('I read it.')])
    writeFileSync(path.join(zotui.cwd, 'notes.md'), 'one otter\ntwo otters\nthree otters\n')
    await say(zotui, 'see @notes.md:2 please')
    await zotui.see(/with notes\.md:2 \(~\d+ tokens\)/)
    await zotui.see('I read it.')
    const body = await bodyOf(model, 1)
    expect(body).toContain('The content of notes.md, lines 2 to 2 of 3, which I mention:')
    expect(body).toContain('two otters')
    expect(body).not.toContain('three otters')
    expect(body).toContain('see @notes.md:2 please')
  })
})
