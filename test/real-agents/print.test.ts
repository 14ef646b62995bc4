/** `-p` on a real agent: the same lines around the events as for zot, and a session that goes on. */
import path from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { printLineSchema } from '../../src/print/json-lines.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { program } from '../stories/stage.ts'
import { aside, installed } from './agents.ts'
import { onRealAgents } from './converse.ts'

onRealAgents('-p', agent => {
  test('names its session and ends with the result, and goes on in that session', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const script = [
      reply().text('It is there.').using({ input: 100, output: 10 }),
      reply().text('It still is.').using({ input: 200, output: 20 }),
    ]
    const model = await startModel(script, { aside })
    const print = async (...args: readonly string[]) => {
      const { exitCode, stdout } = await execa(process.execPath, [program, '--agent', agent.name, '-p', ...args], {
        cwd: home.project,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        env: environment(home.path, {
          ...agent.settle(home, { url: model.url, key: true }),
          PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
          XDG_CACHE_HOME: path.join(home.path, '.cache'),
        }),
      })
      return { exitCode, stdout }
    }
    const one = await print('--json', 'where is it?')
    const lines = one.stdout.split('\n').map(line => printLineSchema.parse(JSON.parse(line)))
    const session = lines[0]?.type === 'session_opened' ? (lines[0].session ?? '') : ''
    expect(session).toMatch(/^\d{8}-/)
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      session,
      outcome: 'done',
      answer: 'It is there.',
      exitCode: 0,
    })
    expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1)
    expect(await print('--quiet', '--resume', session, 'and now?')).toEqual({ exitCode: 0, stdout: 'It still is.' })
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('where is it?')
  })

  test('reviews with it: the agent may look and may not change anything, and its findings are printed', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const findings = [{ level: 'warning', path: 'a.ts', line: 1, title: 'It leaks' }]
    const block = `Not yet.\n\n\`\`\`findings\n${JSON.stringify({ findings })}\n\`\`\``
    // Codex would ask for this call, since it is to run outside of its own sandbox, and end its turn.
    const look = agent.goesOnRefused
      ? [
          reply()
            .text('I look.')
            .tool(...agent.shell('git status --short')),
        ]
      : []
    const script = [...look, reply().text(block)]
    const model = await startModel(script, { aside })
    const { exitCode, stdout } = await execa(
      process.execPath,
      [program, 'review', '--agent', agent.name, '--quiet', '--json', '--fail-on', 'warning'],
      {
        cwd: home.project,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        env: environment(home.path, {
          ...agent.settle(home, { url: model.url, key: true }),
          PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
          XDG_CACHE_HOME: path.join(home.path, '.cache'),
        }),
      },
    )
    expect(JSON.parse(stdout)).toMatchObject({ summary: 'Not yet.', findings: [{ path: 'a.ts', line: 1 }] })
    expect(exitCode).toBe(1)
    expect(JSON.stringify(model.requests[0]?.body)).toContain('Report the findings in one code block')
  })
})
