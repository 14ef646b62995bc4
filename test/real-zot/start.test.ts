/** The start of a real zot: what reaches it, what must not, and what is said when it will not start. */
import { describe, expect, test } from 'vitest'
import { reply, startModel } from '../helpers/model.ts'
import { idle, openZot, say, talk, zot } from './talk.ts'

describe.skipIf(!zot)('the start of a real zot', () => {
  test('sends a prompt of the command line at once', async () => {
    const { zotui, model } = await talk([reply().text('At once.')], { args: ['say', 'something', 'short'] })
    await zotui.see('At once.')
    expect(JSON.stringify((await model.request(1)).body)).toContain('say something short')
  })

  test('queues a prompt that is sent before zot has answered', async () => {
    const model = await startModel([reply().text('You were early.')])
    const zotui = await openZot({ args: model.flags })
    await zotui.see('▌')
    await say(zotui, 'first thing')
    await zotui.see('You were early.')
    expect(JSON.stringify((await model.request(1)).body)).toContain('first thing')
  })

  test('passes flags through, and arguments after -- too', async () => {
    const { zotui, model } = await talk([reply().text('Noted.')], {
      args: ['--append-system-prompt', 'Speak of otters.', '--', '--append-system-prompt', 'Speak of herons.'],
    })
    await say(zotui, 'hello')
    await zotui.see('Noted.')
    const { body } = await model.request(1)
    expect(JSON.stringify(body)).toMatch(/Speak of otters\.[\s\S]*Speak of herons\./)
  })

  test('with --read-only has no tools that write or run commands', async () => {
    const { zotui, model } = await talk([reply().text('Only looking.')], { args: ['--read-only'] })
    await say(zotui, 'look around')
    await zotui.see('Only looking.')
    const { body } = await model.request(1)
    const tools = typeof body === 'object' && body !== null && 'tools' in body ? JSON.stringify(body.tools) : ''
    expect(tools).toContain('"name":"read"')
    expect(tools).not.toMatch(/"name":"(?:write|edit|bash|powershell|codemode|swarm_spawn)"/)
  })

  test("keeps the token of the protocol from zot's commands", async () => {
    const { zotui } = await talk(
      [reply().tool('bash', { command: 'echo "the token is <$ZOTCORE_RPC_TOKEN>"' }), reply().text('Well then.')],
      { env: { ZOTCORE_RPC_TOKEN: 'secret' } },
    )
    await say(zotui, 'show it')
    await zotui.see('Well then.')
    await zotui.see('the token is <>')
    expect(zotui.history().join('\n')).not.toContain('secret')
  })

  test('works with models of OpenAI as well', async () => {
    const model = await startModel([
      reply().text('I look. ').tool('bash', { command: 'echo $((40 + 2)) otters' }),
      reply().text('There they are.'),
    ])
    const zotui = await openZot({
      args: [
        '--provider',
        'openai',
        '--model',
        'gpt-5',
        '--api-key',
        'x',
        '--base-url',
        model.url,
        '--no-ext',
        '--no-skill',
      ],
    })
    await zotui.see('openai/gpt-5')
    await say(zotui, 'count the otters')
    await zotui.see('There they are.')
    await idle(zotui)
    zotui.committedOnce(['I look.', 'There they are.'])
    await zotui.see('42 otters')
    expect((await model.request(1)).path).toBe('/v1/chat/completions')
  })

  test('refuses a provider that its list lacks, and suggests the one that is meant', async () => {
    const zotui = await openZot({ args: ['--provider', 'antropic', '--no-ext', '--no-skill'] })
    expect(await zotui.exit()).toEqual({ code: 2, signal: null })
    expect(zotui.history().join(' ')).toMatch(/no\s+provider\s+"antropic".*Did\s+you\s+mean\s+anthropic\?/s)
  })

  test('explains a flag that this zot does not know', async () => {
    const { zotui } = await talk([], { args: ['--', '--no-such-flag'], ready: '/restart' })
    await zotui.see('--no-such-flag')
    // zot prints its whole help before that.
    expect(zotui.history().join('\n')).not.toMatch(/usage:/i)
    await zotui.type('my draft')
    await zotui.see('my draft')
    expect(zotui.children()).toEqual([])
  })

  test('explains missing credentials, and zotui keeps the draft', async () => {
    const zotui = await openZot({ args: ['--provider', 'anthropic', '--no-ext', '--no-skill'] })
    await zotui.see(/no credential/i)
    await zotui.see('zot needs a key')
    await zotui.press('esc')
    await zotui.see('/restart')
    await zotui.type('my draft')
    await zotui.see('my draft')
    await zotui.press('ctrl+u')
    await zotui.gone('my draft')
    await zotui.press('ctrl+d')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  })
})
