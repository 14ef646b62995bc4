/** The built program with a real Meerkat: what the user sees and answers. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { transcriptOf } from '../../bin/wiring/transcript.ts'
import { parseRecording } from '../../src/agents/recording/recording.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { hold, reply, startModel, type Model, type Step } from '../helpers/model.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { sent } from '../real-agents/converse.ts'
import { eventsOf } from '../recordings/playing.ts'
import { program } from '../stories/stage.ts'
import { onMeerkat, rkat, settle, wordsFor } from './meerkat.ts'

function variables(home: Home, model: Model): Record<string, string> {
  return { ZOTUI_RKAT_RPC: rkat, ZOTUI_AGENT: wordsFor(settle(home, model)), PATH: process.env['PATH'] ?? '' }
}

async function openMeerkat(script: readonly Step[], home = makeHome(), known?: Model) {
  const model = known ?? (await startModel(script))
  const env = { ...variables(home, model), ZOTUI_PERMISSIONS: 'ask' }
  const zotui = await open({ columns: 100, rows: 30, args: [], env, home })
  await zotui.see('self_hosted/fake')
  return { zotui, model, home, project: zotui.cwd }
}

async function say(zotui: Screen, line: string): Promise<void> {
  await zotui.type(line)
  await zotui.see(line)
  await zotui.press('enter')
}

const idle = (zotui: Screen): Promise<void> => zotui.gone(/\ds\s+Esc stops|stopping\s+\d/)

onMeerkat('the program', () => {
  test('shows its answer as it streams, stops it at Esc, and goes on', async () => {
    const { zotui, model } = await openMeerkat([
      reply().text('The first half, ').wait(hold()).text('never said.'),
      reply().text('Here again.'),
    ])
    await say(zotui, 'tell me')
    await zotui.see('The first half,')
    await zotui.press('esc')
    await zotui.see(/stopped/i)
    await idle(zotui)
    await say(zotui, 'and now')
    await zotui.see('Here again.')
    await idle(zotui)
    zotui.committedOnce(['The first half,', 'Here again.'])
    // The session had kept nothing, so the model is told what was said.
    expect(sent(await model.request(2))).toContain('tell me')
    expect(zotui.screen().join('\n')).not.toMatch(/\$0(?:\.0+)?(?![\d.])/)
    await zotui.close()
  })

  test('asks before a command of the model, and runs what the user allowed', async () => {
    const { zotui, project } = await openMeerkat([
      reply().tool('bash', { command: 'touch out.txt; echo $((40 + 2)) > out.txt' }),
      reply().text('It is done.'),
    ])
    await say(zotui, 'make it')
    await zotui.see('Run this command?')
    expect(existsSync(path.join(project, 'out.txt'))).toBe(false)
    await zotui.see(/› .*Yes/)
    await zotui.press('enter')
    await zotui.see('It is done.')
    await idle(zotui)
    expect(readFileSync(path.join(project, 'out.txt'), 'utf8')).toBe('42\n')
    await zotui.close()
  })

  test('goes back with /rewind after a stop, and the model knows what was said before that prompt', async () => {
    const { zotui, model } = await openMeerkat([
      reply().text('First answer.'),
      reply().text('Second answer.'),
      reply().text('The third half, ').wait(hold()).text('never said.'),
      reply().text('Other answer.'),
    ])
    for (const [prompt, answer] of [
      ['word one', 'First answer.'],
      ['word two', 'Second answer.'],
      ['word three', 'The third half,'],
    ] as const) {
      await say(zotui, prompt)
      await zotui.see(answer)
      if (prompt !== 'word three') await idle(zotui)
    }
    await zotui.press('esc')
    await zotui.see(/stopped/i)
    await idle(zotui)
    await say(zotui, '/rewind word two')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see('meerkat remembers all of it.')
    await zotui.press('ctrl+u')
    await say(zotui, 'word four')
    await zotui.see('Other answer.')
    const asked = sent(await model.request(4))
    for (const text of ['word one', 'First answer.', 'word four']) expect(asked).toContain(text)
    for (const text of ['word two', 'Second answer.', 'word three']) expect(asked).not.toContain(text)
    await zotui.close()
  })
})

onMeerkat('-p', () => {
  test('answers one prompt, and refuses what nobody can be asked about', async () => {
    const home = makeHome()
    const model = await startModel([
      reply().tool('bash', { command: 'touch made' }).using({ input: 100, output: 10 }),
      reply().text('I may not.'),
    ])
    const found = await execa(process.execPath, [program, '-p', 'make it', '--json', '--permissions', 'ask'], {
      cwd: home.project,
      env: environment(home.path, variables(home, model)),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    })
    const events = found.stdout.split('\n').map(line => JSON.parse(line) as { type: string })
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['agent_started', 'call_refused', 'turn_ended']),
    )
    expect(events.at(-1)).toMatchObject({ type: 'result', outcome: 'refused', answer: 'I may not.', exitCode: 3 })
    expect(existsSync(path.join(home.project, 'made'))).toBe(false)
    expect(found.exitCode).toBe(3)
    home.remove()
  })

  test('records, and a replay of the recording or of the session prints the same', async () => {
    const home = makeHome()
    const model = await startModel([
      reply().tool('bash', { command: 'echo $((40 + 2)) made' }),
      reply().thought('Well.').text('It ', 'was ', 'made.'),
    ])
    const file = path.join(home.path, 'talk.ndjson')
    const options = {
      cwd: home.project,
      env: environment(home.path, variables(home, model)),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    } as const
    const args = [program, '-p', 'make it', '--permissions', 'allow', '--record', file]
    const first = await execa(process.execPath, args, options)
    expect(first.stdout).toContain('It was made.')
    const { lines } = parseRecording(readFileSync(file, 'utf8'))
    const again = await execa(process.execPath, [program, 'replay', 'last'], options)
    for (const text of [transcriptOf(await eventsOf({ lines }), 80), again.stdout]) {
      expect(text).toContain('It was made.')
      expect(text).toContain('42 made')
    }
    home.remove()
  })
})
