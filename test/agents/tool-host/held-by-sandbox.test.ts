import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { AgentEvent, EventOf } from '../../../src/agent/event.ts'
import type { BoxWant, Judge, Verdict } from '../../../src/agent/permission.ts'
import type { PermissionAnswer } from '../../../src/agent/requests.ts'
import { createToolHost } from '../../../src/agents/tool-host/local-tool-host.ts'
import { toText } from '../../../src/agents/tool-host/outcomes.ts'
import { createLocalTools } from '../../../src/local-tools/local-tools.ts'
import type { BoxReport, CommandSandbox, WantAnswer } from '../../../src/sandbox/command-sandbox.ts'
import { parseBashResult } from '../../../src/tools/result.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'held-')))
afterAll(() => rmSync(root, { recursive: true }))

const host: BoxWant = { kind: 'host', host: 'api.example.org', port: 443 }
const refused = { hint: 'cannot write /cache/x: Read-only file system', path: '/cache' }
const nothing: BoxReport = { note: '', refused: null }

type Fake = {
  /** What commands want while they run. */
  wants?: readonly BoxWant[]
  /** What the runs in it report, the last one again and again. */
  reports?: readonly BoxReport[]
  judge?: Judge
}

/** A host of tools whose sandbox holds nothing, and reports this. */
function open({ wants = [], reports = [nothing], judge = () => ({ verdict: 'allow', because: '' }) }: Fake = {}) {
  const folder = mkdtempSync(join(root, 'f-'))
  const answers: WantAnswer[] = []
  const writable: string[] = []
  let runs = 0
  const sandbox: CommandSandbox = {
    isOn: () => true,
    follow: () => {},
    async open({ env, ask }) {
      const report = reports[Math.min(runs, reports.length - 1)] ?? nothing
      runs += 1
      const asked = wants.map(want => ask(want, new AbortController().signal))
      return {
        box: { file: '/usr/bin/env', args: ['BOXED=1'], inputs: [], withheld: [], env },
        async close() {
          answers.push(...(await Promise.all(asked)))
          return report
        },
      }
    },
    answerLeft: async () => [],
    allowWriting: path => void writable.push(path),
    close: async () => {},
  }
  const tools = createLocalTools({ folder, env: process.env, sandbox })
  const toolHost = createToolHost({ tools, folder, now: () => 5 })
  const events: AgentEvent[] = []
  toolHost.attach(event => events.push(event))
  toolHost.judgeWith(request => (request.wants ? { verdict: 'ask', because: '' } : judge(request)))
  const turn = new AbortController()
  const run = async (command: string) => {
    const call = { id: 'own-1', toolUseId: 'call_1', name: 'bash', arguments: { command }, signal: turn.signal }
    return toText(await toolHost.execute(call))
  }
  const of = <Type extends AgentEvent['type']>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  const answer = async (reply: PermissionAnswer, by: 'user' | 'rule' = 'user', number = 1): Promise<void> => {
    const question = await vi.waitFor(() => {
      const found = of('permission_requested')[number - 1]
      if (!found) throw new Error('nothing was asked')
      return found
    })
    toolHost.answerPermission(question.id, reply, by)
  }
  return { toolHost, run, of, answer, answers, writable, runs: () => runs, events }
}

const failing = 'echo "boxed:$BOXED"; [ "$BOXED" = "" ]'
const allowed: PermissionAnswer = { answer: 'allow' }

describe('A command that wants a host', () => {
  test('waits for the user, and is told of a no in one line before its end', async () => {
    const { run, answer, answers, of } = open({ wants: [host] })
    const result = run('echo hi')
    await answer({ answer: 'refuse', words: 'use the copy' })
    const text = await result
    expect(text).toContain(
      '\n[sandbox] connection to api.example.org:443 refused by the user. Do not try to reach the same by another way. They say: use the copy\n',
    )
    expect(parseBashResult(text, 'echo hi')).toMatchObject({ exitCode: 0 })
    expect(answers).toEqual(['no'])
    expect(of('permission_requested')).toMatchObject([{ wants: host, command: 'echo hi', callId: 'own-1' }])
  })

  test.each<[string, PermissionAnswer, WantAnswer]>([
    ['this time', allowed, 'once'],
    ['for the session', { answer: 'allow', isForSession: true }, 'session'],
  ])('and gets it %s is told nothing', async (_name, reply, given) => {
    const { run, answer, answers } = open({ wants: [host] })
    const result = run('echo hi')
    await answer(reply)
    expect(await result).not.toContain('[sandbox]')
    expect(answers).toEqual([given])
  })

  test('and has one answer asks no second time, also when it runs again', async () => {
    const { run, answer, answers, of } = open({
      wants: [host],
      reports: [{ note: '', refused }, nothing],
    })
    const result = run(failing)
    await answer(allowed)
    await answer({ answer: 'allow', isForSession: true }, 'user', 2)
    await result
    expect(answers).toEqual(['once', 'once'])
    expect(of('permission_requested')).toHaveLength(2)
  })

  test('is asked about although the judge allows everything', async () => {
    const { toolHost, run, answer, answers } = open({ wants: [host] })
    toolHost.judgeWith(() => ({ verdict: 'allow', because: '' }))
    const result = run('echo hi')
    await answer(allowed)
    await result
    expect(answers).toEqual(['once'])
  })

  test('is not answered by a rule that allows, and neither by another command', async () => {
    const { run, answer, answers } = open({ wants: [host] })
    const result = run('echo hi')
    await answer(allowed, 'rule')
    await answer({ answer: 'allow', isForSession: true }, 'rule')
    expect(answers).toEqual([])
    await answer({ answer: 'allow_changed', command: 'echo other' })
    await result
    expect(answers).toEqual(['no'])
  })

  test('is refused by a rule, which the model is told', async () => {
    const { toolHost, run, of, answers } = open({ wants: [host] })
    const deny: Verdict = { verdict: 'refuse', because: 'the rule X', words: "Refused by the user's rule X." }
    toolHost.judgeWith(({ wants }) => (wants ? deny : { verdict: 'allow', because: '' }))
    expect(await run('echo hi')).toContain(
      "[sandbox] connection to api.example.org:443 refused: Refused by the user's rule X.",
    )
    expect(answers).toEqual(['no'])
    expect(of('call_refused')).toMatchObject([{ callId: 'own-1', wants: host, because: 'the rule X' }])
  })
})

