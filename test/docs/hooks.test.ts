/** The page about hooks: its examples are run by the code that runs hooks, and its tables are complete. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { hookEvents, type HookEvent } from '../../src/config/hooks.ts'
import { checkSetting } from '../../src/config/schema.ts'
import { readAnswer } from '../../src/hooks/answer.ts'
import { createHooks } from '../../src/hooks/hooks.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/hooks.md', import.meta.url)), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
const [force = '', npm = '', key = '', branch = '', log = ''] = blocks('sh')
const folder = mkdtempSync(join(tmpdir(), 'zotui-hooks-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hasJq = ((): boolean => {
  try {
    execFileSync('jq', ['--version'])
    return true
  } catch {
    // The examples need it.
    return false
  }
})()

async function answerOf(event: HookEvent, command: string, input: object) {
  const hook = { event, command, matcher: null, timeout: 5000, source: 'user' as const, place: '', isTrusted: true }
  const hooks = createHooks({
    written: () => [hook],
    facts: () => ({ session_id: null, cwd: folder, machine: null, agent: 'zot', permission_mode: 'ask' }),
    folder,
    env: { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/sh' },
    now: () => 0,
    onMessage: () => {},
  })
  const { says, reason, context } = await hooks.ask(event, input)
  return [says, reason || context]
}

describe('the page about hooks', () => {
  test('lists every event in its order', () => {
    const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(named).toEqual([...hookEvents])
  })

  test('has settings that are valid', () => {
    const [settings = '{}'] = blocks('json')
    const { hooks } = JSON.parse(settings) as { hooks: unknown }
    expect(checkSetting('hooks', hooks)).toMatchObject({ ok: true })
  })

  test('has an answer that is one for each event that it names', () => {
    const [answer = ''] = blocks('jsonc')
    const output = answer.replaceAll(/ +\/\/.*$/gm, '')
    const end = { how: 'exited' as const, exitCode: 0, killedBy: null, errors: '', durationMs: 0 }
    const read = (event: HookEvent) =>
      readAnswer(event, { ...end, output: output.replace('"PreToolUse"', `"${event}"`) }, { timeout: 1, limitBytes: 1 })
    for (const event of ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'SessionStart'] as const)
      expect(read(event)).toMatchObject({ says: 'deny', stops: true, reason: 'enough for today' })
  })

  test.skipIf(!hasJq).each<[string, HookEvent, string, object, unknown[]]>([
    [
      'a force-push',
      'PreToolUse',
      force,
      { tool_input: { command: 'git push --force' } },
      ['deny', 'push without --force'],
    ],
    ['another push', 'PreToolUse', force, { tool_input: { command: 'git push' } }, ['nothing', '']],
    ['npm run', 'PermissionRequest', npm, { command: 'npm run build' }, ['allow', '']],
    ['npm run and more', 'PermissionRequest', npm, { command: 'npm run build; rm x' }, ['nothing', '']],
    [
      'a key',
      'UserPromptSubmit',
      key,
      { prompt: `use sk-${'a'.repeat(24)}` },
      ['deny', 'there is a key in this prompt'],
    ],
    ['no key', 'UserPromptSubmit', key, { prompt: 'hello' }, ['nothing', '']],
    ['the branch', 'UserPromptSubmit', branch, { prompt: 'x' }, ['nothing', 'The branch is unknown.']],
    ['a log', 'PostToolUse', log, { tool_name: 'bash', tool_response: { failed: false } }, ['nothing', '']],
  ])('has an example that works for %s', async (_name, event, command, input, answer) => {
    expect(await answerOf(event, command, input)).toEqual(answer)
  })

  test.skipIf(!hasJq)('has a log that holds the call', () => {
    expect(readFileSync(join(folder, 'calls.jsonl'), 'utf8')).toBe('{"tool":"bash","failed":false}\n')
  })
})
