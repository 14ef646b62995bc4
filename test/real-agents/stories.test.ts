/** The built program with a real agent: what the user sees and answers. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome, type Home } from '../helpers/home.ts'
import { hold, reply, startModel, type Model, type Step } from '../helpers/model.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { aside, installed, type RealAgent } from './agents.ts'
import { onRealAgents, sent } from './converse.ts'
import { idle, say } from './speak.ts'

async function openAgent(agent: RealAgent, script: readonly Step[]) {
  const model = await startModel(script, { aside })
  const zotui = await start(agent, model, ['--agent', agent.name])
  await zotui.see(`${agent.name} decides what it asks`)
  return { zotui, model, project: zotui.cwd }
}

function start(agent: RealAgent, model: Model, args: readonly string[], home?: Home): Promise<Screen> {
  return open({
    columns: 100,
    rows: 30,
    args: [...args],
    ...(home && { home }),
    env: home => ({
      ...agent.settle(home, { url: model.url, key: true }),
      ZOTUI_PERMISSIONS: undefined,
      PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      XDG_CACHE_HOME: path.join(home.path, '.cache'),
    }),
  })
}

onRealAgents('the program', agent => {
  test('shows its answer as it streams, and stops it at Esc', async () => {
    const { zotui, model } = await openAgent(agent, [
      reply().text('The first half, ').wait(hold()).text('never said.'),
      reply().text('Here again.'),
    ])
    await say(zotui, 'tell me')
    await zotui.see('The first half,')
    await zotui.press('esc')
    await (
      await model.request(1)
    ).abandoned
    await zotui.see(/stopped/i)
    await idle(zotui)
    await say(zotui, 'and now')
    await zotui.see('Here again.')
    await idle(zotui)
    zotui.committedOnce(['The first half,', 'Here again.'])
    expect(sent(await model.request(2))).toContain('tell me')
  })

  test('asks with the answers of the agent, and runs what the user allowed', async () => {
    const file = 'out.txt'
    const { zotui, project } = await openAgent(agent, [
      reply().tool(...agent.shell(`touch ${file}; echo $((40 + 2)) > ${file}`)),
      reply().text('It ran.'),
    ])
    if (agent.asksIn !== null) {
      await say(zotui, `/mode ${agent.asksIn}`)
      await zotui.see(/read-only/i)
      await zotui.gone('▌ /mode')
    }
    await say(zotui, 'run it')
    // The question takes no key at first, and has a chosen row once it does.
    await zotui.see(/› 1 Yes.*allows it once/)
    expect(existsSync(path.join(project, file))).toBe(false)
    await zotui.press('1')
    await zotui.see('It ran.')
    await idle(zotui)
    expect(readFileSync(path.join(project, file), 'utf8')).toBe('42\n')
  })

  test('continues with a session that the agent remembers', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const model = await startModel([reply().text('Noted.'), reply().text('It is blue.')], { aside })
    const first = await start(agent, model, ['--agent', agent.name], home)
    await first.see(`${agent.name} decides what it asks`)
    await say(first, 'my colour is blue')
    await first.see('Noted.')
    await idle(first)
    await first.close()
    const zotui = await start(agent, model, ['--continue'], home)
    await zotui.see(`${agent.name} remembers all of it.`)
    await say(zotui, 'which colour')
    await zotui.see('It is blue.')
    await idle(zotui)
    expect(
      zotui
        .screen()
        .join('\n')
        .match(/Noted\./g),
    ).toHaveLength(1)
    expect(sent(await model.request(2))).toContain('my colour is blue')
    expect(sent(await model.request(2))).not.toContain('earlier-conversation')
    await zotui.close()
  })

  test('keeps its modes, models and options after /rewind', async () => {
    const { zotui } = await openAgent(agent, [reply().text('One.'), reply().text('Two.')])
    for (const [prompt, answer] of [
      ['first', 'One.'],
      ['second', 'Two.'],
    ] as const) {
      await say(zotui, prompt)
      await zotui.see(answer)
      await idle(zotui)
    }
    await say(zotui, '/rewind second')
    await zotui.see('go back to before')
    await zotui.press('enter')
    await zotui.see(/Restarted/)
    await zotui.press('ctrl+u')
    await zotui.press('shift+tab')
    await zotui.see(/Mode: \w/)
    await say(zotui, '/options')
    await zotui.see(`options of ${agent.name}`)
    await zotui.see(/Model/)
    await zotui.close()
  })
})