describe('A command that failed in the sandbox', () => {
  test('runs once outside if the user says so, and the model is told', async () => {
    const { run, answer, of, runs } = open({ reports: [{ note: '', refused }] })
    const result = run(failing)
    await answer(allowed)
    const text = await result
    expect(text).toMatch(/boxed:\n\n\[sandbox\] This command failed in the sandbox first\..*\n\[exit 0\]/s)
    expect(runs()).toBe(1)
    expect(of('call_held').map(({ where }) => where)).toEqual(['sandbox', 'outside'])
    expect(of('permission_requested')).toMatchObject([{ wants: { kind: 'outside', ...refused }, command: failing }])
  })

  test('runs again in the sandbox if the user allows writing there', async () => {
    const { run, answer, of, runs, writable } = open({ reports: [{ note: '', refused }, nothing] })
    const result = run(failing)
    await answer({ answer: 'allow', isForSession: true })
    expect(await result).toContain('boxed:1')
    expect(writable).toEqual(['/cache'])
    expect(runs()).toBe(2)
    expect(of('call_held').map(({ where }) => where)).toEqual(['sandbox', 'sandbox'])
  })

  test('never runs outside for an answer about a folder that is not known', async () => {
    const { run, answer, of, writable } = open({ reports: [{ note: '', refused: { ...refused, path: null } }] })
    const result = run(failing)
    await answer({ answer: 'allow', isForSession: true })
    await result
    expect([of('call_held').map(({ where }) => where), writable]).toEqual([['sandbox'], []])
  })

  test('keeps its result if the user says so, and the model is told', async () => {
    const { run, answer, of } = open({ reports: [{ note: '[sandbox] It can write only in /p.', refused }] })
    const result = run(failing)
    await answer({ answer: 'refuse', words: '' })
    const text = await result
    expect(text).toContain('[sandbox] It can write only in /p.')
    expect(text).toContain('[sandbox] The user was asked to run this command again outside of the sandbox, and keeps')
    expect(parseBashResult(text, failing)).toMatchObject({ exitCode: 1 })
    expect(of('call_held').map(({ where }) => where)).toEqual(['sandbox'])
  })

  test('is asked about once if the user stops the turn', async () => {
    const { run, answer, of } = open({ reports: [{ note: '', refused }] })
    const result = run(failing)
    await answer({ answer: 'stop' })
    await result
    expect(of('permission_requested')).toHaveLength(1)
    expect(of('call_held').map(({ where }) => where)).toEqual(['sandbox'])
  })
})

const leaving: Judge = () => ({ verdict: 'ask', because: 'the rule X', outside: true })

describe('A command that a rule lets out of the sandbox', () => {
  test('runs outside after a yes of the user', async () => {
    const { run, answer, of, runs } = open({ judge: leaving })
    const result = run(failing)
    await answer(allowed)
    expect(await result).toContain('boxed:\n')
    expect(of('permission_requested')).toMatchObject([{ outside: true, because: 'the rule X' }])
    expect([of('call_held').map(({ where }) => where), runs()]).toEqual([['outside'], 0])
  })

  test.each<[string, PermissionAnswer, 'user' | 'rule']>([
    ['a rule that allows it', allowed, 'rule'],
    ['another command of the user', { answer: 'allow_changed', command: failing }, 'user'],
  ])('stays in it for %s', async (_name, reply, by) => {
    const { run, answer, of } = open({ judge: leaving })
    const result = run('true')
    await answer(reply, by)
    await result
    expect(of('call_held').map(({ where }) => where)).toEqual(['sandbox'])
  })
})
