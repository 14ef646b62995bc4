/** Levels of reasoning stand only where the model and the zot under it have them. */
import { execaSync } from 'execa'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { idle, openZot, say, talk, zot } from './talk.ts'

/** Whether this zot can change the level while it runs. It is asked on the wire: its --help does not tell. */
const setsLevels = zot !== '' && asksLevels()

function asksLevels(): boolean {
  const home = makeHome()
  const { stdout } = execaSync(zot, ['rpc'], {
    input: '{"type":"set_reasoning","reasoning":"low"}\n',
    env: { ANTHROPIC_API_KEY: 'none', ZOT_HOME: home.path },
    reject: false,
  })
  home.remove()
  return stdout.includes('"set_reasoning"') && !stdout.includes('unknown command')
}

describe.skipIf(!zot)('reasoning', () => {
  test.runIf(setsLevels)('has levels for a model that supports it, and none for another', async () => {
    const { zotui, model } = await talk([reply().text('Thought.'), reply().text('Not thought.')])
    await zotui.press('alt+t')
    await zotui.see(/claude-sonnet-4-5 +minimum/)
    await say(zotui, '/reasoning high')
    await zotui.see(/claude-sonnet-4-5 +high/)
    await say(zotui, 'think')
    await zotui.see('Thought.')
    await idle(zotui)
    expect((await model.request(1)).body).toHaveProperty('thinking')
    await say(zotui, '/model claude-3-5-haiku-latest')
    await zotui.see(/anthropic\/claude-3-5-haiku-latest +all allowed +ctx/)
    await zotui.press('alt+t')
    await zotui.see('claude-3-5-haiku-latest has no reasoning level. /model shows which do.')
    await zotui.type('/reasoning ')
    await zotui.gone(/xhigh/)
    await zotui.press('enter')
    await zotui.see(/claude-3-5-haiku-latest has no reasoning level\.\n +\/model shows/)
    await say(zotui, 'do not think')
    await zotui.see('Not thought.')
    expect((await model.request(2)).body).not.toHaveProperty('thinking')
  })

  test.runIf(setsLevels)('a model that does not reason has none from the start, and says so in the list', async () => {
    const { flags } = await startModel([])
    const args = flags.map(flag => (flag === 'claude-sonnet-4-5' ? 'claude-3-5-haiku-latest' : flag))
    const zotui = await openZot({ args })
    await zotui.see('anthropic/claude-3-5-haiku-latest')
    await zotui.press('alt+t')
    await zotui.see('has no reasoning level')
    await zotui.press('alt+p')
    await zotui.type('sonnet-4-5')
    await zotui.see(/claude-sonnet-4-5 +anthropic +200k +reasoning/)
  })

  test.skipIf(setsLevels)('a zot that cannot change it says so, and starts with a given level', async () => {
    const { zotui } = await talk([])
    await zotui.press('alt+t')
    await zotui.see('This zot has no reasoning level to change. /restart --reasoning high sets one.')
    await say(zotui, '/restart --reasoning high')
    await zotui.see('Restarted zot.')
    await say(zotui, '/reasoning')
    await zotui.see(/^! This zot has no reasoning level to change\.\n +\/restart --reasoning high sets one\./m)
  })
})
