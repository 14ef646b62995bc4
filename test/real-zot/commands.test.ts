/** Commands that become prompts, and the list of models, on a real zot. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { messagesOf, openZot, say, talk, zot } from './talk.ts'

describe.skipIf(!zot)('a command that becomes a prompt', () => {
  test('sends the prompt of a project command to the model', async () => {
    const home = makeHome()
    mkdirSync(path.join(home.project, '.zotui/commands/look'), { recursive: true })
    writeFileSync(
      path.join(home.project, '.zotui/commands/look/for.md'),
      '---\nargument-hint: [what] [where]\n---\nLook for $1 in $2.\n\n!`touch ran`\n@$2',
    )
    const model = await startModel([reply().text('Looked.')])
    const zotui = await openZot({ args: model.flags, home })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, '/look:for "two words" src/a.ts')
    await zotui.see('Looked.')
    const asked = JSON.stringify(messagesOf(await model.request(1)).at(-1))
    expect(asked).toContain('Look for two words in src/a.ts.\\n\\n!`touch ran`\\n@src/a.ts')
    await zotui.close()
    home.remove()
  })

  test('/study asks the model to get to know the project', async () => {
    const { zotui, model } = await talk([reply().text('I know it now.')])
    await say(zotui, '/study')
    await zotui.see('I know it now.')
    expect(JSON.stringify(messagesOf(await model.request(1)))).toContain('Get to know this project')
  })
})

describe.skipIf(!zot)('the list of models', () => {
  test('holds the models of all providers and puts the last choice first, also after a restart', async () => {
    const home = makeHome()
    const model = await startModel([])
    const zotui = await openZot({ args: model.flags, home })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, '/model claude-opus-4-1')
    await zotui.see(/^ {2}anthropic\/claude-opus-4-1/m)
    await zotui.press('alt+p')
    await zotui.see(/› claude-opus-4-1 +anthropic +200k +reasoning +in use\n +claude-sonnet-4-5/)
    await zotui.type('gpt5')
    await zotui.see(/› gpt-5 +(?:GPT-5 +)?openai +400k +reasoning/)
    await zotui.close()
    const again = await openZot({ args: model.flags, home })
    await again.see('anthropic/claude-sonnet-4-5')
    await again.press('alt+p')
    await again.see(/^ {4}claude-opus-4-1 .*\n {2}› claude-sonnet-4-5 .*in use$/m)
    await again.close()
    home.remove()
  })
})
