/** A model that has to quote what a tool returned in turn 1, after everything by which a zot loses its session. */
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment, makeHome } from '../helpers/home.ts'
import { reply, startModel, type Asked, type Model, type Step } from '../helpers/model.ts'
import type { Screen } from '../helpers/screen.ts'
import { program } from '../stories/stage.ts'
import { idle, openZot, say, zot } from './talk.ts'

/** Counts with a tool when asked to; asked to quote, it knows only what it finds among the results in the request. */
function quoting({ body }: Asked): Step | null {
  const messages = (body as { messages?: { role: string; content: unknown }[] }).messages ?? []
  const last = JSON.stringify(messages.at(-1) ?? '')
  if (last.includes('tool_result') || messages.at(-1)?.role === 'tool') return reply().text('I have counted.')
  const wish = /(?:quote|count) for (\w+)[^]*?$/.exec(last.split('</earlier-conversation>').at(-1) ?? '')
  if (wish?.[0].startsWith('count'))
    return reply().tool('bash', { command: "seq 1 90 | sed 's/$/ sheep/'; echo wolves-$((40 + 2))" })
  if (!wish) return null
  const results = [...JSON.stringify(messages).matchAll(/`tool-output\\+n(.*?)\\+n```/g)]
    .map(([, data]) => data)
    .join(' ')
  const found = /90 sheep\\+nwolves-\d+/.exec(results)?.[0].replace(/^.*wolves/, 'wolves') ?? 'nothing of the kind'
  return reply().text(`For ${wish[1]} I quote ${found}.`)
}

async function counted(): Promise<{ zotui: Screen; model: Model }> {
  const model = await startModel([], { aside: quoting })
  const zotui = await openZot({ args: [...model.flags, '--permissions', 'allow'] })
  await zotui.see('anthropic/claude-sonnet-4-5')
  await say(zotui, 'count for me')
  await zotui.see('I have counted.')
  await idle(zotui)
  return { zotui, model }
}

async function quotes(zotui: Screen, name: string, found = 'wolves-42'): Promise<void> {
  await say(zotui, `quote for ${name}`)
  await zotui.see(`For ${name} I quote ${found}.`)
  await idle(zotui)
}

describe.skipIf(!zot)('the result of a tool in the first turn is known to a zot', () => {
  test('after a restart, a fork, a rewind, and a resume', { timeout: 120_000 }, async () => {
    const { zotui, model } = await counted()
    await say(zotui, '/restart')
    await zotui.see(/includes\s+this\s+conversation:\s+1\s+turn\s+in\s+full,\s+about/)
    await quotes(zotui, 'restart')
    await say(zotui, '/fork count')
    await zotui.see(/fork after/)
    await zotui.press('enter')
    await zotui.see(/This is a fork after "count for me"/)
    await quotes(zotui, 'fork')
    await say(zotui, '/rewind fork')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see('Back to before')
    await zotui.type(' rewind')
    await zotui.press('ctrl+c')
    await quotes(zotui, 'rewind')
    const { home } = zotui
    await say(zotui, '/exit')
    await zotui.exit()
    const again = await openZot({ args: [...model.flags, '--continue'], home })
    await again.see(/includes\s+this\s+conversation:\s+2\s+turns\s+in\s+full/)
    await say(again, '/memory')
    await again.see(/› this conversation/)
    await again.press('enter')
    await again.see('What your next prompt begins with')
    await again.see('tool-output')
    await again.press('q')
    await again.gone('What your next prompt begins with')
    await quotes(again, 'resume')
  })

  test('with another provider only once the user has said so', { timeout: 120_000 }, async () => {
    const { zotui, model } = await counted()
    const switching = `/restart --provider ollama --model tiny --base-url ${model.url}`
    await say(zotui, switching)
    await zotui.see(/send\s+ollama\s+at\s+\S+\s+the\s+tool\s+results\s+that\s+anthropic\s+at\s+\S+\s+got\?/)
    await zotui.see(/tool\s+results\s+of\s+1\s+turn\s+are\s+left\s+out/)
    await zotui.press('enter')
    await quotes(zotui, 'nobody', 'nothing of the kind')
    await say(zotui, '/restart')
    await zotui.see(/› leave them out/)
    await zotui.press('down', 'enter')
    await zotui.see(/You\s+let\s+ollama\s+at\s+\S+\s+have\s+the\s+tool\s+results\s+of\s+this\s+conversation\./)
    await zotui.see(/includes\s+this\s+conversation:\s+2\s+turns\s+in\s+full/)
    await quotes(zotui, 'ollama')
    await say(zotui, '/restart')
    await zotui.see(/includes\s+this\s+conversation:\s+3\s+turns\s+in\s+full/)
    await quotes(zotui, 'again')
  })

  test(
    'with another server of the same provider only once the user has said so, also after a resume',
    { timeout: 120_000 },
    async () => {
      const { zotui, model } = await counted()
      const other = await startModel([], { aside: quoting })
      const [host, otherHost] = [new URL(model.url).host, new URL(other.url).host]
      await say(zotui, `/restart --base-url ${other.url}`)
      await zotui.see(
        new RegExp(
          `send\\s+anthropic\\s+at\\s+${otherHost}\\s+the\\s+tool\\s+results\\s+that\\s+anthropic\\s+at\\s+${host}`,
        ),
      )
      await zotui.press('enter')
      await quotes(zotui, 'nobody', 'nothing of the kind')
      const { home } = zotui
      await say(zotui, '/exit')
      await zotui.exit()
      const args = ['--continue', ...other.flags]
      const again = await openZot({ args, home })
      await again.see(/tool\s+results\s+of\s+1\s+turn\s+are\s+left\s+out/)
      await again.see(/› leave them out/)
      await again.press('down', 'enter')
      await again.see(/You\s+let\s+anthropic\s+at/)
      await quotes(again, 'other')
      await say(again, '/exit')
      await again.exit()
      const third = await openZot({ args, home })
      await third.see(/includes\s+this\s+conversation:\s+3\s+turns\s+in\s+full/)
      await quotes(third, 'again')
    },
  )

  test('and to the agent of a side question', async () => {
    const { zotui } = await counted()
    await say(zotui, '/btw quote for side')
    await zotui.see('For side I quote wolves-42.')
  })

  test('of -p --continue, but not with another provider, as nobody can be asked', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const model = await startModel([], { aside: quoting })
    const env = environment(home.path, { ZOTUI_ZOT: zot, ZOT_HOME: path.join(home.path, '.zot') })
    const print = (...args: string[]) => {
      const words = [program, '-p', '--permissions', 'allow', ...args]
      return execa(process.execPath, words, { cwd: home.project, env, extendEnv: false, input: '', timeout: 30_000 })
    }
    await print(...model.flags, 'count for me')
    expect((await print(...model.flags, '--continue', 'quote for print')).stdout).toContain('I quote wolves-42.')
    const other = ['--provider', 'ollama', '--model', 'tiny', '--base-url', model.url, '--no-ext', '--no-skill']
    const { stdout, stderr } = await print(...other, '--continue', 'quote for other')
    expect(stdout).toContain('I quote nothing of the kind.')
    expect(stderr).toMatch(/ollama at \S+ does not get the tool results that anthropic at \S+ got/)
  })
})
